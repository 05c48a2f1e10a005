package dev.wave.bridge.notice;

import java.util.Locale;

/** The shim's own texts. Most that a user reads is the bridge's, which knows the same two languages. */
public enum Text {
    BRIDGE_LOST("Wave Bridge 已退出", "Wave Bridge has ended"),
    BRIDGE_MISSING(
            "请安装 wave-bridge（pip install wave-bridge），或在设置中填写它的路径。",
            "Install wave-bridge (pip install wave-bridge), or name its path in the settings."),
    CONNECTING("正在连接 Wave…", "Connecting to Wave…"),
    RESTART("重启 Wave", "Restart Wave"),
    SHOW_LOG("查看日志", "Show log"),
    SETTINGS("打开设置", "Open settings"),
    NO_BROWSER("此 IDE 无法显示网页面板（JCEF 不可用）。", "This IDE can't show the panel (JCEF is not available)."),
    NO_PANEL("此插件构建时没有包含面板。", "This plugin was built without the panel."),
    OPEN_BROWSER("在浏览器中打开", "Open in the browser"),
    NO_ADDRESS("Wave Bridge 没有提供面板地址", "Wave Bridge gave no address for the panel"),
    NEW_TAB("新建标签页", "New tab"),
    NO_SELECTION("请先在编辑器中选择文本", "Select some text in the editor first"),
    PATH_OF_BRIDGE("wave-bridge 的路径：", "Path of wave-bridge:"),
    PATH_OF_CLI("Wave CLI 的路径：", "Path of the Wave CLI:"),
    EMPTY_MEANS("留空则自动查找", "Left empty, it is looked for");

    private final String chinese;
    private final String english;

    Text(String chinese, String english) {
        this.chinese = chinese;
        this.english = english;
    }

    /** Gives the text for a language tag; every language but Chinese is served in English. */
    public String in(String locale) {
        return locale.toLowerCase(Locale.ROOT).startsWith("zh") ? chinese : english;
    }
}
