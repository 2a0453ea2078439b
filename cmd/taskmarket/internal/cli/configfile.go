package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"taskmarket/client/signer"
)

const (
	programDir = "taskmarket"
	configName = "config.yaml"
	// maxConfig bounds what is read of a file that somebody else may have made.
	maxConfig = 64 << 10
)

// configFile is where the configuration is: --config, TASKMARKET_CONFIG, or the
// user's own place.
func (a *App) configFile() (string, error) {
	for _, path := range []string{a.configPath, a.environ[EnvPrefix+"CONFIG"]} {
		if path != "" {
			return filepath.Abs(path)
		}
	}
	dir, err := a.userDir("XDG_CONFIG_HOME", "APPDATA", ".config")
	if err != nil {
		return "", &ExitError{Code: ExitUsage, Err: err, Hint: "set HOME, or name the configuration file with --config or TASKMARKET_CONFIG"}
	}
	return filepath.Join(dir, programDir, configName), nil
}

// StateDir is where journals and cursors are kept: TASKMARKET_STATE_DIR, or the
// user's own place. One that others could change is refused: what is written there
// is believed when it is read.
func (a *App) StateDir() (string, error) {
	dir := a.environ[EnvPrefix+"STATE_DIR"]
	if dir == "" {
		home, err := a.userDir("XDG_STATE_HOME", "LOCALAPPDATA", filepath.Join(".local", "state"))
		if err != nil {
			return "", &ExitError{Code: ExitUsage, Err: err, Hint: "set HOME, or name a folder for journals with TASKMARKET_STATE_DIR"}
		}
		dir = filepath.Join(home, programDir)
	}
	if err := checkWay(dir); err != nil {
		return "", &ExitError{Code: ExitUsage, Err: fmt.Errorf("state folder: %w", err)}
	}
	return dir, nil
}

// checkWay is checkFolder for a folder and all above it: whoever can rename one of
// those can put an older state in the place of this one, in which what was paid is
// not yet paid.
func checkWay(dir string) error {
	if err := checkFolder(dir); err != nil {
		return err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	ways := []string{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		ways = append(ways, real)
	}
	for _, way := range ways {
		for above := filepath.Dir(way); ; above = filepath.Dir(above) {
			if err := checkAbove(above); err != nil {
				return err
			}
			if above == filepath.Dir(above) {
				break
			}
		}
	}
	return nil
}

// checkAbove refuses a folder in which others can rename what is there.
func checkAbove(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case strangers(info) && !administrator():
		return fmt.Errorf("%s, above it: %w", path, errStrange)
	case writableByOthers(info):
		return fmt.Errorf("others can write into %s, above it: make it your own with `chmod go-w %s`, or choose another with TASKMARKET_STATE_DIR", path, path)
	}
	return nil
}

// errNoHome: what is kept for a user must not be put wherever a command is run.
var errNoHome = errors.New("this user has no home directory")

// userDir follows the XDG specification, which ignores relative paths, and
// Windows' variables there.
func (a *App) userDir(xdg, windows, belowHome string) (string, error) {
	if dir := a.environ[xdg]; filepath.IsAbs(dir) {
		return dir, nil
	}
	home := a.environ["HOME"]
	if runtime.GOOS == "windows" {
		if dir := a.environ[windows]; filepath.IsAbs(dir) {
			return dir, nil
		}
		home = a.environ["USERPROFILE"]
	}
	if !filepath.IsAbs(home) {
		return "", errNoHome
	}
	return filepath.Join(home, belowHome), nil
}

// readConfigFile returns the settings of a file; none when it does not exist.
func readConfigFile(path string) (map[string]string, error) {
	raw, err := ReadPrivate(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = checkFolder(filepath.Dir(path))
	}
	if err != nil {
		return nil, configFault(path, err)
	}
	var values map[string]string
	if err := yaml.Unmarshal(raw, &values); err != nil {
		// The parser's own words may repeat a secret.
		return nil, configFault(path, errors.New("it is not a list of lines `name: value`"))
	}
	for name := range values {
		s, known := LookupSetting(strings.TrimSuffix(name, FileSuffix))
		if !known || strings.HasSuffix(name, FileSuffix) && !s.Secret {
			return nil, configFault(path, fmt.Errorf("nothing is called %q", name))
		}
	}
	return values, nil
}

