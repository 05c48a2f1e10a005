package dev.wave.bridge.ide;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Loads the glue as an IDE does that lacks some classes: anew, and those are not found. */
final class Absent extends ClassLoader {
    private final List<String> absent;

    Absent(String... prefixes) {
        super(Absent.class.getClassLoader());
        absent = List.of(prefixes);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (absent.stream().anyMatch(name::startsWith)) {
            throw new ClassNotFoundException(name);
        }
        boolean anew = name.startsWith("dev.wave.bridge.") || name.startsWith("com.intellij.");
        if (!anew || findLoadedClass(name) != null) {
            return super.loadClass(name, resolve);
        }
        try (InputStream stream = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (stream == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = stream.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException fault) {
            throw new ClassNotFoundException(name, fault);
        }
    }
}
