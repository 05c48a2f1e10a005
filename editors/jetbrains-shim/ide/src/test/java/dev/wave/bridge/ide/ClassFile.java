package dev.wave.bridge.ide;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The constant pool of a class, as far as it names other classes. */
final class ClassFile {
    private ClassFile() {}

    /** Gives every class name and descriptor in it, with slashes. */
    static List<String> names(byte[] bytes) throws IOException {
        List<String> names = new ArrayList<>();
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        in.readInt();
        in.readInt();
        int count = in.readUnsignedShort();
        for (int at = 1; at < count; at++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> names.add(in.readUTF());
                case 7, 8, 16, 19, 20 -> in.skipBytes(2);
                case 15 -> in.skipBytes(3);
                case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipBytes(4);
                case 5, 6 -> {
                    in.skipBytes(8);
                    at++; // a long takes two places
                }
                default -> throw new IOException("constant " + tag);
            }
        }
        return names;
    }
}
