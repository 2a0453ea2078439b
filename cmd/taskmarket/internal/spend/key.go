package spend

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/uuid"

	"taskmarket/client"
)

// chosenKey matches the keys that commands choose, as returned by client.TaskRequest.FlowKey, and no key that a user is
// likely to choose.
var chosenKey = regexp.MustCompile(`^task command [0-9a-f]{32} [0-9a-f-]{36}$`)

// ChooseKey returns the key of the task that the command creates. arguments is everything that the user passed to the
// command. If an interrupted run with the same arguments is in the journal, or one whose result was not printed, the
// key is the same, so that the task is paid for once; otherwise it is new. No other run with the same arguments can
// choose a key until unlock is called. A run that had to wait for another one, which has finished, gets ErrEnded:
// it was started before the other one printed the task, so it is the same task.
func (s *Command) ChooseKey(ctx context.Context, arguments ...any) (key string, unlock func(), err error) {
	text, err := json.Marshal(arguments)
	if err != nil {
		return "", nil, fmt.Errorf("encode arguments: %w", err)
	}
	sum := sha256.Sum256(text)
	prefix := "command " + hex.EncodeToString(sum[:16]) + " "
	unlock, waited, err := s.lock(ctx, prefix)
	if err != nil {
		return "", nil, err
	}
	key, err = s.earlierKey(ctx, prefix)
	switch {
	case err == nil && key == "" && waited:
		err = client.ErrEnded
	case err == nil && key == "":
		key = prefix + uuid.NewString()
	}
	if err != nil {
		unlock()
		return "", nil, err
	}
	return key, unlock, nil
}

// lock locks the name in the journal, and reports whether another process had the lock.
func (s *Command) lock(ctx context.Context, name string) (unlock func(), waited bool, err error) {
	impatient, cancel := context.WithCancel(ctx)
	cancel()
	if unlock, err = s.Journal.Lock(impatient, name); err == nil {
		return unlock, false, nil
	}
	unlock, err = s.Journal.Lock(ctx, name)
	return unlock, true, err
}

// earlierKey returns the key with the prefix in the journal, or "" if there is none.
func (s *Command) earlierKey(ctx context.Context, prefix string) (string, error) {
	flows, err := s.Journal.List(ctx)
	for _, flow := range flows {
		if flow.Task != nil && strings.HasPrefix(flow.Task.Key, prefix) {
			return flow.Task.Key, nil
		}
	}
	return "", err
}

// forget removes a finished operation from the journal if a command chose its key.
func forget(ctx context.Context, agent *client.Client, key string) error {
	if !chosenKey.MatchString(key) {
		return nil
	}
	return agent.Forget(ctx, key)
}
