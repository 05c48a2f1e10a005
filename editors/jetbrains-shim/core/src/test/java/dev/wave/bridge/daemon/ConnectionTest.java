package dev.wave.bridge.daemon;

import static dev.wave.bridge.House.within;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.wave.bridge.House;
import dev.wave.bridge.House.Ear;
import dev.wave.bridge.generated.BridgeApi;
import dev.wave.bridge.generated.BridgeApi.BridgeRequests;
import dev.wave.bridge.generated.BridgeApi.MentionPart;
import dev.wave.bridge.generated.BridgeApi.OfSession;
import dev.wave.bridge.generated.BridgeApi.SessionNew;
import dev.wave.bridge.generated.BridgeApi.TextPart;
import dev.wave.bridge.generated.BridgeApi.TurnStart;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** A conversation with the real daemon and the embedded CLI, as an IDE has it. */
@TestInstance(Lifecycle.PER_CLASS)
class ConnectionTest {
    private House house;
    private Ear ear;

    @BeforeAll
    void build(@TempDir Path root) throws Exception {
        house = new House(root);
    }

    @BeforeEach
    void listen() {
        ear = new Ear();
    }

    @AfterEach
    void leave() throws Exception {
        house.leave();
    }

    @AfterAll
    void tearDown() throws Exception {
        house.close();
    }

    private static SessionNew newSession(House house) {
        return new SessionNew(
                house.project.toString(), null, null, null, null, null, null, null, null, null, null, null);
    }

    private String session(Connection connection) throws Exception {
        return within(connection.ask(BridgeRequests.SESSION_NEW, newSession(house))).sessionId();
    }

    private static void say(Connection connection, String session, BridgeApi.Part... parts) throws Exception {
        within(connection.ask(BridgeRequests.TURN_START, new TurnStart(session, "t-" + parts.hashCode(), List.of(parts))));
    }

    @Test
    void theBridgeSaysWhatItCan() throws Exception {
        Connection connection = house.connect(ear);
        BridgeApi.Abilities abilities = within(connection.initialize(House.introduction(), Limits.INITIALIZE));
        assertEquals(1, abilities.version());
        assertTrue(abilities.methods().contains("wave/panel/open"), abilities::toString);
        assertEquals("ready", ear.hear(said -> said.method().equals("wave/agent/status") && said.params()
                .getAsJsonObject().get("state").getAsString().equals("ready")).params().getAsJsonObject().get("state").getAsString());
    }

    @Test
    void anAnswerOfThreeMegabytesWithChineseAndEmojiArrivesWhole() throws Exception {
        Connection connection = house.greet(ear);
        String said = "流式输出 😀👩‍👩‍👧 \u2028 </script> ".repeat(80_000);
        String session = session(connection);
        say(connection, session, new TextPart("[[{\"text\": " + Wire.text(Wire.encode(new com.google.gson.JsonPrimitive(said))) + "}]]"));
        assertEquals(said, ear.answer());
        assertTrue(said.getBytes(java.nio.charset.StandardCharsets.UTF_8).length > 3_000_000);
    }

    @Test
    @Tag("M1.2")
    void theBridgeMayAskWhileARequestOfOursRuns() throws Exception {
        CompletableFuture<String> asked = new CompletableFuture<>();
        Connection connection = house.greet(new Ear() {
            @Override
            public CompletableFuture<JsonElement> asked(String method, JsonElement params) {
                asked.complete(Wire.text(params));
                return CompletableFuture.completedFuture(
                        Wire.parse("{'terminal': {'source': 'screen', 'text': 'what stands there'}}"));
            }

            @Override
            public void told(String method, JsonElement params) {
                ear.told(method, params);
            }
        }, "terminal");
        String session = session(connection);
        say(connection, session, new TextPart("look "), new MentionPart("terminal"));
        assertEquals("{\"kinds\":[\"terminal\"]}", within(asked));
        assertTrue(ear.answer().contains("what stands there"));
    }

    @Test
    void anErrorKeepsItsCodeAndItsKind() throws Exception {
        Connection connection = house.greet(ear);
        OfSession nobody = new OfSession("00000000-0000-0000-0000-000000000000");
        Refusal refusal = assertInstanceOf(Refusal.class, fault(connection.ask(BridgeRequests.SESSION_SNAPSHOT, nobody)));
        assertEquals(-31006, refusal.code());
        assertEquals("sessionNotFound", refusal.kind());
        Throwable unknown = fault(connection.ask("wave/no/such", new JsonObject(), Limits.REQUEST));
        assertEquals(Refusal.METHOD_NOT_FOUND, assertInstanceOf(Refusal.class, unknown).code());
    }

    @Test
    void aCancelledRequestIsCancelledAtTheBridge() throws Exception {
        String daemon = house.python(
                "mute",
                "import sys",
                "while line := sys.stdin.buffer.readline():",
                "    if line.startswith(b'Content-Length'):",
                "        body = sys.stdin.buffer.read(int(line.split(b':')[1]) + 2)",
                "        print(body.decode(), file=sys.stderr, flush=True)");
        Connection connection = house.connect(ear, daemon);
        CompletableFuture<BridgeApi.DaemonStatus> asked =
                connection.ask(BridgeRequests.DAEMON_STATUS, new BridgeApi.Nothing());
        house.logged("wave/daemon/status");
        asked.cancel(true);
        house.logged("$/cancelRequest");
    }

