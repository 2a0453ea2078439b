package operate

import (
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
)

type configOptions struct{ *cli.App }

func configCommand(a *cli.App) *cobra.Command {
	o := &configOptions{a}
	return &cobra.Command{
		Use:   "config [setting]",
		Short: "Show the configuration and the source of each value",
		Long: "Show the configuration and the source of each value. With the name of a setting, show only its value. Secrets\n" +
			"are hidden, and the URLs of nodes and signers are shortened to the host. `taskmarket help configuration` lists all\n" +
			"settings.",
		Example: "  taskmarket config\n  taskmarket config wallet_address",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return o.printOne(args[0])
			}
			return o.run()
		},
	}
}

// configOutput is the command's result.
type configOutput struct {
	ConfigFile string                   `json:"config_file"`
	StateDir   string                   `json:"state_dir"`
	Settings   map[string]settingOutput `json:"settings"`
}

type settingOutput struct {
	Value  string `json:"value"`
	Source string `json:"source"`
}

func (o *configOptions) run() error {
	s, err := o.Settings()
	if err != nil {
		return err
	}
	state, err := o.StateDir()
	if err != nil {
		return err
	}
	output := configOutput{ConfigFile: s.Path, StateDir: state, Settings: map[string]settingOutput{}}
	var rows [][]string
	for _, def := range cli.AllSettings {
		if v, ok := s.Values[def.Name]; ok {
			visible := def.Redact(v.Text)
			output.Settings[def.Name] = settingOutput{visible, v.Source}
			rows = append(rows, []string{def.Name, visible, v.Source})
		}
	}
	if o.JSON {
		return o.PrintJSON(output)
	}
	file := s.Path
	if _, err := os.Stat(file); os.IsNotExist(err) {
		file += " (" + fs.ErrNotExist.Error() + ")"
	}
	if err := o.PrintFields(cli.Field{"Configuration", file}, cli.Field{"State", output.StateDir}); err != nil {
		return err
	}
	if len(rows) == 0 {
		o.Note("nothing is configured; `taskmarket help configuration` lists the settings")
		return nil
	}
	return o.PrintTable([]string{"SETTING", "VALUE", "SOURCE"}, rows)
}

// printOne prints the value of a single setting.
func (o *configOptions) printOne(name string) error {
	s, err := o.Settings()
	if err != nil {
		return err
	}
	def, ok := cli.LookupSetting(name)
	switch {
	case !ok:
		return cli.UsageError("unknown setting %q", name).WithHint("`taskmarket help configuration` lists the settings")
	case s.Text(name) == "":
		return cli.Fail(cli.ExitFailed, "%s is not set", name).WithHint("`taskmarket help configuration` lists the settings")
	case o.JSON:
		return o.PrintJSON(settingOutput{def.Redact(s.Text(name)), s.Values[name].Source})
	default:
		return o.Write([]byte(cli.OneLine(def.Redact(s.Text(name))) + "\n"))
	}
}
