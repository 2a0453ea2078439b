// Package identifiers finds the identifiers of a Go file that are not in the field's words.
package identifiers

import (
	"go/ast"
	"regexp"
)

var (
	// words begin identifiers that describe how a value was obtained instead of what it is.
	words = regexp.MustCompile(`^(who|known|held|asked|begun|took|own|fits|tell|given|said|made|most|least|kept|found|seen|shown|answer)($|[A-Z0-9_])`)
	// idioms are Go's names for the result of a look-up and for a set of visited values.
	idioms = regexp.MustCompile(`^(found|seen)$`)
)

// Odd returns the identifiers that begin with one of the words, in the order of the file. The idioms are
// allowed for local variables, parameters and results, but not for fields, methods, types and declarations
// of the package.
func Odd(file *ast.File) []*ast.Ident {
	others := make(map[*ast.Ident]bool) // identifiers that do not name a local variable
	for _, declaration := range file.Decls {
		if general, ok := declaration.(*ast.GenDecl); ok {
			for _, spec := range general.Specs {
				if value, ok := spec.(*ast.ValueSpec); ok {
					add(others, value.Names...)
				}
			}
		}
	}
	var odd []*ast.Ident
	ast.Inspect(file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.FuncDecl:
			add(others, n.Name)
		case *ast.TypeSpec:
			add(others, n.Name)
		case *ast.StructType:
			addFields(others, n.Fields)
		case *ast.InterfaceType:
			addFields(others, n.Methods)
		case *ast.SelectorExpr:
			add(others, n.Sel)
		case *ast.Ident:
			if words.MatchString(n.Name) && (others[n] || !idioms.MatchString(n.Name)) {
				odd = append(odd, n)
			}
		}
		return true
	})
	return odd
}

func add(set map[*ast.Ident]bool, names ...*ast.Ident) {
	for _, name := range names {
		set[name] = true
	}
}

func addFields(set map[*ast.Ident]bool, fields *ast.FieldList) {
	for _, field := range fields.List {
		add(set, field.Names...)
	}
}
