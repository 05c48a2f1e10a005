package com.intellij.openapi.wm;

import com.intellij.openapi.actionSystem.AnAction;
import com.intellij.ui.content.ContentManager;
import java.util.List;

public interface ToolWindow {
    ContentManager getContentManager();
    void activate(Runnable then);
    void setTitleActions(List<? extends AnAction> actions);
}
