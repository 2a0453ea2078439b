package account

import (
	"os"
	"path/filepath"

	"taskmarket/client"
	"taskmarket/client/signer"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

// replaceQuestion asks for confirmation of a replacement.
const replaceQuestion = "Replace the API key? The old one is revoked at once, for every program that uses it."

// keyFile returns the path of the file in which to store a new API key: the file with the current
// key, or the configuration file. It checks that the file is writable before the old key is
// revoked.
func keyFile(a *cli.App) (path string, err error) {
	s, err := a.Settings()
	if err != nil {
		return "", err
	}
	key := s.Values[cli.SettingAPIKey]
	if key.Text != "" && key.Path == "" && !key.InConfigFile() {
		return "", cli.Fail(cli.ExitUsage, "the API key comes from the environment variable TASKMARKET_API_KEY and cannot be replaced there").
			WithHint("write it to a file that only you can read, and set TASKMARKET_API_KEY_FILE to the path instead")
	}
	if key.Path != "" {
		raw, err := signer.ReadPrivate(key.Path)
		if err == nil {
			err = cli.ReplacePrivate(key.Path, raw)
		}
		if err != nil {
			return "", cli.Fail(cli.ExitUsage, "replace the API key file %s: %w", key.Path, err)
		}
		return key.Path, nil
	}
	if err := cli.WriteConfig(s.Path, nil); err != nil {
		return "", err
	}
	return s.Path, nil
}

// saveKey writes the key to the file that keyFile returned.
func saveKey(a *cli.App, place, key string) error {
	s, err := a.Settings()
	if err != nil {
		return err
	}
	if place == s.Path {
		return a.SaveSettings(map[string]string{cli.SettingAPIKey: key})
	}
	return cli.ReplacePrivate(place, []byte(key+"\n"))
}

// storeReplacement saves the replacement key and prints the path of its file. If saving fails, it
// writes the key to the state directory instead, because the next replacement is possible only
// after 24 hours. It then returns an error whose hint contains the path.
func storeReplacement(a *cli.App, place string, fresh client.KeyReplacement) error {
	if err := saveKey(a, place, fresh.APIKey); err != nil {
		aside, lost := storeAside(a, fresh.APIKey)
		if lost != nil {
			return cli.Fail(cli.ExitFailed, "the key was replaced, but saving the new one failed: %w", err).WithHint("run `taskmarket recover-key` to get a new key, which is possible once every " + market.FormatDuration(market.KeyRotationInterval))
		}
		return cli.Fail(cli.ExitFailed, "the key was replaced, but the new one could not be saved in place of the old one: %w", err).WithHint("the new key is in " + aside + ": set TASKMARKET_API_KEY_FILE to this path")
	}
	a.Note("saved in %s: the new API key; the old one is invalid", place)
	return nil
}

// storeAside saves a key in the state directory and returns the path of the file.
func storeAside(a *cli.App, key string) (path string, err error) {
	state, err := a.StateDir()
	if err != nil {
		return "", err
	}
	path = filepath.Join(state, "api-key")
	if err := os.MkdirAll(state, 0o700); err != nil {
		return "", err
	}
	return path, cli.ReplacePrivate(path, []byte(key+"\n"))
}

func printReplacement(a *cli.App, place string, fresh client.KeyReplacement) error {
	return a.Print(replacementOutput{fresh.RotatedAt, place}, cli.Field{"Replaced", cli.FormatTime(fresh.RotatedAt)}, cli.Field{"File", place})
}

// replacementOutput is the API's response without the key. The key is stored in a file and not
// printed.
type replacementOutput struct {
	RotatedAt market.Time `json:"rotated_at"`
	File      string      `json:"file"`
}
