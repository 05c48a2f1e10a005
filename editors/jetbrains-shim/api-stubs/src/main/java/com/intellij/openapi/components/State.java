package com.intellij.openapi.components;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

@Retention(RetentionPolicy.RUNTIME) // it goes into our class files: the platform reads it there
public @interface State {
    String name();
    Storage[] storages() default {};
}
