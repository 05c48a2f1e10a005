package dev.wave.bridge.ide;

import com.intellij.openapi.options.Configurable;
import dev.wave.bridge.notice.Text;
import java.awt.BorderLayout;
import java.awt.GridLayout;
import javax.swing.JComponent;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.JTextField;

/** The settings page: two paths, both found by themselves when they are left empty. */
public final class WaveConfigurable implements Configurable {
    private final JTextField bridge = new JTextField(WaveSettings.get().getState().bridgePath, 40);
    private final JTextField cli = new JTextField(WaveSettings.get().getState().cliPath, 40);

    @Override
    public String getDisplayName() {
        return "Wave";
    }

    @Override
    public JComponent createComponent() {
        String locale = WaveService.locale();
        JPanel rows = new JPanel(new GridLayout(0, 1));
        rows.add(new JLabel(Text.PATH_OF_BRIDGE.in(locale)));
        rows.add(bridge);
        rows.add(new JLabel(Text.PATH_OF_CLI.in(locale)));
        rows.add(cli);
        rows.add(new JLabel(Text.EMPTY_MEANS.in(locale)));
        JPanel top = new JPanel(new BorderLayout());
        top.add(rows, BorderLayout.NORTH);
        return top;
    }

    @Override
    public boolean isModified() {
        WaveSettings.Values now = WaveSettings.get().getState();
        return !bridge.getText().equals(now.bridgePath) || !cli.getText().equals(now.cliPath);
    }

    /** A project's bridge takes them up when it is started the next time: the notice and the panel offer that. */
    @Override
    public void apply() {
        WaveSettings.Values values = new WaveSettings.Values();
        values.bridgePath = bridge.getText();
        values.cliPath = cli.getText();
        WaveSettings.get().loadState(values);
    }
}
