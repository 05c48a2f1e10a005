package com.intellij.openapi.options;

import com.intellij.openapi.project.Project;
import dev.wave.stub.Stub;

public abstract class ShowSettingsUtil {
    public static ShowSettingsUtil getInstance() {
        throw new Stub();
    }
    public abstract <T extends Configurable> void showSettingsDialog(Project project, Class<T> page);
}
