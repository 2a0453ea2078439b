package store

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// CachedKey is the owner of an API key as an earlier request has read it. Keys
// are replaced, at any instant and by any replica, so the statement that reads
// the answer checks it again. The zero value needs no check.
type CachedKey struct {
	AgentID uuid.UUID
	KeyHash common.Hash // SHA-256 of the key
}

// guard returns the check of the key within a statement.
func (k CachedKey) guard() pg.Guard {
	if k == (CachedKey{}) {
		return pg.Guard{}
	}
	return pg.Guard{
		Condition: "EXISTS (SELECT 1 FROM agents k WHERE k.id = ? AND k.key_hash = ?)",
		Args:      []any{k.AgentID, k.KeyHash}, Err: invalidKey(nil),
	}
}

func invalidKey(cause error) error {
	return pg.Refusal(market.KindUnauthorized, "this API key is not valid", cause)
}
