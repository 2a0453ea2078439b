package cli

import (
	"os"
	"path/filepath"
	"testing"

	"taskmarket/cmd/taskmarket/internal/clitest"
)

func TestWriteConfig(t *testing.T) {
	path := filepath.Join(t.TempDir(), programDir, configName)
	clitest.Must(t, WriteConfig(path, map[string]string{SettingAPIKey: "tm_1", SettingChainID: "31337", SettingUsername: "harbour"}))
	raw, err := os.ReadFile(path)
	clitest.Must(t, err)
	clitest.Must(t, os.WriteFile(path, append([]byte("# my own words\n"), raw...), 0o600))
	clitest.Must(t, WriteConfig(path, map[string]string{SettingAPIKey: "tm_2", SettingUsername: ""}))
	raw, err = os.ReadFile(path)
	clitest.Must(t, err)
	if got, want := string(raw), "# my own words\napi_key: tm_2\nchain_id: \"31337\"\n"; got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	info, err := os.Stat(path)
	clitest.Must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %o", info.Mode().Perm())
	}
}
