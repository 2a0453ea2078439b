package cli

import (
	"bytes"
	"testing"
)

func TestPrintMember(t *testing.T) {
	result := map[string]any{
		"id": "0198", "total": 12, "note": "a\x1b[31m\nb", "none": nil, "yes": true,
		"tasks": []any{map[string]any{"id": "first"}, map[string]any{"id": "second"}},
	}
	for path, want := range map[string]string{
		"id": "0198\n", "total": "12\n", "note": "a\\x1b[31m\\nb\n", "none": "null\n", "yes": "true\n",
		"tasks.1.id": "second\n", "tasks.0": "{\"id\":\"first\"}\n",
		"tasks.2": "", "tasks.-1": "", "tasks.x": "", "name": "", "id.x": "", "": "",
	} {
		var out bytes.Buffer
		a := New(Streams{Out: &out, Err: &out}, nil)
		a.field = path
		err := a.printMember(result)
		if (err == nil) != (want != "") || out.String() != want {
			t.Errorf("member %q is %q, %v, want %q", path, out.String(), err, want)
		}
	}
}