func configFault(path string, err error) error {
	return &ExitError{Code: ExitUsage, Err: fmt.Errorf("configuration file %s: %w", path, err), Hint: "taskmarket help configuration"}
}

// readSecretFile returns a file's content without the end of its line.
func readSecretFile(path string) (string, error) {
	raw, err := ReadPrivate(path)
	return signer.Line(string(raw)), err
}

var (
	// errShared is a file that others can read, which a secret must not be in.
	errShared = errors.New("others can read it")
	// errStrange is what belongs to somebody else, who can change it.
	errStrange = errors.New("it belongs to another user")
)

// checkFolder refuses a folder in which others can change what is there. One that
// does not exist yet is made for the user alone.
func checkFolder(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is no folder", path)
	case strangers(info):
		return fmt.Errorf("%s: %w", path, errStrange)
	case writableByOthers(info):
		return fmt.Errorf("others can write into %s: make it your own with `chmod go-w %s`", path, path)
	}
	return nil
}

// ReadPrivate reads a file that belongs to its user alone.
func ReadPrivate(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if strangers(info) {
		return nil, errStrange
	}
	if openToOthers(info) {
		return nil, fmt.Errorf("%w: make it your own with `chmod 600 %s`", errShared, path)
	}
	raw, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	if err == nil && len(raw) > maxConfig {
		err = fmt.Errorf("it is larger than %d bytes", maxConfig)
	}
	return raw, err
}

// WriteConfig changes settings in the configuration file, which it makes if need
// be, and leaves the rest of it as it is, comments too. An empty value removes a
// setting. Either the whole change is on the disk afterwards, or none of it.
func WriteConfig(path string, changes map[string]string) error {
	document, err := openDocument(path)
	if err != nil {
		return err
	}
	entries := document.Content[0]
	for _, s := range AllSettings {
		for _, name := range []string{s.Name, s.Name + FileSuffix} {
			if text, ok := changes[name]; ok {
				setEntry(entries, name, text)
			}
		}
	}
	raw, err := yaml.Marshal(document)
	if err != nil {
		return configFault(path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return configFault(path, err)
	}
	if err := ReplacePrivate(path, raw); err != nil {
		return configFault(path, err)
	}
	return nil
}

// openDocument parses the file, or makes an empty one.
func openDocument(path string) (*yaml.Node, error) {
	if _, err := readConfigFile(path); err != nil {
		return nil, err
	}
	document := &yaml.Node{}
	raw, err := ReadPrivate(path)
	if err == nil {
		err = yaml.Unmarshal(raw, document)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, configFault(path, err)
	}
	if len(document.Content) == 0 || document.Content[0].Kind != yaml.MappingNode {
		*document = yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
	}
	return document, nil
}

// setEntry sets or removes one entry of a mapping, whose content alternates
// between names and values.
func setEntry(entries *yaml.Node, name, text string) {
	for i := 0; i < len(entries.Content); i += 2 {
		if entries.Content[i].Value != name {
			continue
		}
		if text == "" {
			entries.Content = append(entries.Content[:i], entries.Content[i+2:]...)
		} else {
			entries.Content[i+1].SetString(text)
		}
		return
	}
	if text != "" {
		key, value := &yaml.Node{}, &yaml.Node{}
		key.SetString(name)
		value.SetString(text)
		entries.Content = append(entries.Content, key, value)
	}
}

// ReplacePrivate puts a file for the user alone in the place of the old one, so
// that a crash leaves one of the two, whole. A link stays one: what it leads to is
// replaced, and one that leads nowhere is refused.
func ReplacePrivate(path string, raw []byte) error {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	if err := checkFolder(filepath.Dir(path)); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // made with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // nothing to remove once it was renamed
	_, err = file.Write(raw)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes a rename durable. Windows does so by itself, and cannot open a
// directory for it.
func syncDir(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// ParseUint parses a decimal number.
func ParseUint(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) }
