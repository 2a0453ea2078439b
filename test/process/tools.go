package process

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// toolsEnv overrides the folder in which `make tools` stores packages.
const toolsEnv = "TASKMARKET_TOOLS_DIR"

// ToolsDir returns the folder in which `make tools` installs the native programs, as npm packages
// in node_modules. The default is .dev/tools at the module's root.
func ToolsDir() (string, error) {
	if dir := os.Getenv(toolsEnv); dir != "" {
		return dir, nil
	}
	root, err := ModuleRoot()
	if err != nil {
		return "", err
	}
	return filepath.Join(root, ".dev", "tools"), nil
}

// ModuleRoot returns the nearest folder with a go.mod, starting with the working directory and
// continuing with its parents. A test's working directory is its package's folder.
func ModuleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the module's root: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("find the module's root: no go.mod here or above; run this inside the source tree")
		}
		dir = up
	}
}
