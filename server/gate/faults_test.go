package gate

import (
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"taskmarket"
)

// Every request pattern in openapi.yaml has a description in words. Without one, the client would
// only get "has the wrong form".
func TestRequestPatternsAreDescribedInWords(t *testing.T) {
	t.Parallel()
	spec, err := openapi3.NewLoader().LoadFromData(taskmarket.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for path, item := range spec.Paths.Map() {
		for method, op := range item.Operations() {
			for _, p := range append(item.Parameters, op.Parameters...) {
				checkPatterns(t, method+" "+path+" "+p.Value.Name, p.Value.Schema, seen)
			}
			if op.RequestBody == nil {
				continue
			}
			for _, media := range op.RequestBody.Value.Content {
				checkPatterns(t, method+" "+path, media.Schema, seen)
			}
		}
	}
	for pattern := range patternRules {
		if !seen[pattern] {
			t.Errorf("no request has the pattern %s", pattern)
		}
	}
}

func checkPatterns(t *testing.T, where string, ref *openapi3.SchemaRef, seen map[string]bool) {
	t.Helper()
	if ref == nil || ref.Value == nil {
		return
	}
	if pattern := ref.Value.Pattern; pattern != "" {
		seen[pattern] = true
		if _, ok := patternRules[pattern]; !ok {
			t.Errorf("%s: the pattern %s has no rule in words", where, pattern)
		}
	}
	for name, member := range ref.Value.Properties {
		checkPatterns(t, where+"."+name, member, seen)
	}
	for _, part := range ref.Value.AllOf {
		checkPatterns(t, where, part, seen)
	}
	checkPatterns(t, where+"[]", ref.Value.Items, seen)
}

func TestValidationMessageNamesTheFirstFaultAndCountsTheOthers(t *testing.T) {
	t.Parallel()
	schema := openapi3.NewObjectSchema().
		WithProperty("amount", openapi3.NewStringSchema().WithPattern(`^(0|[1-9][0-9]{0,77})$`)).
		WithProperty("role", openapi3.NewStringSchema().WithEnum("agent", "human")).
		WithProperty("title", openapi3.NewStringSchema().WithMaxLength(3))
	tests := map[string]struct {
		body map[string]any
		want string
	}{
		"pattern":    {map[string]any{"amount": "-1"}, "amount: must be a whole number in decimal digits, without a sign or leading zeros"},
		"enum":       {map[string]any{"role": "x"}, "role: must be one of: agent, human"},
		"two faults": {map[string]any{"role": "x", "title": "long"}, "role: must be one of: agent, human (and 1 more problem)"},
		"three faults": {
			map[string]any{"role": "x", "title": "long", "amount": "x"},
			"amount: must be a whole number in decimal digits, without a sign or leading zeros (and 2 more problems)",
		},
	}
	for name, test := range tests {
		err := faultsOf(schema.VisitJSON(test.body, openapi3.MultiErrors()))
		if refusal := RefusalOf(err); refusal == nil || messageOf(refusal) != test.want {
			t.Errorf("%s: faultsOf() = %v, want %s", name, err, test.want)
		}
	}
}

func TestFormatsAreDescribedInWords(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"date-time", "uuid", "uri"} {
		if words := describeFormat(format); strings.Contains(words, "valid "+format) {
			t.Errorf("describeFormat(%q) = %q", format, words)
		}
	}
}
