package dev.wave.bridge.ide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The zip that a user installs: what it holds, and that its descriptors name what it holds. */
class PluginZipTest {
    private static final Pattern OURS = Pattern.compile("\"(dev\\.wave\\.bridge\\.ide[\\w.]*\\.[A-Z]\\w*)\"");

    private static final List<String> FILES = new ArrayList<>();
    private static final Map<String, byte[]> PACKED = new TreeMap<>(); // of all jars

    @BeforeAll
    static void open() throws IOException {
        try (ZipFile zip = new ZipFile(System.getProperty("plugin.zip"))) {
            for (ZipEntry entry : zip.stream().filter(entry -> !entry.isDirectory()).toList()) {
                FILES.add(entry.getName());
                if (entry.getName().endsWith(".jar")) {
                    unpack(zip.getInputStream(entry).readAllBytes());
                }
            }
        }
    }

    private static void unpack(byte[] jar) throws IOException {
        try (ZipInputStream entries = new ZipInputStream(new ByteArrayInputStream(jar))) {
            for (ZipEntry entry; (entry = entries.getNextEntry()) != null; ) {
                PACKED.put(entry.getName(), entries.readAllBytes());
            }
        }
    }

    private static String text(String name) {
        assertTrue(PACKED.containsKey(name), () -> name + " is not packed");
        return new String(PACKED.get(name), StandardCharsets.UTF_8);
    }

    private static Element plugin() throws Exception {
        byte[] xml = PACKED.get("META-INF/plugin.xml");
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml)).getDocumentElement();
    }

    @Test
    void itHoldsOurJarsAndTheOneLibraryAndNothingElse() {
        List<String> jars = FILES.stream().filter(name -> !name.startsWith("wave-bridge/wave-cli/")).sorted().toList();
        assertEquals(3, jars.size(), jars::toString);
        assertTrue(jars.get(0).matches("wave-bridge/lib/core-[\\d.]+\\.jar"), jars.get(0));
        assertTrue(jars.get(1).matches("wave-bridge/lib/ide-[\\d.]+\\.jar"), jars.get(1));
        assertTrue(jars.get(2).matches("wave-bridge/lib/org\\.eclipse\\.lsp4j\\.jsonrpc-[\\d.]+\\.jar"), jars.get(2));
    }

    @Test
    void noStubNoPlatformNoGsonAndNoKotlinIsPacked() {
        List<String> foreign = PACKED.keySet().stream()
                .filter(name -> name.endsWith(".class"))
                .filter(name -> !name.startsWith("dev/wave/bridge/") && !name.startsWith("org/eclipse/lsp4j/jsonrpc/"))
                .toList();
        assertEquals(List.of(), foreign);
    }

    @Test
    void everyClassThatADescriptorNamesIsThereAndEveryDescriptorToo() throws Exception {
        List<String> descriptors = new ArrayList<>(List.of("META-INF/plugin.xml"));
        NodeList optional = plugin().getElementsByTagName("depends");
        for (int at = 0; at < optional.getLength(); at++) {
            String file = ((Element) optional.item(at)).getAttribute("config-file");
            if (!file.isEmpty()) {
                assertTrue(file.startsWith("dev.wave.bridge-"), () -> file + " could be another plugin's");
                descriptors.add("META-INF/" + file);
            }
        }
        NodeList modules = ((Element) plugin().getElementsByTagName("content").item(0)).getElementsByTagName("module");
        for (int at = 0; at < modules.getLength(); at++) {
            descriptors.add(((Element) modules.item(at)).getAttribute("name") + ".xml");
        }
        assertEquals(4, descriptors.size());
        int named = 0;
        for (String descriptor : descriptors) {
            for (Matcher found = OURS.matcher(text(descriptor)); found.find(); named++) {
                text(found.group(1).replace('.', '/') + ".class");
            }
        }
        assertTrue(named >= 9, "classes were looked for");
    }

    @Test
    void thePluginsOwnWordsKeepTheRules() throws Exception {
        Element plugin = plugin();
        assertEquals("dev.wave.bridge", child(plugin, "id"));
        assertEquals(WaveService.PLUGIN, child(plugin, "id"));
        assertFalse(child(plugin, "name").matches("(?i).*(plugin|intellij|jetbrains).*"));
        assertFalse(child(plugin, "vendor").isEmpty());
        assertTrue(child(plugin, "description").replaceAll("<[^>]*>", "").strip().matches("(?s)[\\x20-\\x7e]{40}.*"));
        Element builds = (Element) plugin.getElementsByTagName("idea-version").item(0);
        assertEquals("242", builds.getAttribute("since-build"));
        assertFalse(builds.hasAttribute("until-build"));
        assertEquals("com.intellij.modules.platform", child(plugin, "depends"));
        assertTrue(child(plugin, "version").equals(System.getProperty("plugin.zip").replaceAll(".*-([\\d.]+)\\.zip", "$1")));
    }

    @Test
    void iconsAreThereForLightAndDark() throws Exception {
        for (String icon : List.of("icons/wave", "META-INF/pluginIcon")) {
            text(icon + ".svg");
            text(icon + "_dark.svg");
        }
    }

    private static String child(Element parent, String name) {
        return parent.getElementsByTagName(name).item(0).getTextContent();
    }
}
