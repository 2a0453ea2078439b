package fold

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

// linkedApplication is an application with its stake during linking.
type linkedApplication struct {
	ID           uuid.UUID                `db:"id"`
	TaskID       uuid.UUID                `db:"task_id"`
	HumanID      uuid.UUID                `db:"human_id"`
	HumanWallet  common.Address           `db:"human_wallet"`
	StakeAmount  pg.Wei                   `db:"stake_amount"`
	Status       market.ApplicationStatus `db:"status"`
	Decision     *string                  `db:"decision"`
	CreatedAt    pg.NullTime              `db:"created_at"`
	StakeTx      pg.NullHash              `db:"stake_tx"` // transaction of the stake that was linked most recently
	StakeOrdinal sql.NullInt64            `db:"stake_ordinal"`
	OnchainID    pg.NullUint              `db:"onchain_application_id"`
	TransitionAt pg.NullTime              `db:"turns_at"`
	Escrow       common.Address           `db:"escrow"`
	stake        *market.Stake            // the linked stake's current state on the chain; nil if there is none
}

// differs reports whether a and b differ, so that the application must be saved.
func (a linkedApplication) differs(b linkedApplication) bool {
	return a.Status != b.Status || a.StakeTx != b.StakeTx || a.StakeOrdinal != b.StakeOrdinal ||
		a.OnchainID != b.OnchainID || !a.TransitionAt.Equal(b.TransitionAt.Time)
}

// onchainStake is a stake with the human who locked it.
type onchainStake struct {
	TaskID  uuid.UUID              `db:"record_id"`
	HumanID *uuid.UUID             `db:"human_id"` // nil if the wallet has never signed in
	Row     onchain.ApplicationRow `db:"o"`
}

// linkApplications links the tasks' applications to the stakes on the tasks' postings and updates
// the applications' statuses.
func (f *Fold) linkApplications(ctx context.Context, ids []uuid.UUID, records map[uuid.UUID]*linkedTask) error {
	applications, err := f.applications(ctx, ids)
	if err != nil {
		return err
	}
	stakes, err := f.onchainStakes(ctx, ids)
	if err != nil {
		return err
	}
	var changed []linkedApplication
	unlink := false
	for _, id := range ids {
		before := applications[id]
		after := f.matchStakes(records[id].task, slices.Clone(before), stakes[id])
		humans := make(map[uuid.UUID]bool)
		for i, a := range after {
			isNew := i >= len(before)
			if isNew || a.differs(before[i]) {
				changed = append(changed, a)
				unlink = unlink || humans[a.HumanID] || !isNew && before[i].linked()
				humans[a.HumanID] = true
			}
		}
		records[id].applications = after
	}
	return f.saveApplications(ctx, changed, unlink)
}

// linked reports whether the application has a stake's position or an on-chain id. Both are unique, and a
// reorganisation can move them to another application, so saveApplications must clear them first.
func (a linkedApplication) linked() bool { return a.StakeOrdinal.Valid || a.OnchainID != 0 }

// applications returns the tasks' applications, oldest first.
func (f *Fold) applications(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID][]linkedApplication, error) {
	var rows []linkedApplication
	err := f.db.Select(ctx, f.tx, &rows, `
		SELECT a.id, a.task_id, a.human_id, u.wallet AS human_wallet, a.stake_amount, a.status, a.decision, a.created_at,
		       a.stake_tx, a.stake_ordinal, a.onchain_application_id, a.turns_at, a.escrow
		FROM applications a
		JOIN users u ON u.id = a.human_id
		WHERE a.task_id = ANY ($1)
		ORDER BY a.created_at, a.id`, pq.Array(ids))
	applications := make(map[uuid.UUID][]linkedApplication)
	for _, row := range rows {
		applications[row.TaskID] = append(applications[row.TaskID], row)
	}
	return applications, pg.Translate(err, "select the applications to link")
}

