package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"taskmarket/market"
	"taskmarket/test/process"
)

// world is the state that `dev` stores between runs.
type world struct {
	Ports      ports             `json:"ports"`
	Deployment market.Deployment `json:"deployment"`
	SessionKey string            `json:"session_key"`
	Database   string            `json:"database"` // name of the database in the cluster that `dev` starts
	DemoKey    string            `json:"demo_key,omitempty"`
}

// ports contains the ports on 127.0.0.1 that the components listen on.
type ports struct {
	API      int `json:"api"`
	Social   int `json:"social"`
	Chain    int `json:"chain"`
	Database int `json:"database"`
	Metrics  int `json:"metrics"`
	Console  int `json:"console"`
}

// home is the directory of a development world.
type home struct {
	dir  string
	lock *os.File
}

// openHome creates the directory if needed and locks it.
func openHome(dir string) (*home, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("create the directory of the development world: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // the PostgreSQL user must be able to enter the directory
		return nil, fmt.Errorf("create the directory of the development world: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the development world: %w", err)
	}
	if err := lockHome(lock, dir); err != nil {
		_ = lock.Close()
		return nil, err
	}
	return &home{dir: dir, lock: lock}, nil
}

// lockHome locks the directory's lock file. It returns an error if another world has locked it.
func lockHome(lock *os.File, dir string) error {
	locked, err := process.TryLock(lock)
	if err != nil {
		return fmt.Errorf("lock the development world: %w", err)
	}
	if !locked {
		return fmt.Errorf("a development world is already running in %s: stop it first, or set %sDEV_DIR to another directory", dir, prefix)
	}
	return nil
}

// Close unlocks the directory.
func (h *home) Close() error { return h.lock.Close() }

func (h *home) path(name string) string { return filepath.Join(h.dir, name) }

// read returns the stored state. If there is none, it returns a new state with fresh secrets and
// without ports.
func (h *home) read() (world, error) {
	var w world
	raw, err := os.ReadFile(h.path("world.json"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return w, fmt.Errorf("read the development world: %w", err)
	default:
		if err := json.Unmarshal(raw, &w); err != nil {
			return w, fmt.Errorf("read the development world: %w; `make clean` deletes it", err)
		}
	}
	if w.SessionKey == "" {
		key := make([]byte, 32)
		_, _ = rand.Read(key) // rand.Read never returns an error
		w.SessionKey = hex.EncodeToString(key)
	}
	return w, nil
}

func (h *home) write(w world) error {
	raw, err := json.MarshalIndent(w, "", "  ") //nolint:gosec // the file with the secrets is readable only by its owner
	if err != nil {
		return fmt.Errorf("store the development world: %w", err)
	}
	return h.replace("world.json", raw)
}

// replace atomically writes a file that can contain secrets.
func (h *home) replace(name string, content []byte) error {
	temporary := h.path(name + ".tmp")
	if err := os.WriteFile(temporary, content, 0o600); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := os.Rename(temporary, h.path(name)); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// deleteMissing removes a file that is no longer valid. A missing file is not an error.
func (h *home) deleteMissing(name string) error {
	if err := os.Remove(h.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove an old %s: %w", name, err)
	}
	return nil
}

// choosePort returns the configured port, or an error if it is in use. If no port is configured, it
// returns the stored port if that is free, and otherwise any free port.
func choosePort(configured, remembered int) (int, error) {
	if configured != 0 {
		if err := process.CheckPort(configured); err != nil {
			return 0, fmt.Errorf("%sDEV_PORT: %w", prefix, err)
		}
		return configured, nil
	}
	if remembered != 0 && process.CheckPort(remembered) == nil {
		return remembered, nil
	}
	return process.FreePort()
}

// environment formats the pairs as lines of the form TASKMARKET_NAME=value, in order.
func environment(pairs [][2]string) []byte {
	var b strings.Builder
	for _, pair := range pairs {
		fmt.Fprintf(&b, "%s%s=%s\n", prefix, pair[0], pair[1])
	}
	return []byte(b.String())
}

// contractVariables name the chain and the contracts for programs that use the world.
func contractVariables(d market.Deployment) [][2]string {
	return [][2]string{
		{"CHAIN_ID", strconv.FormatUint(d.ChainID, 10)},
		{"TOKEN_ADDRESS", d.Token.Hex()},
		{"ESCROW_ADDRESS", d.Escrow.Hex()},
		{"APPLICATION_STAKING_ADDRESS", d.Staking.Hex()},
		{"TREASURY_ADDRESS", d.Treasury.Hex()},
		{"REWARD_DISTRIBUTOR_ADDRESS", d.Distributor.Hex()},
		{"START_BLOCK", strconv.FormatUint(d.StartBlock, 10)},
	}
}
