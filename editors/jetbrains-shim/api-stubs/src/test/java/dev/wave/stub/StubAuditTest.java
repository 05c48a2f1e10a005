package dev.wave.stub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.wave.stub.Shape.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Each stub against the real class, wherever a registry has it; the others stand in STUBS.md with their source, for a
 * person to check. javac is content with a wrong return type, an IDE is not.
 */
class StubAuditTest {
    private static final Path STUBS = Path.of("target/classes");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([\\w.$]+)` \\|");

    private static final Map<String, Shape> REAL = new TreeMap<>();
    private static final List<Shape> WRITTEN = new ArrayList<>();

    @BeforeAll
    static void read() throws IOException {
        try (Stream<Path> files = Files.walk(STUBS)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".class")).toList()) {
                Shape shape = Shape.of(Files.readAllBytes(file));
                if (!shape.name().equals("dev/wave/stub/Stub")) {
                    WRITTEN.add(shape);
                }
            }
        }
        try (Stream<Path> jars = Files.list(Path.of(System.getProperty("witness")))) {
            for (Path jar : jars.toList()) {
                readJar(jar);
            }
        }
    }

    private static void readJar(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream().filter(entry -> entry.getName().endsWith(".class")).toList()) {
                if (Stream.of("com/intellij/", "org/cef/", "kotlinx/").anyMatch(entry.getName()::startsWith)) {
                    Shape shape = Shape.of(zip.getInputStream(entry).readAllBytes());
                    REAL.putIfAbsent(shape.name(), shape);
                }
            }
        }
    }

    /** Gives the members of a class and of all above it that the witnesses have. */
    private static List<Member> members(String name) {
        Shape real = REAL.get(name);
        if (real == null) {
            return List.of();
        }
        List<Member> found = new ArrayList<>(real.members());
        real.above().forEach(above -> found.addAll(members(above)));
        return found;
    }

    @Test
    void whereAWitnessHasAMemberOfThatNameItHasTheVeryOne() {
        List<String> wrong = new ArrayList<>();
        int agreed = 0;
        for (Shape stub : WRITTEN) {
            Shape real = REAL.get(stub.name());
            if (real == null) {
                continue;
            }
            if (real.isInterface() != stub.isInterface()) {
                wrong.add(stub.name() + " is " + (real.isInterface() ? "an interface" : "a class"));
            }
            for (Member member : stub.members()) {
                List<Member> named = members(stub.name()).stream()
                        .filter(other -> other.name().equals(member.name()))
                        .toList();
                if (named.contains(member)) {
                    agreed++;
                } else if (!named.isEmpty()) { // none at all proves nothing: the compiler's copy is shrunk
                    wrong.add(stub.name() + "." + member.shown() + " is " + named.stream().map(Member::shown).toList());
                }
            }
        }
        assertEquals(List.of(), wrong);
        int seen = agreed;
        assertTrue(seen >= 50, () -> "only " + seen + " members had a witness");
    }

    @Test
    void whatIsExtendedOrImplementedIsSoInReality() {
        List<String> wrong = new ArrayList<>();
        for (Shape stub : WRITTEN) {
            for (String above : stub.above()) {
                if (REAL.containsKey(stub.name()) && REAL.containsKey(above) && !reaches(stub.name(), above)) {
                    wrong.add(stub.name() + " is no " + above);
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static boolean reaches(String name, String wanted) {
        Shape real = REAL.get(name);
        return real != null && real.above().stream().anyMatch(above -> above.equals(wanted) || reaches(above, wanted));
    }

    @Test
    void theTableNamesExactlyTheStubsWithoutAWitness() throws IOException {
        TreeSet<String> unseen = new TreeSet<>();
        WRITTEN.stream()
                .filter(stub -> !REAL.containsKey(stub.name()))
                .filter(stub -> !stub.name().contains("$")) // a nested one is in its class's row
                .forEach(stub -> unseen.add(stub.name().replace('/', '.')));
        TreeSet<String> named = new TreeSet<>();
        for (Matcher row = ROW.matcher(Files.readString(Path.of(System.getProperty("table")))); row.find(); ) {
            named.add(row.group(1));
        }
        assertEquals(unseen, named);
    }
}
