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

// maxDetails bounds how many faults one answer lists.
const maxDetails = 20

// faultsOf turns the validator's error into one refusal that names each fault.
func faultsOf(err error) error {
	var details []market.Detail
	collect(err, "", &details)
	slices.SortStableFunc(details, func(a, b market.Detail) int { return strings.Compare(a.Field, b.Field) })
	details = slices.Compact(details)
	refusal := &market.Error{Kind: market.KindInvalid, Details: details, Cause: err}
	switch len(details) {
	case 0:
		refusal.Message = "the request is not what this operation takes"
	case 1:
		refusal.Message = details[0].Field + ": " + details[0].Message
	default:
		refusal.Message = fmt.Sprintf("the request has %d faults", len(details))
		refusal.Hint = "details names each of them"
	}
	return refusal
}

// collect walks the tree of errors that the validator builds.
func collect(err error, parameter string, details *[]market.Detail) {
	if err == nil || len(*details) == maxDetails {
		return
	}
	switch e := err.(type) { //nolint:errorlint // the tree is walked node by node
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
		*details = append(*details, market.Detail{Field: fieldOf(parameter, nil), Code: "type", Message: "cannot be read as its type"})
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

// unknownMember finds the name of a member that is none; only the validator's
// text has it. A name that is no plain word is not repeated to anybody.
var unknownMember = regexp.MustCompile(`^property "([A-Za-z0-9_.-]{1,64})" is unsupported$`)

func collectSchema(e *openapi3.SchemaError, parameter string, details *[]market.Detail) {
	// allOf only wraps what is wrong with one of its parts.
	if e.Origin != nil && e.SchemaField == "allOf" {
		collect(e.Origin, parameter, details)
		return
	}
	pointer := e.JSONPointer()
	if name := unknownMember.FindStringSubmatch(e.Reason); name != nil {
		pointer = append(pointer, name[1])
	}
	*details = append(*details, market.Detail{
		Field: fieldOf(parameter, pointer), Code: codeOf(e), Message: sayFault(e),
	})
}

// fieldOf names a parameter, a member (files.0.name), or the whole body.
func fieldOf(parameter string, pointer []string) string {
	if parameter != "" {
		pointer = append([]string{parameter}, pointer...)
	}
	if len(pointer) == 0 {
		return "body"
	}
	return strings.Join(pointer, ".")
}

// codeOf names the rule that was broken.
func codeOf(e *openapi3.SchemaError) string {
	switch e.SchemaField {
	case "properties", "additionalProperties":
		return "unknown_member"
	case "":
		return "invalid"
	}
	return e.SchemaField
}

// sayFault says the rule in words, without Go's types and without the value,
// which may be a secret sent in the wrong place.
func sayFault(e *openapi3.SchemaError) string {
	schema := e.Schema
	switch e.SchemaField {
	case "required":
		return "is required"
	case "properties", "additionalProperties":
		return "is no member of this request"
	case "type":
		return "must be of type " + strings.Join(schema.Type.Slice(), " or ")
	case "format":
		return "must be a valid " + schema.Format
	case "pattern":
		return "must match " + schema.Pattern
	case "enum":
		return "must be one of the listed values"
	case "minLength":
		return fmt.Sprintf("must have at least %d characters", schema.MinLength)
	case "maxLength":
		return fmt.Sprintf("must have at most %d characters", *schema.MaxLength)
	case "minimum":
		return fmt.Sprintf("must be at least %v", *schema.Min)
	case "maximum":
		return fmt.Sprintf("must be at most %v", *schema.Max)
	case "minItems":
		return fmt.Sprintf("must have at least %d items", schema.MinItems)
	case "maxItems":
		return fmt.Sprintf("must have at most %d items", *schema.MaxItems)
	case "uniqueItems":
		return "must not hold the same item twice"
	case "nullable":
		return "must not be null"
	}
	return "is not what this member takes"
}
