package client_test

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"taskmarket/client"
	"taskmarket/market"
)

// pageOf returns a handler that sends a page of n claims and the next cursor, a JSON value. The value
// null ends the list.
func pageOf(n int, cursor string) http.HandlerFunc {
	return respond(200, `{"claims":[`+strings.TrimSuffix(strings.Repeat("{},", n), ",")+`],"next_cursor":`+cursor+`}`)
}

// A server cannot make an iteration endless.
func TestEndlessListsFail(t *testing.T) {
	turning := make([]http.HandlerFunc, 0, 64) // repeats a cycle of five cursors
	for i := range cap(turning) {
		turning = append(turning, pageOf(1, strconv.Quote(strconv.Itoa(2+i%5))))
	}
	tests := map[string]struct {
		answers []http.HandlerFunc
		most    int // maximum number of requests allowed
	}{
		"a repeated cursor":            {[]http.HandlerFunc{pageOf(1, `"a"`)}, 3},
		"a cycle of cursors":           {turning, 20},
		"an empty cursor":              {[]http.HandlerFunc{pageOf(1, `""`)}, 1},
		"empty pages with new cursors": {[]http.HandlerFunc{pageOf(0, `"a"`), pageOf(0, `"b"`), pageOf(0, `"c"`)}, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := &script{answers: test.answers}
			n, err := count(dialTest(t, s).AllClaims(t.Context(), client.PageQuery{}))
			if err == nil || !strings.Contains(err.Error(), "does not end") {
				t.Errorf("found %d items, error %v", n, err)
			}
			if asked := len(s.requests()); asked > test.most {
				t.Errorf("sent %d requests", asked)
			}
		})
	}
}

func TestLongLists(t *testing.T) {
	const pages = 100
	var answers []http.HandlerFunc
	for i := range pages - 1 {
		answers = append(answers, pageOf(1, strconv.Quote(strconv.Itoa(i))))
	}
	s := &script{answers: append(answers, pageOf(1, "null"))}
	if n, err := count(dialTest(t, s).AllClaims(t.Context(), client.PageQuery{})); n != pages || err != nil {
		t.Errorf("found %d of %d items, error %v", n, pages, err)
	}
}

func TestListsCanBeStoppedAndRepeated(t *testing.T) {
	s := &script{answers: []http.HandlerFunc{pageOf(2, `"a"`)}}
	list := dialTest(t, s).AllClaims(t.Context(), client.PageQuery{Page: 3, PageSize: 2})
	for range 2 {
		for _, err := range list {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	if got := s.requests(); len(got) != 2 || got[0].URL.RawQuery != "page=3&page_size=2" || got[1].URL.RawQuery != got[0].URL.RawQuery {
		t.Errorf("requested %v", got)
	}
}

func TestErrorEndsList(t *testing.T) {
	s := &script{answers: []http.HandlerFunc{pageOf(2, `"a"`), refuse(403, "forbidden"), pageOf(1, "null")}}
	n, failures := 0, []error{}
	for _, err := range dialTest(t, s).AllClaims(t.Context(), client.PageQuery{Page: 2}) {
		if err != nil {
			failures = append(failures, err)
			continue
		}
		n++
	}
	if n != 2 || len(failures) != 1 || client.CodeOf(failures[0]) != market.KindForbidden || errors.Is(failures[0], client.ErrUnavailable) {
		t.Errorf("found %d items, then errors %v", n, failures)
	}
	if asked := s.requests()[1].URL.RawQuery; asked != "page_size=100&cursor=a" { // page and cursor must not be combined
		t.Errorf("the next request is %s", asked)
	}
}
