package gate

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	"taskmarket/market"
)

// maxDetails is the maximum number of faults in a response.
const maxDetails = 20

// faultsOf converts the validator's error to one error that lists each fault.
func faultsOf(err error) error {
	var details []market.Detail
	collect(err, "", &details)
	slices.SortStableFunc(details, func(a, b market.Detail) int { return strings.Compare(a.Field, b.Field) })
	details = slices.Compact(details)
	refusal := &market.Error{Kind: market.KindInvalid, Details: details, Cause: err}
	switch len(details) {
	case 0:
		refusal.Message = "the request does not match this operation"
	case 1:
		refusal.Message = details[0].Field + ": " + details[0].Message
	case 2:
		refusal.Message = details[0].Field + ": " + details[0].Message + " (and 1 more problem)"
		refusal.Hint = "correct every field that details lists"
	default:
		refusal.Message = fmt.Sprintf("%s: %s (and %d more problems)", details[0].Field, details[0].Message, len(details)-1)
		refusal.Hint = "correct every field that details lists"
	}
	return refusal
}

// collect walks the validator's tree of errors, and appends a detail for each fault.
func collect(err error, parameter string, details *[]market.Detail) {
	if err == nil || len(*details) == maxDetails {
		return
	}
	switch e := err.(type) { //nolint:errorlint // the walk visits each node itself
	case openapi3.MultiError:
		for _, each := range e {
			collect(each, parameter, details)
		}
	case *openapi3filter.RequestError:
		collectRequest(e, details)
	case *openapi3.SchemaError:
		collectSchema(e, parameter, details)
	default:
		if inner := errors.Unwrap(err); inner != nil {
			collect(inner, parameter, details)
			return
		}
		*details = append(*details, market.Detail{Field: fieldOf(parameter, nil), Code: "type", Message: "has the wrong type"})
	}
}

func collectRequest(e *openapi3filter.RequestError, details *[]market.Detail) {
	name := ""
	if e.Parameter != nil {
		name = e.Parameter.Name
	}
	switch {
	case errors.Is(e.Err, openapi3filter.ErrInvalidRequired):
		*details = append(*details, market.Detail{Field: fieldOf(name, nil), Code: "required", Message: "is required"})
	case errors.Is(e.Err, openapi3filter.ErrInvalidEmptyValue):
		*details = append(*details, market.Detail{Field: fieldOf(name, nil), Code: "empty", Message: "must not be empty"})
	default:
		collect(e.Err, name, details)
	}
}

// unknownMember extracts the name of an unknown field from the validator's message, the only place
// where it is available. Names with characters outside the pattern are not returned to the client.
var unknownMember = regexp.MustCompile(`^property "([A-Za-z0-9_.-]{1,64})" is unsupported$`)

func collectSchema(e *openapi3.SchemaError, parameter string, details *[]market.Detail) {
	// allOf only wraps the error of one of its parts.
	if e.Origin != nil && e.SchemaField == "allOf" {
		collect(e.Origin, parameter, details)
		return
	}
	pointer := e.JSONPointer()
	if name := unknownMember.FindStringSubmatch(e.Reason); name != nil {
		pointer = append(pointer, name[1])
	}
	*details = append(*details, market.Detail{
		Field: fieldOf(parameter, pointer), Code: codeOf(e), Message: describe(e),
	})
}

// fieldOf returns the name of a parameter, the path of a field (files.0.name), or "body".
func fieldOf(parameter string, pointer []string) string {
	if parameter != "" {
		pointer = append([]string{parameter}, pointer...)
	}
	if len(pointer) == 0 {
		return "body"
	}
	return strings.Join(pointer, ".")
}

// codeOf returns the name of the violated rule.
func codeOf(e *openapi3.SchemaError) string {
	switch e.SchemaField {
	case "properties", "additionalProperties":
		return "unknown_member"
	case "":
		return "invalid"
	}
	return e.SchemaField
}

// describe returns the violated rule in words. It omits Go types, and the value, which could be a
// secret in the wrong field.
func describe(e *openapi3.SchemaError) string {
	schema := e.Schema
	switch e.SchemaField {
	case "required":
		return "is required"
	case "properties", "additionalProperties":
		return "unknown field"
	case "type":
		return "must be of type " + strings.Join(schema.Type.Slice(), " or ")
	case "format":
		return describeFormat(schema.Format)
	case "pattern":
		return describePattern(schema.Pattern)
	case "enum":
		return describeEnum(schema.Enum)
	case "minLength":
		return "must have at least " + plural(schema.MinLength, "character")
	case "maxLength":
		return "must have at most " + plural(*schema.MaxLength, "character")
	case "minimum":
		return fmt.Sprintf("must be at least %v", *schema.Min)
	case "maximum":
		return fmt.Sprintf("must be at most %v", *schema.Max)
	case "minItems":
		return "must have at least " + plural(schema.MinItems, "item")
	case "maxItems":
		return "must have at most " + plural(*schema.MaxItems, "item")
	case "uniqueItems":
		return "must not contain the same item twice"
	case "nullable":
		return "must not be null"
	}
	return "is invalid"
}

// plural returns a number with a noun: "1 item", "2 items".
func plural(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// patternRules describes in words each pattern that openapi.yaml uses in requests.
var patternRules = map[string]string{
	`^(0|[1-9][0-9]{0,77})$`:                                         "must be a whole number in decimal digits, without a sign or leading zeros",
	`^0x([0-9a-fA-F]{2})+$`:                                          "must be 0x and an even number of hexadecimal digits, at least two",
	`^0x[0-9a-fA-F]{40}$`:                                            "must be an Ethereum address: 0x and 40 hexadecimal digits",
	`^0x[0-9a-fA-F]{64}$`:                                            "must be 0x and 64 hexadecimal digits",
	`^@?[A-Za-z0-9_.:-]{1,253}@[A-Za-z0-9.:-]{1,253}$`:               "must be a handle and its network, as in harbour@mastodon.social",
	`^[0-9a-f]{8}-[0-9]{1,18}$`:                                      "must be the id of an event",
	`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`: "must be a UUID in lower case, as in 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80",
	`^[A-Za-z0-9](?:[A-Za-z0-9-]{0,28}[A-Za-z0-9])?$`:                "must be 1 to 30 letters, digits and hyphens, with a letter or digit at both ends",
	`^[A-Za-z0-9_-]+$`:                                               "must be a next_cursor that this list returned",
	`^[\x21-\x7e]+$`:                                                 "must consist of visible ASCII characters, without spaces",
	`^https?://[^\s]+$`:                                              "must be a web address that begins with http:// or https://",
}

func describePattern(pattern string) string {
	if rule, ok := patternRules[pattern]; ok {
		return rule
	}
	return "has the wrong form"
}

func describeFormat(format string) string {
	switch format {
	case "date-time":
		return "must be a time with its offset from UTC, as in 2026-01-31T12:00:00.000Z"
	case "uuid":
		return "must be a UUID in lower case, as in 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80"
	case "uri":
		return "must be a complete web address"
	}
	return "must be a valid " + format
}

func describeEnum(values []any) string {
	words := make([]string, len(values))
	for i, value := range values {
		words[i] = fmt.Sprint(value)
	}
	return "must be one of: " + strings.Join(words, ", ")
}
