package cli

import (
	"encoding/json"
	"strconv"
	"strings"
)

// printMember prints the part of a result at a path of member names and array indexes: a string
// without quotes, any other value as JSON. Shell scripts can use it instead of a JSON parser.
func (a *App) printMember(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var found any
	if err := json.Unmarshal(raw, &found); err != nil {
		return err
	}
	for name := range strings.SplitSeq(a.field, ".") {
		next, ok := memberOf(found, name)
		if !ok {
			return Fail(ExitFailed, "the result has no member %s", a.field).WithHint("--json shows the whole result")
		}
		found = next
	}
	if text, ok := found.(string); ok {
		return a.Write([]byte(OneLine(text) + "\n"))
	}
	text, err := EncodeJSON(found, "")
	if err != nil {
		return err
	}
	return a.Write(text)
}

// memberOf returns the member of an object with this name, or the array element with this index.
func memberOf(v any, name string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		member, ok := v[name]
		return member, ok
	case []any:
		place, err := strconv.Atoi(name)
		if err != nil || place < 0 || place >= len(v) {
			return nil, false
		}
		return v[place], true
	default:
		return nil, false
	}
}
