// Definitions of the Go files named on standard input, by Go's own parser: path, name, first and last line.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

func main() {
	scanner := bufio.NewScanner(os.Stdin)
	for scanner.Scan() {
		path := scanner.Text()
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			continue
		}
		say := func(name string, node ast.Node) {
			first, last := files.Position(node.Pos()).Line, files.Position(node.End()).Line
			fmt.Printf("%s\t%s\t%d\t%d\n", path, name, first, last)
		}
		for _, declaration := range file.Decls {
			switch made := declaration.(type) {
			case *ast.FuncDecl:
				say(made.Name.Name, made)
			case *ast.GenDecl:
				for _, spec := range made.Specs {
					if named, ok := spec.(*ast.TypeSpec); ok {
						if made.Lparen == 0 {
							say(named.Name.Name, made)
						} else {
							say(named.Name.Name, named)
						}
					}
				}
			}
		}
	}
}
