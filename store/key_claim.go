package store

import (
	"context"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/market"
)

// KeyClaim is what an earlier request has learnt: that the API key with this
// SHA-256 is the agent's. Keys are replaced, at any instant and by any replica,
// so a claim counts for nothing until the statement that reads an answer has
// confirmed it. The zero value claims nothing.
type KeyClaim struct {
	AgentID uuid.UUID
	KeyHash common.Hash
}

func (c KeyClaim) made() bool { return c != KeyClaim{} }

// column confirms the claim within the statement that it is added to, whose
// arguments so far are args.
func (c KeyClaim) column(args []any) (sql string, all []any) {
	if !c.made() {
		return "", args
	}
	first := len(args) + 1
	return `, EXISTS (SELECT 1 FROM agents k WHERE k.id = $` + strconv.Itoa(first) +
		` AND k.key_hash = $` + strconv.Itoa(first+1) + `) AS key_holds`, append(args, c.AgentID, c.KeyHash)
}

// check refuses a claim that the column did not confirm.
func (c KeyClaim) check(holds bool) error {
	if c.made() && !holds {
		return invalidKey(nil)
	}
	return nil
}

// confirm asks for the claim alone.
func (s *Store) confirm(ctx context.Context, c KeyClaim) error {
	if !c.made() {
		return nil
	}
	who, err := s.AgentByKey(ctx, c.KeyHash)
	if err != nil {
		return err
	}
	return c.check(who.ID == c.AgentID)
}

func invalidKey(cause error) error {
	return refusal(market.KindUnauthorized, "this API key is not valid", cause)
}