// onchainStakes returns the stakes on the tasks' postings, in chain order.
func (f *Fold) onchainStakes(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID][]onchainStake, error) {
	var rows []onchainStake
	err := f.db.Select(ctx, f.tx, &rows, `
		SELECT t.id AS record_id, u.id AS human_id,
		       `+onchain.ApplicationColumns+`
		FROM tasks t
		JOIN onchain_applications o ON o.chain_id = t.chain_id AND o.escrow = t.escrow AND o.task_id = t.escrow_task_id
		LEFT JOIN users u ON u.kind = 'human' AND u.wallet = o.human
		WHERE t.id = ANY ($1)
		ORDER BY o.locked_block, o.locked_index`, pq.Array(ids))
	stakes := make(map[uuid.UUID][]onchainStake)
	for _, row := range rows {
		stakes[row.TaskID] = append(stakes[row.TaskID], row)
	}
	return stakes, pg.Translate(err, "select the stakes to link")
}

// matchStakes returns the applications to one task with their stakes. A stake belongs
//
//  1. to the application that it was linked to before, otherwise
//  2. to its human's oldest undecided application without a stake (see pendingApplication), otherwise
//  3. to an implicit application, which has an empty message.
//
// A stake whose wallet has no account does not belong to an application. An implicit application is
// released if a reorganisation drops its stake.
func (f *Fold) matchStakes(task market.Task, all []linkedApplication, stakes []onchainStake) []linkedApplication {
	linked := make(map[uuid.UUID]*market.Stake, len(stakes))
	var unknown []onchainStake
	for _, stake := range stakes {
		if i := slices.IndexFunc(all, func(a linkedApplication) bool { return a.has(stake) }); i >= 0 {
			linked[all[i].ID] = f.stakeOf(stake)
		} else if stake.HumanID != nil {
			unknown = append(unknown, stake)
		}
	}
	for _, stake := range unknown {
		i := f.pendingApplication(all, *stake.HumanID, linked)
		if i < 0 {
			all, i = append(all, f.implicitApplication(task, stake)), len(all)
		}
		linked[all[i].ID] = f.stakeOf(stake)
	}
	for i := range all {
		f.applyStake(&all[i], linked[all[i].ID], task.Escrow)
	}
	releaseDuplicates(all)
	return all
}

func (f *Fold) stakeOf(s onchainStake) *market.Stake { return s.Row.StakeOf(f.deployment.Staking) }

// has reports whether s is the stake that was most recently linked to the application.
func (a *linkedApplication) has(s onchainStake) bool {
	return a.StakeOrdinal.Valid && a.StakeOrdinal.Int64 == int64(s.Row.LockedOrdinal) &&
		a.StakeTx.Hash == s.Row.LockedTx.Hash && a.HumanWallet == s.Row.Human.Address
}

// pendingApplication returns the index of the human's application that a new stake belongs to, or
// -1. The application must be neither linked nor decided. Applications that never had a stake are
// preferred to those whose stake a reorganisation dropped.
func (f *Fold) pendingApplication(all []linkedApplication, humanID uuid.UUID, linked map[uuid.UUID]*market.Stake) int {
	found := -1
	for i, a := range all {
		switch {
		case a.HumanID != humanID || linked[a.ID] != nil || a.Decision != nil || f.isImplicit(a):
		case !a.StakeOrdinal.Valid:
			return i
		case found < 0:
			found = i
		}
	}
	return found
}

// implicitApplication returns the application for a stake that was locked directly on the contract.
// Its id is derived from the stake's position on the chain, so that a replay produces the same id.
func (f *Fold) implicitApplication(task market.Task, s onchainStake) linkedApplication {
	a := linkedApplication{Escrow: task.EscrowAddress}
	a.TaskID, a.HumanID, a.HumanWallet, a.StakeAmount = s.TaskID, *s.HumanID, s.Row.Human.Address, s.Row.Amount
	a.CreatedAt = s.Row.LockedAt
	a.ID = f.implicitID(s.TaskID, s.Row.LockedTx.Hash, int64(s.Row.LockedOrdinal), s.Row.LockedAt.Time)
	return a
}

// isImplicit reports whether the application exists only because of its stake.
func (f *Fold) isImplicit(a linkedApplication) bool {
	return a.StakeOrdinal.Valid && a.ID == f.implicitID(a.TaskID, a.StakeTx.Hash, a.StakeOrdinal.Int64, a.CreatedAt.Time)
}

