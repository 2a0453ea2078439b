package server_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	segmentio "github.com/segmentio/encoding/json"

	"taskmarket/gen/api"
	"taskmarket/market"
)

// The response encoder writes the same bytes as encoding/json for arbitrary values, including strings that
// need escaping or are not valid UTF-8. See docs/adr/0020-responses-use-a-faster-encoder.md.
func TestEncodersAgree(t *testing.T) {
	t.Parallel()
	for _, sample := range []any{
		api.AccountExport{},
		api.ActivityPage{},
		api.AgentActionPage{},
		api.AgentAccount{},
		api.ApplicationPage{},
		api.BoardPage{},
		api.ClaimPage{},
		api.ConversationPage{},
		api.DirectMessagePage{},
		api.ErrorDetail{},
		api.Health{},
		api.HumanAccount{},
		api.HumanPage{},
		api.InstanceConfig{},
		api.MessagePage{},
		api.NoticePage{},
		api.FilePage{},
		api.ReviewPage{},
		api.CurrentSession{},
		api.SessionList{},
		api.SignatureRequired{},
		api.Task{},
		api.TaskNext{},
		api.TaskPage{},
		api.ValidationPage{},
		api.VerdictPage{},
	} {
		kind := reflect.TypeOf(sample)
		t.Run(kind.Name(), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, 2))
			for range 300 {
				value := reflect.New(kind)
				fill(r, value.Elem(), 0)
				var want, got bytes.Buffer
				if err := json.NewEncoder(&want).Encode(value.Interface()); err != nil {
					t.Fatal(err)
				}
				if err := segmentio.NewEncoder(&got).Encode(value.Interface()); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got.Bytes(), want.Bytes()) {
					t.Fatalf("encoded as\n%s\nwant\n%s", got.String(), want.String())
				}
			}
		})
	}
}

// texts are strings that need escaping, contain UTF-8 sequences of every length, or are not valid UTF-8.
var texts = []string{"", "a", "<b>&amp;</b>", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "\u2028\u2029", "ä€😀", "\xff\xc3(", "тест"}

// fill sets a value and everything that it contains to arbitrary values.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	if !v.CanSet() {
		return
	}
	if v.Type() == reflect.TypeFor[market.Time]() {
		v.Set(reflect.ValueOf(market.TimeOf(time.UnixMilli(r.Int64N(4e12)))))
		return
	}
	switch v.Kind() { //nolint:exhaustive // the default case handles the integers
	case reflect.Pointer:
		if depth < 6 && r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i), depth+1)
		}
	case reflect.Slice:
		if r.IntN(4) == 0 || depth > 6 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(3), 3))
		for i := range v.Len() {
			fill(r, v.Index(i), depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(4) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(r, key, depth+1)
			fill(r, value, depth+1)
			v.SetMapIndex(key, value)
		}
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf(map[string]any{"b": texts[r.IntN(len(texts))], "a": r.Float64()}))
		}
	case reflect.String:
		v.SetString(texts[r.IntN(len(texts))])
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(r.NormFloat64() * []float64{1e-9, 1, 1e24}[r.IntN(3)])
	default:
		if v.CanInt() {
			v.SetInt(r.Int64() >> (r.IntN(2) * 57))
		} else {
			v.SetUint(r.Uint64() >> 57)
		}
	}
}
