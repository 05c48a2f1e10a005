package dev.wave.bridge.panel;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The panel's colours, taken from the Look-and-Feel by its names for them. */
public final class Theme {
    /** The panel's variable, then the Look-and-Feel's names, the first that it has. */
    private static final List<List<String>> COLOURS = List.of(
            List.of("--vscode-editor-background", "Editor.background", "TextArea.background", "Panel.background"),
            List.of("--vscode-editor-foreground", "Editor.foreground", "TextArea.foreground", "Label.foreground"),
            List.of("--vscode-sideBar-background", "ToolWindow.background", "Panel.background"),
            List.of("--vscode-foreground", "Label.foreground", "Panel.foreground"),
            List.of("--vscode-descriptionForeground", "Label.infoForeground", "Component.infoForeground"),
            List.of("--vscode-disabledForeground", "Label.disabledForeground"),
            List.of("--vscode-errorForeground", "Label.errorForeground", "Component.errorFocusColor"),
            List.of("--vscode-focusBorder", "Component.focusColor", "Component.focusedBorderColor"),
            List.of("--vscode-panel-border", "Borders.color", "Separator.separatorColor"),
            List.of("--vscode-widget-border", "Borders.color", "Separator.separatorColor"),
            List.of("--vscode-input-background", "TextField.background"),
            List.of("--vscode-input-foreground", "TextField.foreground"),
            List.of("--vscode-input-border", "Component.borderColor"),
            List.of("--vscode-input-placeholderForeground", "TextField.inactiveForeground", "Label.disabledForeground"),
            List.of("--vscode-button-background", "Button.default.startBackground", "Button.startBackground"),
            List.of("--vscode-button-foreground", "Button.default.foreground", "Button.foreground"),
            List.of("--vscode-button-secondaryBackground", "Button.startBackground", "Button.background"),
            List.of("--vscode-button-secondaryForeground", "Button.foreground"),
            List.of("--vscode-list-hoverBackground", "List.hoverBackground", "List.selectionInactiveBackground"),
            List.of("--vscode-list-activeSelectionBackground", "List.selectionBackground"),
            List.of("--vscode-list-activeSelectionForeground", "List.selectionForeground"),
            List.of("--vscode-menu-background", "PopupMenu.background", "Menu.background"),
            List.of("--vscode-menu-foreground", "PopupMenu.foreground", "Menu.foreground"),
            List.of("--vscode-dropdown-background", "ComboBox.background"),
            List.of("--vscode-dropdown-foreground", "ComboBox.foreground"),
            List.of("--vscode-badge-background", "Counter.background", "Button.default.startBackground"),
            List.of("--vscode-badge-foreground", "Counter.foreground", "Button.default.foreground"),
            List.of("--vscode-textLink-foreground", "Link.activeForeground", "link.foreground"),
            List.of("--vscode-scrollbarSlider-background", "ScrollBar.thumbColor", "ScrollBar.thumb"),
            List.of("--vscode-editorWidget-background", "PopupMenu.background", "Panel.background"),
            List.of("--vscode-toolbar-hoverBackground", "ActionButton.hoverBackground"));

    private Theme() {}

    /** Gives the variables; {@code colour} says {@code #rrggbb} for a name, or nothing. */
    public static Map<String, String> variables(
            Function<String, Optional<String>> colour, String font, int points, String codeFont) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (List<String> row : COLOURS) {
            row.stream().skip(1).map(colour).flatMap(Optional::stream).findFirst()
                    .ifPresent(found -> variables.put(row.get(0), found));
        }
        variables.put("--vscode-font-family", family(font) + ", system-ui, sans-serif");
        variables.put("--vscode-font-size", points + "px");
        variables.put("--vscode-editor-font-family", family(codeFont) + ", monospace");
        variables.put("--vscode-editor-font-size", points + "px");
        return variables;
    }

    /** Gives {@code high-contrast}, {@code dark} or {@code light}, the last two by the background's brightness. */
    public static String kind(boolean highContrast, String background) {
        if (highContrast) {
            return "high-contrast";
        }
        int rgb = Integer.parseInt(background.substring(1), 16);
        int brightness = (299 * (rgb >> 16) + 587 * (rgb >> 8 & 255) + 114 * (rgb & 255)) / 1000;
        return brightness < 128 ? "dark" : "light";
    }

    private static String family(String name) {
        return "\"" + name.replace("\"", "").replace("\\", "") + "\"";
    }
}