    @Test
    void aRequestThatIsNotAnsweredEnds() throws Exception {
        Connection connection = house.connect(ear, house.program("silent", "#!/bin/sh", "cat >/dev/null"));
        Throwable fault = fault(connection.initialize(House.introduction(), java.time.Duration.ofMillis(200)));
        assertInstanceOf(java.util.concurrent.TimeoutException.class, fault);
    }

    @Test
    @Tag("T4.7")
    void whenItEndsEveryOpenRequestFailsWithItsLastWords() throws Exception {
        String daemon = house.program("dies", "#!/bin/sh", "read -r _", "echo 'no such module' >&2", "exit 3");
        Connection connection = house.connect(ear, daemon);
        CompletableFuture<?> first = connection.initialize(House.introduction(), Limits.INITIALIZE);
        CompletableFuture<?> second = connection.ask(BridgeRequests.DAEMON_STATUS, new BridgeApi.Nothing());
        for (CompletableFuture<?> request : List.of(first, second)) {
            assertEquals(daemon + " ended with code 3:\nno such module", lost(request));
        }
        CompletableFuture<?> late = connection.ask(BridgeRequests.DAEMON_STATUS, new BridgeApi.Nothing());
        assertEquals(daemon + " ended with code 3:\nno such module", lost(late));
    }

    @Test
    void anEndDuringARequestToTheRealBridgeIsSaid() throws Exception {
        Connection connection = house.greet(ear);
        session(connection);
        ProcessHandle.of(connection.pid()).orElseThrow().destroyForcibly();
        assertTrue(within(connection.ended()).contains("ended with code"));
        assertTrue(lost(connection.ask(BridgeRequests.DAEMON_STATUS, new BridgeApi.Nothing())).contains("ended with code"));
    }

    @Test
    void aProgramThatIsNotThereIsNamed() {
        DaemonLost fault = assertThrows(DaemonLost.class, () -> house.connect(ear, "/no/such/wave-bridge"));
        assertTrue(fault.getMessage().startsWith("/no/such/wave-bridge: "), fault::getMessage);
    }

    @Test
    void aFloodOnStderrBlocksNothingAndOnlyItsEndIsKept() throws Exception {
        String daemon = house.program(
                "flood", "#!/bin/sh", "i=0", "while [ $i -lt 40000 ]; do echo \"line $i of a very chatty program, which goes on\"; i=$((i+1)); done >&2", "exit 1");
        String reason = within(house.connect(ear, daemon).ended());
        assertTrue(reason.endsWith("line 39999 of a very chatty program, which goes on"), reason);
        assertTrue(reason.length() < Limits.STDERR_TAIL + 200, () -> "kept " + reason.length());
        assertTrue(house.log.length() > 2_000_000, "the log has it all");
    }

    @Test
    void aBannerOnStdoutIsPassedOver() throws Exception {
        String daemon = house.program("banner", "#!/bin/sh", "echo 'Welcome to this machine.'", "echo 'Be nice: always.'",
                "exec " + House.BRIDGE + " --stdio");
        Connection connection = house.connect(ear, daemon);
        assertEquals(1, within(connection.initialize(House.introduction(), Limits.INITIALIZE)).version());
    }

    @Test
    void closingTakesNoLongerThanItsSteps() throws Exception {
        String daemon = house.program("stays", "#!/bin/sh", "trap '' TERM", "while :; do sleep 0.1; done");
        Connection connection = house.connect(ear, daemon);
        long start = System.nanoTime();
        connection.close();
        connection.close();
        long milliseconds = (System.nanoTime() - start) / 1_000_000;
        assertTrue(milliseconds < 5 * Limits.CLOSE_STEP.toMillis(), () -> milliseconds + " ms");
        assertTrue(within(connection.ended()).contains("ended with code"));
    }

    @Test
    void twoProjectsShareOneDaemonWhichOutlivesThem() throws Exception {
        Connection first = house.greet(ear);
        Connection second = house.greet(new Ear());
        session(first);
        session(second);
        long one = within(first.ask(BridgeRequests.DAEMON_STATUS, new BridgeApi.Nothing())).pid();
        BridgeApi.DaemonStatus status = within(second.ask(BridgeRequests.DAEMON_STATUS, new BridgeApi.Nothing()));
        assertEquals(one, status.pid());
        assertTrue(status.clients().size() >= 2, status::toString);
        assertEquals(1, status.agents().size(), "one CLI for both");
        first.close();
        second.close();
        assertEquals(one, house.status().getAsJsonArray().get(0).getAsJsonObject().get("pid").getAsLong());
    }

    private static Throwable fault(CompletableFuture<?> future) {
        Exception fault = assertThrows(ExecutionException.class, () -> within(future));
        return Connection.cause(fault.getCause() == null ? new CompletionException(fault) : fault.getCause());
    }

    private static String lost(CompletableFuture<?> future) {
        return assertInstanceOf(DaemonLost.class, fault(future)).getMessage();
    }
}
