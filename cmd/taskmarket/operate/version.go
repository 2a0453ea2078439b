package operate

import (
	"runtime"

	"github.com/spf13/cobra"

	"taskmarket/cmd/internal/buildinfo"
	"taskmarket/cmd/taskmarket/internal/cli"
)

func versionCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the program's version",
		Example: "  taskmarket version",
		RunE: func(*cobra.Command, []string) error {
			if a.JSON {
				return a.PrintJSON(map[string]string{
					"version": a.Version, "go_version": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
				})
			}
			return a.Write([]byte(buildinfo.Line("taskmarket", a.Version) + "\n"))
		},
	}
}
