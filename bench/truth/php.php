<?php
// Definitions of the PHP files named on standard input, by PHP's own tokenizer: path, name, first line, 0.
while (($path = fgets(STDIN)) !== false) {
    $path = rtrim($path, "\n");
    $tokens = array_values(array_filter(
        token_get_all(file_get_contents($path)),
        fn($token) => !is_array($token) || !in_array($token[0], [T_WHITESPACE, T_COMMENT, T_DOC_COMMENT], true)
    ));
    foreach ($tokens as $at => $token) {
        if (!is_array($token) || !in_array($token[0], [T_FUNCTION, T_CLASS, T_INTERFACE, T_TRAIT, T_ENUM], true)) {
            continue;
        }
        $before = $tokens[$at - 1] ?? null;
        if (is_array($before) && in_array($before[0], [T_DOUBLE_COLON, T_USE, T_NEW, T_OBJECT_OPERATOR], true)) {
            continue;
        }
        $name = $tokens[$at + 1] ?? null;
        $name = $name === '&' || (is_array($name) && $name[1] === '&') ? $tokens[$at + 2] : $name;
        if (is_array($name) && preg_match('/^\w+$/', $name[1]) && !in_array($name[0], [T_EXTENDS, T_IMPLEMENTS], true)) {
            echo implode("\t", [$path, $name[1], $name[2], 0]), "\n";
        }
    }
}
