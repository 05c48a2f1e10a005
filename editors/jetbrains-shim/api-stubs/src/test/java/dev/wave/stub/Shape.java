package dev.wave.stub;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What linking looks at in a class file. Names are with slashes. */
record Shape(String name, boolean isInterface, List<String> above, List<Member> members) {
    /** A method or a field that others may call; {@code descriptor} is the JVM's. */
    record Member(String name, String descriptor, boolean isStatic) {
        String shown() {
            return (isStatic ? "static " : "") + name + descriptor;
        }
    }

    static Shape of(byte[] bytes) {
        Reader reader = new Reader();
        new ClassReader(bytes).accept(reader, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
        return new Shape(reader.name, reader.isInterface, reader.above, reader.members);
    }

    private static final class Reader extends ClassVisitor {
        private final List<String> above = new ArrayList<>();
        private final List<Member> members = new ArrayList<>();
        private String name;
        private boolean isInterface;

        Reader() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
            this.name = name;
            isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
            if (parent != null && !parent.equals("java/lang/Object")) {
                above.add(parent);
            }
            above.addAll(List.of(interfaces));
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
            add(access, name, descriptor);
            return null;
        }

        @Override
        public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
            add(access, name, descriptor);
            return null;
        }

        private void add(int access, String name, String descriptor) {
            boolean callable = (access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0;
            if (callable && !name.startsWith("<")) {
                members.add(new Member(name, descriptor, (access & Opcodes.ACC_STATIC) != 0));
            }
        }
    }
}
