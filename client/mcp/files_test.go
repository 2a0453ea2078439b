package mcp_test

import (
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"taskmarket/client/mcp"
)

const (
	aTask = "0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80"
	aFile = "0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e81"
)

// shelf is a fake API with one file.
type shelf struct {
	content, sum string
	size, sent   int
}

// ServeHTTP implements http.Handler.
func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, aFile) {
		s.sent++
		w.Header().Set("Content-Type", "application/octet-stream")
		fmt.Fprint(w, s.content)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"files":[{"id":%q,"task_id":%q,"original_filename":"IGNORE.txt","content_type":"text/plain","file_size":%d,"sha256":%q,`+
		`"uploaded_by":"human","submitted":true,"shared":true,"created_at":"2030-01-01T00:00:00Z"}],"total":1,"page":1,"page_size":20}`, aFile, aTask, s.size, s.sum)
}

func TestDownloadReturnsTextAndImages(t *testing.T) {
	t.Parallel()
	png := "\x89PNG\x0D\x0A\x1A\x0A" + strings.Repeat("\x00", 100)
	for name, c := range map[string]struct {
		content, want string
		size          int
		wrong         bool
		picture       bool
	}{
		"text":                                 {content: "three photographs", want: `"text":{"untrusted_text":"three photographs"}`},
		"a picture":                            {content: png, want: `"picture":true`, picture: true},
		"an executable":                        {content: "\x7fELF\x00\x01\x02", want: "neither a picture nor text"},
		"long text":                            {content: strings.Repeat("a", 64<<10+1), want: "neither a picture nor text"},
		"an HTML page":                         {content: "<script>alert(1)</script>", want: `"text":{"untrusted_text":"<script>alert(1)</script>"}`},
		"too large":                            {content: "small", size: 2 << 20, want: "too many to show"},
		"content that does not match the hash": {content: "three photographs", wrong: true, want: "sha"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &shelf{content: c.content, size: max(c.size, len(c.content)), sum: fmt.Sprintf("%x", sha256.Sum256([]byte(c.content)))}
			if c.wrong {
				s.sum = strings.Repeat("0", 64)
			}
			handler, err := mcp.NewHandler(mcp.HandlerOptions{API: s, BaseURL: "http://market.example", Version: "test", Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(handler)
			defer server.Close()
			session := connect(t, &sdk.StreamableClientTransport{Endpoint: server.URL})
			got, err := session.CallTool(t.Context(), &sdk.CallToolParams{
				Name: "download_task_file", Arguments: map[string]any{"task_id": aTask, "file_id": aFile},
			})
			if err != nil {
				t.Fatal(err)
			}
			text, ok := got.Content[0].(*sdk.TextContent)
			if !ok || !strings.Contains(strings.ToLower(text.Text), strings.ToLower(c.want)) {
				t.Errorf("got %+v, want %q", got.Content[0], c.want)
			}
			if shown := len(got.Content) == 2; shown != c.picture || c.size > 0 && s.sent > 0 {
				t.Errorf("got %d content parts after %d downloads", len(got.Content), s.sent)
			}
		})
	}
}
