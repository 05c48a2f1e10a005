package org.cef.misc;

public class BoolRef {

}
