package dev.wave.bridge.ide;

import com.intellij.openapi.editor.colors.EditorColorsManager;
import dev.wave.bridge.panel.PageScript;
import dev.wave.bridge.panel.Theme;
import java.awt.Color;
import java.awt.Font;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.swing.UIManager;

/** The panel's colours and fonts, as the Look-and-Feel has them now. */
public final class Look {
    private Look() {}

    /** Gives the script that dresses a page. */
    public static String script() {
        Font font = UIManager.getFont("Label.font");
        String code = EditorColorsManager.getInstance().getGlobalScheme().getEditorFontName();
        Map<String, String> variables = Theme.variables(
                Look::colour, font == null ? "sans-serif" : font.getFamily(), font == null ? 13 : font.getSize(), code);
        boolean contrast = UIManager.getLookAndFeel().getName().toLowerCase(Locale.ROOT).contains("contrast");
        String background = variables.getOrDefault("--vscode-editor-background", "#ffffff");
        return PageScript.theme(Theme.kind(contrast, background), variables);
    }

    private static Optional<String> colour(String name) {
        Color found = UIManager.getColor(name);
        return Optional.ofNullable(found).map(colour -> String.format("#%06x", colour.getRGB() & 0xffffff));
    }
}
