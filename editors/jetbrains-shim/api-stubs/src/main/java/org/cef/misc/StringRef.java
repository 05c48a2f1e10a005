package org.cef.misc;

public class StringRef {

}
