// Definitions of the files named on standard input, by the TypeScript compiler: path, name, first and last line.
// The compiler's folder (npm pack typescript, unpacked) is the argument.
const ts = require(process.argv[2]);
const fs = require("fs");
const K = ts.SyntaxKind;
const DEFINED = new Set([
  K.FunctionDeclaration, K.ClassDeclaration, K.MethodDeclaration, K.InterfaceDeclaration, K.EnumDeclaration,
  K.TypeAliasDeclaration, K.ModuleDeclaration, K.GetAccessor, K.SetAccessor, K.MethodSignature,
]);
const FUNCTIONS = new Set([K.FunctionExpression, K.ArrowFunction, K.ClassExpression]);
const FREE = new Set([K.SourceFile, K.ModuleBlock]);

function walk(path, file, node, depth) {
  let name;
  if (DEFINED.has(node.kind) && node.name && depth === 0) name = node.name.text;
  const value = node.initializer;
  const isBound = node.kind === K.VariableDeclaration || node.kind === K.PropertyDeclaration;
  if (isBound && value && FUNCTIONS.has(value.kind) && depth === 0) name = node.name.text;
  if (node.kind === K.BinaryExpression && node.operatorToken.kind === K.EqualsToken && depth === 0) {
    if (FUNCTIONS.has(node.right.kind) && node.left.kind === K.PropertyAccessExpression) name = node.left.name.text;
    // What is exported as a whole is called by its own name, if it has one.
    if (name === "exports" && node.right.name) name = node.right.name.text;
  }
  if (name) {
    const first = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
    const last = file.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
    console.log([path, name, first, last].join("\t"));
  }
  // What stands inside the body of a function is local.
  const inner = ts.isFunctionLike(node) && node.body ? 1 : 0;
  ts.forEachChild(node, (child) => walk(path, file, child, depth + (inner && child === node.body ? 1 : 0)));
}

for (const path of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const file = ts.createSourceFile(path, fs.readFileSync(path, "utf8"), ts.ScriptTarget.Latest, false);
  walk(path, file, file, 0);
}
