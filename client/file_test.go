package client_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"testing"

	"taskmarket/client"
	"taskmarket/market"
)

func TestDownload(t *testing.T) {
	content := bytes.Repeat([]byte("photo "), 2<<20) // more than any JSON answer may have
	sum := sha256.Sum256(content)
	file := client.File{Size: int64(len(content)), Sha256: hex.EncodeToString(sum[:])}
	send := func(data []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/octet-stream")
			if _, err := w.Write(data); err != nil {
				panic(http.ErrAbortHandler)
			}
		}
	}
	other := bytes.Clone(content)
	other[1]++
	tests := map[string]struct {
		answer http.HandlerFunc
		code   market.Kind
		fails  bool
	}{
		"the file":   {answer: send(content)},
		"too short":  {answer: send(content[1:]), fails: true},
		"too long":   {answer: send(append(bytes.Clone(content), '!')), fails: true},
		"other text": {answer: send(other), fails: true},
		"refused":    {answer: refuse(403, "forbidden"), code: market.KindForbidden, fails: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			err := dialTest(t, &script{answers: []http.HandlerFunc{test.answer}}).Download(t.Context(), file, &got)
			if (err != nil) != test.fails {
				t.Errorf("got error %v", err)
			}
			if refused, ok := errors.AsType[*client.APIError](err); test.code != "" && (!ok || refused.Code != test.code) {
				t.Errorf("got error %v, want code %s", err, test.code)
			}
			if !test.fails && !bytes.Equal(got.Bytes(), content) {
				t.Error("got other bytes")
			}
		})
	}
}
