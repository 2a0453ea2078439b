package screening

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

// checkInterval is how often Watch looks for changed files.
const checkInterval = 5 * time.Second

// maxWalletsBytes limits a file of sanctioned wallets: about 1.5 million addresses.
const maxWalletsBytes = 64 << 20

// Screen is the operator's current rules and sanctioned wallets. The zero value of Files selects the
// built-in rules and no wallets. A Screen is safe for concurrent use, except that Watch must run only once.
type Screen struct {
	files   Files
	rules   atomic.Pointer[Rules]
	wallets atomic.Pointer[map[common.Address]bool]
	seen    [2]fileState
	invalid [2]bool        // whether the seen version is invalid
	stale   [2]atomic.Bool // see Stale
}

// File is one of the operator's files.
type File string

// The operator's files.
const (
	FileRules     File = "rules"
	FileSanctions File = "sanctions"
)

// AllFiles lists the operator's files.
func AllFiles() []File { return []File{FileRules, FileSanctions} }

// Files are the paths of the operator's files; "" means none.
type Files struct {
	Rules     string // rules in JSON, instead of the built-in ones
	Sanctions string // one wallet address per line; "#" begins a comment
}

// fileState identifies a version of a file.
type fileState struct {
	modified time.Time
	size     int64
}

// New reads the files. It fails if one of them is missing or invalid.
func New(files Files) (*Screen, error) {
	s := &Screen{files: files}
	rules, wallets := Rules{}, map[common.Address]bool{}
	s.rules.Store(&rules)
	s.wallets.Store(&wallets)
	_, err := s.reload()
	return s, err
}

// Stale returns the files that are missing or invalid, so that an earlier version is in force.
func (s *Screen) Stale() []File {
	var files []File
	for i, file := range AllFiles() {
		if s.stale[i].Load() {
			files = append(files, file)
		}
	}
	return files
}

// Match returns the name of the rule that holds a task with these texts, or "".
func (s *Screen) Match(parts ...string) string { return s.rules.Load().Match(parts...) }

// Rules returns the rules in force.
func (s *Screen) Rules() Rules { return *s.rules.Load() }

// CheckWallet returns KindForbidden if the wallet is on the operator's list.
func (s *Screen) CheckWallet(wallet common.Address) error {
	if !(*s.wallets.Load())[wallet] {
		return nil
	}
	return market.Errorf(market.KindForbidden, "this service may not open accounts, tasks or applications for your wallet, because it is on a sanctions list").
		WithHint("contact the operator if the entry is wrong; money in the contracts can still be withdrawn")
}

// Watch reloads changed files until ctx ends, and calls changed after each reload. It logs a missing or
// invalid file, whose previous version stays in force.
func (s *Screen) Watch(ctx context.Context, log *slog.Logger, changed func(context.Context)) {
	tick := time.NewTicker(checkInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			reloaded, err := s.reload()
			if err != nil {
				log.ErrorContext(ctx, "reload of rules or sanctions failed; the previous version stays in force", slog.Any("err", err))
			}
			if reloaded {
				log.InfoContext(ctx, "rules or sanctions were reloaded")
				changed(ctx)
			}
		}
	}
}

// reload reads the files that changed.
func (s *Screen) reload() (changed bool, err error) {
	rulesChanged, rulesErr := s.reloadRules()
	walletsChanged, walletsErr := s.reloadWallets()
	for i, err := range []error{rulesErr, walletsErr} {
		s.stale[i].Store(err != nil || s.invalid[i])
	}
	return rulesChanged || walletsChanged, errors.Join(rulesErr, walletsErr)
}

func (s *Screen) reloadRules() (bool, error) {
	text := builtin
	if s.files.Rules == "" && s.seen[0] != (fileState{}) {
		return false, nil
	}
	state := fileState{size: 1}
	if s.files.Rules != "" {
		var err error
		if text, state, err = readChanged(s.files.Rules, s.seen[0], maxRulesBytes); text == nil {
			return false, err
		}
	}
	s.seen[0] = state
	rules, err := ParseRules(text)
	if s.invalid[0] = err != nil; err != nil {
		return false, fmt.Errorf("%s: %w", s.files.Rules, err)
	}
	s.rules.Store(&rules)
	return true, nil
}

func (s *Screen) reloadWallets() (bool, error) {
	if s.files.Sanctions == "" {
		return false, nil
	}
	text, state, err := readChanged(s.files.Sanctions, s.seen[1], maxWalletsBytes)
	if text == nil {
		return false, err
	}
	s.seen[1] = state
	wallets, err := parseWallets(text)
	if s.invalid[1] = err != nil; err != nil {
		return false, fmt.Errorf("%s: %w", s.files.Sanctions, err)
	}
	s.wallets.Store(&wallets)
	return true, nil
}

// readChanged reads a file if it differs from the version that was seen; otherwise it returns nil.
func readChanged(path string, seen fileState, limit int64) ([]byte, fileState, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, seen, err
	}
	state := fileState{modified: info.ModTime(), size: info.Size()}
	switch {
	case state == seen:
		return nil, seen, nil
	case !info.Mode().IsRegular():
		return nil, seen, &fs.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
	case state.size > limit:
		return nil, state, fmt.Errorf("%s is larger than %d bytes", path, limit)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, seen, err // text can be the beginning of the file
	}
	if text == nil {
		text = []byte{}
	}
	return text, state, nil
}

// parseWallets reads one address per line. An invalid line is an error, so that a file in another
// format is not treated as an empty list.
func parseWallets(raw []byte) (map[common.Address]bool, error) {
	text, err := market.FileText(raw)
	if err != nil {
		return nil, err
	}
	wallets := map[common.Address]bool{}
	number := 0
	for line := range bytes.Lines([]byte(text)) {
		number++
		line, _, _ = bytes.Cut(line, []byte("#"))
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		wallet, err := market.ParseAddress("wallet", string(line))
		if err != nil {
			return nil, fmt.Errorf("line %d is not a valid wallet address (0x and 40 hexadecimal digits, with a valid EIP-55 checksum)", number)
		}
		wallets[wallet] = true
	}
	return wallets, nil
}