func (f *Fold) implicitID(taskID uuid.UUID, txHash common.Hash, ordinal int64, at time.Time) uuid.UUID {
	name := binary.BigEndian.AppendUint64(append(taskID[:], txHash[:]...), f.deployment.ChainID)
	return derivedID(at, binary.BigEndian.AppendUint64(name, pg.Counter(ordinal)))
}

// derivedID returns a version 7 UUID with the given time. Its random part is a hash of the name.
func derivedID(at time.Time, name []byte) uuid.UUID {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], uint64(at.UnixMilli())<<16)
	hash := sha256.Sum256(name)
	copy(id[6:], hash[:])
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id
}

// applyStake sets the application's status according to the stake. An application whose stake was
// dropped retains the stake's position. An implicit application is released in this case, because
// no user applied through the service.
func (f *Fold) applyStake(a *linkedApplication, stake *market.Stake, escrow *market.EscrowTask) {
	application := market.Application{Decision: market.ApplicationStatus(pg.Text(a.Decision))}
	application.LinkStake(stake, escrow, f.now())
	a.stake, a.Status, a.OnchainID, a.TransitionAt = stake, application.Status, 0, pg.NullTime{}
	if stake == nil {
		if a.Status == market.ApplicationNew && f.isImplicit(*a) {
			a.Status = market.ApplicationReleased
		}
		return
	}
	a.OnchainID, a.StakeTx = pg.NullUint(stake.ID), pg.NullHash{Hash: stake.Locked.TxHash}
	a.StakeOrdinal = sql.NullInt64{Int64: int64(stake.Locked.Ordinal), Valid: true}
	waits := a.Status == market.ApplicationPending || a.Status == market.ApplicationExpired
	if stake.Status == market.StakeLive && waits {
		a.TransitionAt = pg.NullTime{Time: stake.ExpiresAt}
	}
}

// releaseDuplicates releases all but one open application by each human. There can be two if a
// reorganisation reverts the end of an earlier one. It retains the application with a stake, or
// otherwise the newest one.
func releaseDuplicates(all []linkedApplication) {
	live := make(map[uuid.UUID]bool)
	for _, a := range all {
		if a.Status == market.ApplicationPending || a.Status == market.ApplicationAccepted {
			live[a.HumanID] = true
		}
	}
	for i := range slices.Backward(all) {
		a := &all[i]
		if a.Status != market.ApplicationNew {
			continue
		}
		if live[a.HumanID] {
			a.Status = market.ApplicationReleased
		}
		live[a.HumanID] = true
	}
}

// applicationLink contains the columns to save for an application.
type applicationLink struct {
	ID           uuid.UUID                `json:"id"`
	TaskID       uuid.UUID                `json:"task_id"`
	HumanID      uuid.UUID                `json:"human_id"`
	StakeAmount  *big.Int                 `json:"stake_amount"`
	StakeTx      jsonBytes                `json:"stake_tx"`
	StakeOrdinal *int64                   `json:"stake_ordinal"`
	Status       market.ApplicationStatus `json:"status"`
	OnchainID    uint64                   `json:"onchain_application_id,omitempty"`
	ChainID      uint64                   `json:"chain_id"`
	Escrow       jsonBytes                `json:"escrow"`
	TransitionAt *time.Time               `json:"turns_at"`
	CreatedAt    time.Time                `json:"created_at"`
}

func (f *Fold) linkOf(a linkedApplication) applicationLink {
	row := applicationLink{
		ID: a.ID, TaskID: a.TaskID, HumanID: a.HumanID, StakeAmount: a.StakeAmount.Int, StakeTx: jsonOf(a.StakeTx),
		Status: a.Status, OnchainID: uint64(a.OnchainID), ChainID: f.deployment.ChainID,
		Escrow: a.Escrow[:], TransitionAt: a.TransitionAt.Pointer(), CreatedAt: a.CreatedAt.Time,
	}
	if a.StakeOrdinal.Valid {
		row.StakeOrdinal = &a.StakeOrdinal.Int64
	}
	return row
}

