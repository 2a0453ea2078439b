package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"taskmarket/client/internal/durable"
	"taskmarket/client/internal/poll"
)

// FileFlows stores flows as files in the directory, readable only by this user. It creates the
// directory if necessary.
func FileFlows(directory string) FlowStore { return fileFlows{directory} }

type fileFlows struct{ directory string }

const (
	lockPoll   = 50 * time.Millisecond
	flowEnding = ".json"
)

// path returns the file name for a key. The name contains a hash, because a key may contain any
// characters.
func (f fileFlows) path(key, ending string) string {
	name := sha256.Sum256([]byte(key))
	return filepath.Join(f.directory, hex.EncodeToString(name[:16])+ending)
}

// Lock locks a file next to the flow's file. The operating system releases the lock when the
// process ends. The lock file is never removed: otherwise two processes could hold the lock.
func (f fileFlows) Lock(ctx context.Context, key string) (func(), error) {
	if err := os.MkdirAll(f.directory, 0o700); err != nil {
		return nil, fmt.Errorf("create the directory of the journal: %w", err)
	}
	file, err := os.OpenFile(f.path(key, ".lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock of operation %q: %w", key, err)
	}
	for {
		locked, err := durable.TryLock(file)
		if err == nil && locked {
			return func() { file.Close() }, nil
		}
		if err == nil {
			err = poll.Pause(ctx, lockPoll)
		}
		if err != nil {
			file.Close()
			return nil, fmt.Errorf("lock operation %q: %w", key, err)
		}
	}
}

func (f fileFlows) Load(_ context.Context, key string) (_ *Flow, err error) {
	defer wrap(&err, "read operation %q", key)
	return readFlow(f.path(key, flowEnding))
}

// readFlow reads a flow from its file. It returns nil if the file does not exist.
func readFlow(path string) (*Flow, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var flow Flow
	if err := json.Unmarshal(text, &flow); err != nil {
		return nil, fmt.Errorf("decode %s: %w", path, err)
	}
	return &flow, nil
}

func (f fileFlows) List(context.Context) ([]Flow, error) {
	paths, err := filepath.Glob(filepath.Join(f.directory, "*"+flowEnding))
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	var flows []Flow
	for _, path := range paths {
		flow, err := readFlow(path)
		if err != nil {
			return nil, fmt.Errorf("read the journal: %w", err)
		}
		if flow != nil { // nil means that the flow was removed after the directory was listed
			flows = append(flows, *flow)
		}
	}
	return flows, nil
}

// Save writes and syncs a new file and renames it over the old one, so that a crash leaves either the
// old or the new version, complete.
func (f fileFlows) Save(_ context.Context, flow *Flow) error {
	text, err := json.Marshal(flow)
	if err != nil {
		return fmt.Errorf("encode operation %q: %w", flow.Key, err)
	}
	if err := durable.Replace(f.path(flow.Key, flowEnding), text); err != nil {
		return fmt.Errorf("write operation %q: %w", flow.Key, err)
	}
	return nil
}

func (f fileFlows) Remove(_ context.Context, key string) error {
	if err := os.Remove(f.path(key, flowEnding)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove operation %q: %w", key, err)
	}
	return nil
}
