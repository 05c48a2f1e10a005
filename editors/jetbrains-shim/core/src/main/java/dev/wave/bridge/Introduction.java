package dev.wave.bridge;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.wave.bridge.daemon.Wire;
import dev.wave.bridge.generated.BridgeApi.Cli;
import dev.wave.bridge.generated.BridgeApi.ClientName;
import dev.wave.bridge.generated.BridgeApi.InitializationOptions;
import java.nio.file.Path;
import java.util.List;

/**
 * What an IDE says of itself in {@code initialize} (docs/PROTOCOL.md, Connecting).
 *
 * @param product such as {@code IntelliJ IDEA}, with its version
 * @param cliPath the user's setting; null: none
 * @param cliBundled the folder that the plugin brings its CLI in; null: it was built without one
 * @param terminal whether this IDE has a terminal that can be read
 */
public record Introduction(
        String product,
        String version,
        String locale,
        List<Path> folders,
        String cliPath,
        String cliBundled,
        JsonObject settings,
        boolean terminal) {
    /** The folder of the copied CLI is named by this ({@code ~/.wave/cli/jetbrains}, T3.3). */
    public static final String ID = "jetbrains";

    /** Gives the parameters of {@code initialize}; the IDE's own runtime is a place to look for Node in (T2.8). */
    public JsonObject params() {
        JsonObject wave = new JsonObject();
        wave.addProperty("version", 1);
        wave.addProperty("panels", true);
        wave.addProperty("problems", true);
        wave.addProperty("terminal", terminal);
        JsonObject experimental = new JsonObject();
        experimental.add("wave", wave);
        JsonObject capabilities = new JsonObject();
        capabilities.add("experimental", experimental);
        JsonObject params = new JsonObject();
        params.addProperty("processId", ProcessHandle.current().pid());
        params.addProperty("locale", locale);
        params.add("rootUri", JsonNull.INSTANCE);
        params.add("workspaceFolders", workspaceFolders());
        params.add("capabilities", capabilities);
        params.add("initializationOptions", Wire.encode(new InitializationOptions(
                new ClientName(product, version, ID), new Cli(cliPath, cliBundled, System.getProperty("java.home")), settings)));
        return params;
    }

    private JsonArray workspaceFolders() {
        JsonArray found = new JsonArray();
        for (Path folder : folders) {
            JsonObject one = new JsonObject();
            one.addProperty("uri", folder.toUri().toString());
            one.addProperty("name", String.valueOf(folder.getFileName()));
            found.add(one);
        }
        return found;
    }
}
