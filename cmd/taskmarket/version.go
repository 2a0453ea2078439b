package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the program's version",
		Example: "  taskmarket version",
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.printJSON(map[string]string{
					"version": a.version, "go_version": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
				})
			}
			return a.write(fmt.Appendf(nil, "taskmarket %s, %s, %s/%s\n", a.version, runtime.Version(), runtime.GOOS, runtime.GOARCH))
		},
	}
}
