package com.intellij.psi;

public interface PsiFile {

}
