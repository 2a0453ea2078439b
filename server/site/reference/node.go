package reference

import (
	"iter"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// node is a YAML value that preserves the order of fields. The zero node is an absent value: it has
// no text, no fields and no items.
type node struct{ root, here *yaml.Node }

func parse(document []byte) (node, error) {
	var tree yaml.Node
	if err := yaml.Unmarshal(document, &tree); err != nil {
		return node{}, err
	}
	if len(tree.Content) == 0 {
		return node{}, nil
	}
	return node{tree.Content[0], tree.Content[0]}, nil
}

// ok reports whether the value is present.
func (n node) ok() bool { return n.here != nil }

// at follows a path of names and indexes and resolves references on the way.
func (n node) at(names ...string) node {
	for _, name := range names {
		n = n.child(name).target()
	}
	return n
}

// child returns the named field without resolving a reference.
func (n node) child(name string) node {
	if i, err := strconv.Atoi(name); err == nil && n.ok() && n.here.Kind == yaml.SequenceNode && i < len(n.here.Content) {
		return node{n.root, n.here.Content[i]}
	}
	for each, value := range n.children() {
		if each == name {
			return value
		}
	}
	return node{}
}

// ref returns the name of the component that the value refers to, or "" if it is not a reference.
func (n node) ref() string {
	if !n.ok() || n.here.Kind != yaml.MappingNode || len(n.here.Content) == 0 || n.here.Content[0].Value != "$ref" {
		return ""
	}
	path := n.here.Content[1].Value
	return path[strings.LastIndex(path, "/")+1:]
}

// target resolves a reference; it returns other values unchanged.
func (n node) target() node {
	if n.ref() == "" {
		return n
	}
	path := strings.TrimPrefix(n.here.Content[1].Value, "#/")
	return node{n.root, n.root}.at(strings.Split(path, "/")...)
}

// children returns the names and values of an object, without resolving references.
func (n node) children() iter.Seq2[string, node] {
	return func(yield func(string, node) bool) {
		if !n.ok() || n.here.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.here.Content); i += 2 {
			if !yield(n.here.Content[i].Value, node{n.root, n.here.Content[i+1]}) {
				return
			}
		}
	}
}

// members returns the names and values of an object.
func (n node) members() iter.Seq2[string, node] {
	return func(yield func(string, node) bool) {
		for name, value := range n.children() {
			if !yield(name, value.target()) {
				return
			}
		}
	}
}

// items returns the values of a list.
func (n node) items() iter.Seq[node] {
	return func(yield func(node) bool) {
		if !n.ok() || n.here.Kind != yaml.SequenceNode {
			return
		}
		for _, item := range n.here.Content {
			if !yield((node{n.root, item}).target()) {
				return
			}
		}
	}
}

// value returns the text of a scalar.
func (n node) value() string {
	if !n.ok() || n.here.Kind != yaml.ScalarNode {
		return ""
	}
	return n.here.Value
}

// text returns the text of the named field.
func (n node) text(name string) string { return n.at(name).value() }

// texts returns the texts of the named list.
func (n node) texts(name string) []string {
	var list []string
	for item := range n.at(name).items() {
		list = append(list, item.value())
	}
	return list
}

// decoded returns the value as a Go value.
func (n node) decoded() any {
	var value any
	if n.ok() && n.here.Decode(&value) != nil {
		return nil
	}
	return value
}
