package screening

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
	"taskmarket/server/strictjson"
)

const (
	// checkInterval is how often Watch looks for a changed file.
	checkInterval = 5 * time.Second
	// maxFileBytes limits the file: about 1.5 million wallets.
	maxFileBytes = 64 << 20
)

// Screen is what the operator forbids and requires now. It is safe for concurrent use, except that Watch must
// run only once.
type Screen struct {
	path    string
	current atomic.Pointer[policy]
	last    fileState
	invalid bool        // whether the last version is invalid
	stale   atomic.Bool // see Stale
}

// policy is the content of one version of the file.
type policy struct {
	instance Instance
	rules    Rules
	wallets  map[common.Address]bool
}

// file is the form of the screening file.
type file struct {
	Instance

	SanctionedWallets []string        `json:"sanctioned_wallets"` // get no account, task or application
	HoldRules         json.RawMessage `json:"hold_rules"`         // instead of the built-in rules, if present
}

// fileState identifies a version of the file.
type fileState struct {
	modified time.Time
	size     int64
}

// New reads the file. It fails if the file is missing or invalid. Without a path, the built-in rules hold tasks,
// and nothing else is forbidden.
func New(path string) (*Screen, error) {
	s := &Screen{path: path}
	if path == "" {
		p, err := parsePolicy([]byte("{}"))
		s.current.Store(&p)
		return s, err
	}
	s.current.Store(&policy{})
	_, err := s.reload()
	return s, err
}

// Stale reports whether the file is missing or invalid, so that an earlier version is in force.
func (s *Screen) Stale() bool { return s.stale.Load() }

// Match returns the name of the rule that holds a task with these texts, or "".
func (s *Screen) Match(parts ...string) string { return s.current.Load().rules.Match(parts...) }

// Rules returns the rules in force.
func (s *Screen) Rules() Rules { return s.current.Load().rules }

// Instance returns the restrictions and links in force.
func (s *Screen) Instance() Instance { return s.current.Load().instance }

// CheckWallet returns KindForbidden if the wallet is on the operator's list.
func (s *Screen) CheckWallet(wallet common.Address) error {
	if !s.current.Load().wallets[wallet] {
		return nil
	}
	return market.Errorf(market.KindForbidden, "this service may not open accounts, tasks or applications for your wallet, because it is on a sanctions list").
		WithHint("contact the operator if the entry is wrong; money in the contracts can still be withdrawn")
}

// Watch reloads the file when it changes until ctx ends, and calls changed after each reload. It logs a missing
// or invalid file, whose previous version stays in force.
func (s *Screen) Watch(ctx context.Context, log *slog.Logger, changed func(context.Context)) {
	if s.path == "" {
		return
	}
	tick := time.NewTicker(checkInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			reloaded, err := s.reload()
			if err != nil {
				log.ErrorContext(ctx, "reload of the screening file failed; the previous version stays in force", slog.Any("err", err))
			}
			if reloaded {
				log.InfoContext(ctx, "the screening file was reloaded")
				changed(ctx)
			}
		}
	}
}

// reload reads the file if it has changed.
func (s *Screen) reload() (changed bool, err error) {
	defer func() { s.stale.Store(err != nil || s.invalid) }()
	text, state, err := readChanged(s.path, s.last)
	if text == nil {
		return false, err
	}
	s.last = state
	p, err := parsePolicy(text)
	if s.invalid = err != nil; err != nil {
		return false, fmt.Errorf("%s: %w", s.path, err)
	}
	s.current.Store(&p)
	return true, nil
}

// readChanged reads a file if it differs from the last version; otherwise it returns nil.
func readChanged(path string, last fileState) ([]byte, fileState, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, last, err
	}
	state := fileState{modified: info.ModTime(), size: info.Size()}
	switch {
	case state == last:
		return nil, last, nil
	case !info.Mode().IsRegular():
		return nil, last, &fs.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
	case state.size > maxFileBytes:
		return nil, state, fmt.Errorf("%s is larger than %d bytes", path, maxFileBytes)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, last, err // text can be the beginning of the file
	}
	if text == nil {
		text = []byte{}
	}
	return text, state, nil
}

// parsePolicy parses a file. An unknown member is an error, so that a typo does not permit what it should forbid.
func parsePolicy(raw []byte) (policy, error) {
	text, err := market.FileText(raw)
	if err != nil {
		return policy{}, err
	}
	var f file
	if err := strictjson.Decode([]byte(text), &f); err != nil {
		return policy{}, fmt.Errorf("parse the screening file: %w", err)
	}
	p := policy{instance: f.Instance, wallets: make(map[common.Address]bool, len(f.SanctionedWallets))}
	if err := p.instance.Check(); err != nil {
		return policy{}, err
	}
	for _, text := range f.SanctionedWallets {
		wallet, err := market.ParseAddress("wallet", text)
		if err != nil {
			return policy{}, fmt.Errorf("sanctioned wallet %q is not a valid address (0x and 40 hexadecimal digits, with a valid EIP-55 checksum)", text)
		}
		p.wallets[wallet] = true
	}
	rules := []byte(f.HoldRules)
	if rules == nil || string(rules) == "null" {
		rules = builtin
	}
	p.rules, err = ParseRules(rules)
	return p, err
}
