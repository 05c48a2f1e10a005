package com.intellij.openapi.project;

public interface DumbAware {

}
