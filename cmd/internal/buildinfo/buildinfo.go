// Package buildinfo provides the version and build information of the programs.
package buildinfo

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Line returns one line with the program's name and version, the commit if known, the Go version
// and the platform.
func Line(name, version string) string {
	return fmt.Sprintf("%s %s%s, %s, %s/%s", name, version, commit(debug.ReadBuildInfo()), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func commit(info *debug.BuildInfo, ok bool) string {
	if !ok {
		return ""
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	switch {
	case revision == "":
		return ""
	case settings["vcs.modified"] == "true":
		return ", commit " + revision + " (modified)"
	default:
		return ", commit " + revision
	}
}

// AddFlag adds the --version flag to a root command.
func AddFlag(root *cobra.Command, version string) {
	root.Version = Line(root.Name(), version)
	root.SetVersionTemplate("{{.Version}}\n")
	root.Flags().Bool("version", false, "print the version and exit")
}