// detachStakes unlinks the stakes of changed applications from the applications that had them
// before. After a reorganisation that changed the escrow's ids, the same transaction can stake for
// another task. detachStakes deletes former applications that are implicit and undecided, and
// returns the changed applications that remain to be saved.
func (f *Fold) detachStakes(ctx context.Context, changed []linkedApplication) ([]linkedApplication, error) {
	var owners []uuid.UUID
	var txs pq.ByteaArray
	var ordinals pq.Int64Array
	for _, a := range changed {
		if a.stake != nil {
			owners, txs, ordinals = append(owners, a.ID), append(txs, a.StakeTx.Bytes()), append(ordinals, a.StakeOrdinal.Int64)
		}
	}
	var former []linkedApplication
	err := f.db.Select(ctx, f.tx, &former, `
		SELECT a.id, a.task_id, a.decision, a.created_at, a.stake_tx, a.stake_ordinal
		FROM unnest($1::bytea[], $2::int[]) AS k (tx, ordinal)
		JOIN applications a ON a.chain_id = $3 AND a.escrow = $4 AND a.stake_tx = k.tx AND a.stake_ordinal = k.ordinal
		WHERE a.id <> ALL ($5)`,
		txs, ordinals, f.deployment.ChainID, f.deployment.Escrow, pq.Array(owners))
	if err != nil || len(former) == 0 {
		return changed, pg.Translate(err, "select the former applications of stakes")
	}
	var deleted, retained []uuid.UUID
	for _, a := range former {
		if f.isImplicit(a) && a.Decision == nil {
			deleted = append(deleted, a.ID)
		} else {
			retained = append(retained, a.ID)
		}
	}
	if _, err := f.db.Exec(ctx, f.tx, `DELETE FROM applications WHERE id = ANY ($1)`, pq.Array(deleted)); err != nil {
		return nil, pg.Translate(err, "delete the implicit applications of moved stakes")
	}
	_, err = f.db.Exec(ctx, f.tx, `UPDATE applications SET stake_tx = NULL, stake_ordinal = NULL WHERE id = ANY ($1)`, pq.Array(retained))
	if err != nil {
		return nil, pg.Translate(err, "unlink moved stakes")
	}
	changed = slices.DeleteFunc(changed, func(a linkedApplication) bool { return slices.Contains(deleted, a.ID) })
	for i := range changed {
		if slices.Contains(retained, changed[i].ID) {
			changed[i].StakeTx, changed[i].StakeOrdinal = pg.NullHash{}, sql.NullInt64{}
		}
	}
	return changed, nil
}

// saveApplications saves changed applications. Each link is unique, and a human has at most one open
// application to a task. unlink is true if applications may exchange links or statuses. All of them are
// then unlinked and released before any is saved. The intermediate statuses cause no events, because
// events are computed by comparing the rows at the commit with those before the transaction.
func (f *Fold) saveApplications(ctx context.Context, changed []linkedApplication, unlink bool) error {
	changed, err := f.detachStakes(ctx, changed)
	if err != nil || len(changed) == 0 {
		return err
	}
	ids, rows := make([]uuid.UUID, len(changed)), make([]applicationLink, len(changed))
	for i, a := range changed {
		ids[i], rows[i] = a.ID, f.linkOf(a)
	}
	if unlink {
		_, err = f.db.Exec(ctx, f.tx, `
			UPDATE applications
			SET status = 'released', onchain_application_id = NULL, stake_tx = NULL, stake_ordinal = NULL
			WHERE id = ANY ($1)`, pq.Array(ids))
		if err != nil {
			return pg.Translate(err, "unlink applications")
		}
	}
	return f.insertJSON(ctx, "save applications", `
		INSERT INTO applications (id, task_id, human_id, stake_amount, stake_tx, stake_ordinal, status,
		                          onchain_application_id, chain_id, escrow, turns_at, created_at)
		SELECT id, task_id, human_id, stake_amount, stake_tx, stake_ordinal, status,
		       onchain_application_id, chain_id, escrow, turns_at, created_at
		FROM json_populate_recordset(NULL::applications, $1)
		ON CONFLICT (id) DO UPDATE
		SET stake_tx = EXCLUDED.stake_tx, stake_ordinal = EXCLUDED.stake_ordinal, status = EXCLUDED.status,
		    onchain_application_id = EXCLUDED.onchain_application_id, turns_at = EXCLUDED.turns_at`, rows)
}
