package com.intellij.ui.content;

import com.intellij.openapi.Disposable;
import com.intellij.openapi.util.UserDataHolder;

public interface Content extends UserDataHolder {
    void setDisposer(Disposable disposer);
    void setDisplayName(String name);
    void setCloseable(boolean closeable);
}
