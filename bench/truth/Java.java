import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import javax.tools.*;

/** Definitions of the Java files named on standard input, by javac's parser: path, name, first and last line. */
public class Java {
    public static void main(String[] arguments) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(d -> {}, null, null);
        for (String path : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, d -> {}, List.of(), null, files.getJavaFileObjects(Path.of(path)));
            SourcePositions places = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new TreePathScanner<Void, Void>() {
                    void say(Tree tree, String name) {
                        long first = places.getStartPosition(unit, tree), last = places.getEndPosition(unit, tree);
                        LineMap map = unit.getLineMap();
                        if (first >= 0 && last >= 0 && !name.isEmpty()) {
                            System.out.println(String.join("\t", path, name, "" + map.getLineNumber(first),
                                    "" + map.getLineNumber(last)));
                        }
                    }

                    @Override
                    public Void visitClass(ClassTree tree, Void none) {
                        say(tree, tree.getSimpleName().toString());
                        return super.visitClass(tree, none);
                    }

                    @Override
                    public Void visitMethod(MethodTree tree, Void none) {
                        String name = tree.getName().toString();
                        say(tree, name.equals("<init>") ? "" : name);
                        return super.visitMethod(tree, none);
                    }
                }.scan(unit, null);
            }
        }
    }
}
