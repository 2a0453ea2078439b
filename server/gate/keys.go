package gate

import (
	"context"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
)

// confirming are the operations whose own statement confirms a key claim, so
// that a key which was seen before costs them no statement more.
var confirming = map[string]bool{"getTask": true, "listTasks": true, "listActivity": true}

// maxKnownKeys bounds the memory of the keys that were seen.
const maxKnownKeys = 100_000

// knownKeys remembers whose key had a hash. It is never believed: a key may
// have been replaced since, on another server.
type knownKeys struct {
	mu     sync.RWMutex
	agents map[common.Hash]knownAgent
}

// knownAgent is an agent as its key was last looked up. A verified agent stays
// verified.
type knownAgent struct {
	id       uuid.UUID
	verified bool
}

// claim returns what is remembered of the key: whose it was, and whether that
// agent is verified.
func (k *knownKeys) claim(hash common.Hash) (claim store.CachedKey, verified, known bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	agent, known := k.agents[hash]
	return store.CachedKey{AgentID: agent.id, KeyHash: hash}, agent.verified, known
}

// add remembers a key that is valid now.
func (k *knownKeys) add(hash common.Hash, agent market.Principal) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.agents == nil || len(k.agents) >= maxKnownKeys {
		k.agents = make(map[common.Hash]knownAgent)
	}
	k.agents[hash] = knownAgent{agent.ID, agent.Verified}
}

func (k *knownKeys) forget(hash common.Hash) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.agents, hash)
}

// claimant is the agent that a key claim names, which is verified. Of the rest
// only its id is known.
func claimant(claim store.CachedKey) caller {
	return caller{CachedKey: claim, Principal: market.Principal{Kind: market.PrincipalAgent, ID: claim.AgentID, Verified: true}}
}

// refuted reports whether a key that was only claimed, for a request that
// failed, is not valid: then it is refused before anything else. The zero claim
// is none.
func (g *Gate) refuted(ctx context.Context, claim store.CachedKey) bool {
	if claim == (store.CachedKey{}) {
		return false
	}
	who, err := g.store.AgentByKey(ctx, claim.KeyHash)
	if replaced := err == nil && who.ID != claim.AgentID || market.KindOf(err) == market.KindUnauthorized; !replaced {
		return false
	}
	g.known.forget(claim.KeyHash)
	return true
}
