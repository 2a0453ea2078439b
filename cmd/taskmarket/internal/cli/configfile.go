package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"taskmarket/client/signer"
	"taskmarket/market"
)

const (
	programDir = "taskmarket"
	configName = "config.yaml"
)

// configFile returns the path of the configuration file: the value of --config or
// TASKMARKET_CONFIG, or the default path in the user's home directory.
func (a *App) configFile() (string, error) {
	for _, path := range []string{a.configPath, a.environ[EnvPrefix+"CONFIG"]} {
		if path != "" {
			return filepath.Abs(path)
		}
	}
	dir, err := a.userDir("XDG_CONFIG_HOME", "APPDATA", ".config")
	if err != nil {
		return "", &ExitError{Code: ExitUsage, Err: err, Hint: "set HOME (on Windows, USERPROFILE), or choose the configuration file with --config or TASKMARKET_CONFIG"}
	}
	return filepath.Join(dir, programDir, configName), nil
}

// StateDir returns the directory for journals and cursors: the value of TASKMARKET_STATE_DIR, or
// the default path in the user's home directory. It rejects a directory that other users can
// modify, because the program trusts the files in it.
func (a *App) StateDir() (string, error) {
	dir := a.environ[EnvPrefix+"STATE_DIR"]
	if dir == "" {
		home, err := a.userDir("XDG_STATE_HOME", "LOCALAPPDATA", filepath.Join(".local", "state"))
		if err != nil {
			return "", &ExitError{Code: ExitUsage, Err: err, Hint: "set HOME (on Windows, USERPROFILE), or choose the state directory with TASKMARKET_STATE_DIR"}
		}
		dir = filepath.Join(home, programDir)
	}
	if err := checkParents(dir); err != nil {
		return "", &ExitError{Code: ExitUsage, Err: fmt.Errorf("state directory: %w", err)}
	}
	return dir, nil
}

// checkParents applies checkFolder to a directory and checkAbove to all directories above it. A
// user who can rename one of them could restore an older journal, which lacks a later payment.
func checkParents(dir string) error {
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

// checkAbove rejects a directory that belongs to a user other than the current one or root, unless the
// current user is root, and a directory in which other users can rename entries.
func checkAbove(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case ownedByOther(info) && !administrator():
		return fmt.Errorf("parent directory %s: %w: choose another directory with TASKMARKET_STATE_DIR", path, signer.ErrStrange)
	case writableByOthers(info):
		return fmt.Errorf("parent directory %s: other users can write to it: run `chmod go-w %s`, or choose another directory with TASKMARKET_STATE_DIR", path, path)
	}
	return nil
}

// errNoHome is returned if the user has no home directory. The working directory is never used instead,
// because other users could read or replace the files there.
var errNoHome = errors.New("no home directory is set for this user")

// userDir returns the user's directory for a kind of file: the value of the XDG variable if it is an
// absolute path, otherwise the value of the Windows variable on Windows, otherwise a path below the
// home directory.
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

// readConfigFile returns the settings in a file, or nil if the file does not exist.
func readConfigFile(path string) (map[string]string, error) {
	raw, err := signer.ReadPrivate(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	text := ""
	if err == nil {
		text, err = market.FileText(raw)
	}
	if err == nil {
		err = checkFolder(filepath.Dir(path))
	}
	if err != nil {
		return nil, configFault(path, err)
	}
	var values map[string]string
	if err := yaml.Unmarshal([]byte(text), &values); err != nil {
		// The parser's error message is omitted, because it can quote a secret.
		return nil, configFault(path, errors.New("it must consist of lines of the form `name: value`"))
	}
	for name := range values {
		s, ok := LookupSetting(strings.TrimSuffix(name, FileSuffix))
		if !ok || strings.HasSuffix(name, FileSuffix) && !s.Secret {
			return nil, configFault(path, fmt.Errorf("unknown setting %q", name))
		}
	}
	return values, nil
}

func configFault(path string, err error) error {
	return &ExitError{Code: ExitUsage, Err: fmt.Errorf("configuration file %s: %w", path, err), Hint: "`taskmarket help configuration` lists the settings"}
}

// checkFolder rejects a directory that belongs to another user or that other users can modify. It
// accepts a directory that does not exist.
func checkFolder(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", path)
	case ownedByOther(info):
		return fmt.Errorf("%s: %w", path, signer.ErrStrange)
	case writableByOthers(info):
		return fmt.Errorf("%s: other users can write to it: run `chmod go-w %s`", path, path)
	}
	return nil
}

// WriteConfig atomically changes settings in the configuration file and preserves all other
// content, including comments. It creates the file if necessary. An empty value removes a setting.
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

// openDocument parses the file, or returns an empty document if it does not exist.
func openDocument(path string) (*yaml.Node, error) {
	if _, err := readConfigFile(path); err != nil {
		return nil, err
	}
	document := &yaml.Node{}
	raw, err := signer.ReadPrivate(path)
	text := ""
	if err == nil {
		text, err = market.FileText(raw)
	}
	if err == nil {
		err = yaml.Unmarshal([]byte(text), document)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, configFault(path, err)
	}
	if len(document.Content) == 0 || document.Content[0].Kind != yaml.MappingNode {
		*document = yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
	}
	return document, nil
}

// setEntry sets or removes an entry of a mapping, whose content alternates names and values.
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

// ReplacePrivate atomically replaces a file with one that only the current user can access. If path
// is a symbolic link, the target of the link is replaced. A dangling link is an error.
func ReplacePrivate(path string, raw []byte) error {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	if err := checkFolder(filepath.Dir(path)); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // CreateTemp uses mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // does nothing after a successful rename
	_, err = file.Write(raw)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncDir flushes a directory, so that a rename in it is durable. On Windows it does nothing,
// because directories cannot be flushed there.
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
