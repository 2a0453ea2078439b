package main

import (
	"io/fs"
	"os"

	"github.com/spf13/cobra"
)

type configOptions struct{ *app }

func configCommand(a *app) *cobra.Command {
	o := &configOptions{a}
	return &cobra.Command{
		Use:   "config [setting]",
		Short: "Show what is configured, and where each value comes from",
		Long: "Show what is configured, and where each value comes from; or, with the name of a setting, its value alone.\n" +
			"Secrets are not shown, and of a node's URL only the host. `taskmarket help configuration` lists all settings.",
		Example: "  taskmarket config\n  taskmarket config wallet_address",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return o.printOne(args[0])
			}
			return o.run()
		},
	}
}

// shownConfig is the command's answer.
type shownConfig struct {
	ConfigFile string                  `json:"config_file"`
	StateDir   string                  `json:"state_dir"`
	Settings   map[string]shownSetting `json:"settings"`
}

type shownSetting struct {
	Value  string `json:"value"`
	Source string `json:"source"`
}

func (o *configOptions) run() error {
	s, err := o.settings()
	if err != nil {
		return err
	}
	state, err := o.stateDir()
	if err != nil {
		return err
	}
	shown := shownConfig{ConfigFile: s.path, StateDir: state, Settings: map[string]shownSetting{}}
	var rows [][]string
	for _, known := range allSettings {
		if v, ok := s.values[known.name]; ok {
			visible := known.redact(v.text)
			shown.Settings[known.name] = shownSetting{visible, v.source}
			rows = append(rows, []string{known.name, visible, v.source})
		}
	}
	if o.json {
		return o.printJSON(shown)
	}
	file := s.path
	if _, err := os.Stat(file); os.IsNotExist(err) {
		file += " (" + fs.ErrNotExist.Error() + ")"
	}
	if err := o.printFields(field{"Configuration", file}, field{"State", shown.StateDir}); err != nil {
		return err
	}
	if len(rows) == 0 {
		o.note("nothing is configured; `taskmarket help configuration` says what can be")
		return nil
	}
	return o.printTable([]string{"SETTING", "VALUE", "SOURCE"}, rows)
}

// printOne writes the value of one setting.
func (o *configOptions) printOne(name string) error {
	s, err := o.settings()
	if err != nil {
		return err
	}
	known, ok := settingNamed(name)
	switch {
	case !ok:
		return usageError("there is no setting %q", name).next("taskmarket help configuration")
	case s.text(name) == "":
		return fail(exitFailed, "%s is not set", name).next("taskmarket help configuration")
	case o.json:
		return o.printJSON(shownSetting{known.redact(s.text(name)), s.values[name].source})
	default:
		return o.write([]byte(oneLine(known.redact(s.text(name))) + "\n"))
	}
}
