package buildinfo

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/spf13/cobra"
)

func TestVersionFlag(t *testing.T) {
	var out bytes.Buffer
	root := &cobra.Command{Use: "program"}
	root.SetOut(&out)
	root.SetArgs([]string{"--version"})
	AddFlag(root, "v1.2.3")
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	want := "program v1.2.3" + commit(debug.ReadBuildInfo()) + ", " + runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	if out.String() != want {
		t.Errorf("--version prints %q, want %q", out.String(), want)
	}
}

func TestCommit(t *testing.T) {
	build := func(settings ...debug.BuildSetting) *debug.BuildInfo { return &debug.BuildInfo{Settings: settings} }
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "abc"}
	for want, info := range map[string]*debug.BuildInfo{
		"":                        build(),
		", commit abc":            build(revision, debug.BuildSetting{Key: "vcs.modified", Value: "false"}),
		", commit abc (modified)": build(revision, debug.BuildSetting{Key: "vcs.modified", Value: "true"}),
	} {
		if got := commit(info, true); got != want {
			t.Errorf("commit = %q, want %q", got, want)
		}
	}
}
