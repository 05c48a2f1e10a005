package com.intellij.ide.ui;

public abstract class LafManager {

}
