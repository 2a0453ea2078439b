package spend

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"taskmarket/client"
)

// ownKeys is the prefix of the keys that commands choose.
const ownKeys = "command "

// ChooseKey returns the key of the task that the command creates. arguments is everything that the user passed to the
// command. If an interrupted run with the same arguments is in the journal, or one whose result was not printed, the
// key is the same, so that the task is paid for once; otherwise it is new. No other run with the same arguments can
// choose a key until unlock is called.
func (s *Command) ChooseKey(ctx context.Context, arguments ...any) (key string, unlock func(), err error) {
	text, err := json.Marshal(arguments)
	if err != nil {
		return "", nil, fmt.Errorf("encode arguments: %w", err)
	}
	sum := sha256.Sum256(text)
	prefix := ownKeys + hex.EncodeToString(sum[:16]) + " "
	before, err := s.earlierKey(ctx, prefix)
	if err != nil {
		return "", nil, err
	}
	if unlock, err = s.Journal.Lock(ctx, prefix); err != nil {
		return "", nil, err
	}
	key, err = s.earlierKey(ctx, prefix)
	switch {
	case err == nil && key == "" && before != "": // the other run has printed the task
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

// forget removes a finished operation from the journal if the command chose its key.
func forget(ctx context.Context, agent *client.Client, key string) error {
	if !strings.HasPrefix(key, client.TaskRequest{Key: ownKeys}.FlowKey()) {
		return nil
	}
	return agent.Discard(ctx, key)
}
