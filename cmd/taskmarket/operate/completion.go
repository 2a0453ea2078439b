package operate

import (
	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
)

func completionCommand(*cli.App) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the completion script for a shell",
		Long:  "Print the script for completing commands and flags in a shell.",
		Example: "  source <(taskmarket completion bash)      # in ~/.bashrc\n" +
			"  taskmarket completion zsh > \"${fpath[1]}/_taskmarket\"\n" +
			"  taskmarket completion fish > ~/.config/fish/completions/taskmarket.fish\n" +
			"  taskmarket completion powershell | Out-String | Invoke-Expression",
		Args: cobra.MatchAll(func(_ *cobra.Command, args []string) error {
			return cli.CountArgs(args, []string{"the shell"}, 0)
		}, cobra.OnlyValidArgs),
		ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			root, out := c.Root(), c.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			default:
				return root.GenPowerShellCompletionWithDesc(out)
			}
		},
	}
}
