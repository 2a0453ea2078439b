package site

import (
	"bytes"
	"encoding/json"
	"fmt"

	"gopkg.in/yaml.v3"
)

// yamlToJSON converts a YAML document to JSON with the same order of members.
func yamlToJSON(document []byte) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(document, &root); err != nil {
		return nil, err
	}
	var compact, indented bytes.Buffer
	if err := writeNode(&compact, &root); err != nil {
		return nil, err
	}
	if err := json.Indent(&indented, compact.Bytes(), "", " "); err != nil {
		return nil, err
	}
	indented.WriteByte('\n')
	return indented.Bytes(), nil
}

func writeNode(w *bytes.Buffer, node *yaml.Node) error {
	switch node.Kind {
	case yaml.DocumentNode:
		return writeNode(w, node.Content[0])
	case yaml.MappingNode:
		return writeMembers(w, node.Content)
	case yaml.SequenceNode:
		return writeItems(w, node.Content)
	case yaml.ScalarNode:
		return writeScalar(w, node)
	case yaml.AliasNode:
	}
	return fmt.Errorf("line %d: an alias, which the document does without", node.Line)
}

// writeMembers writes the members of an object; content alternates names and values.
func writeMembers(w *bytes.Buffer, content []*yaml.Node) error {
	w.WriteByte('{')
	for i := 0; i < len(content); i += 2 {
		if i > 0 {
			w.WriteByte(',')
		}
		if err := writeValue(w, content[i].Value); err != nil {
			return err
		}
		w.WriteByte(':')
		if err := writeNode(w, content[i+1]); err != nil {
			return err
		}
	}
	w.WriteByte('}')
	return nil
}

func writeItems(w *bytes.Buffer, content []*yaml.Node) error {
	w.WriteByte('[')
	for i, item := range content {
		if i > 0 {
			w.WriteByte(',')
		}
		if err := writeNode(w, item); err != nil {
			return err
		}
	}
	w.WriteByte(']')
	return nil
}

func writeScalar(w *bytes.Buffer, node *yaml.Node) error {
	if tag := node.ShortTag(); tag == "!!str" || tag == "!!timestamp" {
		return writeValue(w, node.Value) // JSON has no time type: the text is copied
	}
	var value any
	if err := node.Decode(&value); err != nil {
		return err
	}
	return writeValue(w, value)
}

func writeValue(w *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}
