package com.intellij.ide.plugins;

import com.intellij.openapi.extensions.PluginDescriptor;

public interface IdeaPluginDescriptor extends PluginDescriptor {

}
