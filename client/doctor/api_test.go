package doctor

import (
	"testing"

	"taskmarket/client"
)

func TestVersions(t *testing.T) {
	for _, test := range []struct {
		theirs, ours string
		want         Status
	}{
		{"1.0.0", "v1.9.3", OK},
		{"v2.1.0-4-gabcdef", "v2.0.0", OK},
		{"2.0.0", "1.9.3", Fail},
		{"dev", "v1.0.0", OK},
		{"1.0.0", "dev", OK},
		{"10.0.0", "1.0.0", Fail},
	} {
		e := &examination{Setup: Setup{Version: test.ours}, health: client.Health{Version: test.theirs}}
		if got := e.apiVersion(t.Context()); got.status != test.want {
			t.Errorf("API %s, program %s: %+v, want %s", test.theirs, test.ours, got, test.want)
		}
	}
}
