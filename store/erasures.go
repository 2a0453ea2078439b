package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/auditlog"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

const (
	// ErasedText replaces an erased text where a record of another user needs one.
	ErasedText = "[deleted]"
	// ErasureInterval is the minimum time between two erasures that an account requests. It limits the
	// records of erasures, which are never deleted.
	ErasureInterval = 24 * time.Hour
)

// Requester states which side requested an erasure.
type Requester string

// The requesters of an erasure.
const (
	RequesterAccount  Requester = "account"
	RequesterOperator Requester = "operator"
)

// Requesters returns all requesters.
func Requesters() []Requester { return []Requester{RequesterAccount, RequesterOperator} }

// Erasure is the erasure of an account's personal data. The account remains under a neutral name, so
// that the records of other users and of the chain stay complete. Its wallet can use the account again.
type Erasure struct {
	ID          uuid.UUID
	Account     uuid.UUID
	RequestedBy Requester
	At          time.Time
}

// Username returns the name that replaces the account's username. It depends only on the erasure's id,
// so that repeating an erasure gives the same name.
func (e Erasure) Username() string {
	const digits = 6 // in bytes; each is formatted as two hexadecimal digits
	hash := sha256.Sum256(e.ID[:])
	return "deleted-" + hex.EncodeToString(hash[:digits])
}

// erasureTimeout replaces the statement timeout of an erasure, because an account can have many records.
const erasureTimeout = time.Minute

// maxErasureObstacles limits the number of obstacles that a refused erasure lists.
const maxErasureObstacles = 20

// ErasureRequest is a request to erase an account.
type ErasureRequest struct {
	Erasure // At is set by the database

	Username  string     // must be the account's, ignoring case
	Challenge *Challenge // the challenge that the wallet signed; nil for an operator
}

// CheckErasure returns the error that EraseAccount would return to the account without a challenge. It
// changes nothing.
func (s *Store) CheckErasure(ctx context.Context, account uuid.UUID, username string) error {
	return s.db.Snapshot(ctx, func(tx *sqlx.Tx) error {
		target, err := s.accountToErase(ctx, tx, account, "")
		if err != nil {
			return err
		}
		return s.checkErasure(ctx, tx, target, username, RequesterAccount)
	})
}

// EraseAccount erases the account's personal data in one transaction, and writes the act to the audit
// log. It returns the erasure, and the ids of the deleted files, whose bytes no longer have a record. It
// returns KindNotFound for an unknown account, KindInvalid if the username is not the account's,
// KindWrongStatus with details while a task, posting, application, stake or claim of the account is
// open, KindRateLimited if the account requests it less than ErasureInterval after its last
// erasure, and the errors of consumeChallenge. Sweep erases texts and files that are part of a contract
// with another user, market.ContractRetention later. On-chain facts, ids, amounts, decisions and ratings
// stay.
func (s *Store) EraseAccount(ctx context.Context, request ErasureRequest) (Erasure, []uuid.UUID, error) {
	erased := request.Erasure
	var files []uuid.UUID
	err := s.db.LongTxFor(ctx, request.Account, func(tx *sqlx.Tx) error {
		target, err := s.accountToErase(ctx, tx, request.Account, " FOR UPDATE")
		if err != nil {
			return err
		}
		if request.Challenge != nil {
			if err := s.consumeChallenge(ctx, tx, *request.Challenge); err != nil {
				return err
			}
		}
		if err := s.checkErasure(ctx, tx, target, request.Username, request.RequestedBy); err != nil {
			return err
		}
		erased.At = target.Now.Time
		if files, err = s.erase(ctx, tx, erased, target, false); err != nil {
			return err
		}
		return s.auditErasure(ctx, tx, erased)
	})
	return erased, files, err
}

func (s *Store) auditErasure(ctx context.Context, tx *sqlx.Tx, e Erasure) error {
	entry := market.AuditEntry{
		Kind: market.AuditErasure, SubjectKind: "account", Subject: e.Account.String(), Detail: string(e.RequestedBy),
	}
	if e.RequestedBy == RequesterAccount && market.OriginOf(ctx).Operator == "" {
		entry.Account = e.Account
	}
	return auditlog.Add(ctx, s.db, tx, entry)
}

// erasedAccount is an account to erase.
type erasedAccount struct {
	ID       uuid.UUID            `db:"id"`
	Kind     market.PrincipalKind `db:"kind"`
	Username string               `db:"username"`
	Wallet   common.Address       `db:"wallet"`
	Now      pg.NullTime          `db:"now"`
}

// accountToErase reads the account. With the lock " FOR UPDATE", concurrent inserts of the account's
// records wait for the erasure.
func (s *Store) accountToErase(ctx context.Context, tx *sqlx.Tx, id uuid.UUID, lock string) (erasedAccount, error) {
	var target erasedAccount
	err := s.db.Get(ctx, tx, &target, `SELECT id, kind, username, wallet, now()::instant AS now FROM users WHERE id = $1`+lock, id)
	return target, pg.Translate(err, fmt.Sprintf("select account %s", id))
}

func (s *Store) checkErasure(ctx context.Context, tx *sqlx.Tx, target erasedAccount, username string, by Requester) error {
	if !strings.EqualFold(username, target.Username) {
		return market.Invalid("username", "mismatch", "must be the username of the account to delete")
	}
	if by == RequesterAccount {
		if err := s.checkLastErasure(ctx, tx, target); err != nil {
			return err
		}
	}
	obstacles, err := s.erasureObstacles(ctx, tx, target)
	if err != nil || len(obstacles) == 0 {
		return err
	}
	refusal := market.Errorf(market.KindWrongStatus, "the account cannot be deleted yet: %s", obstacles[0].Message).
		WithHint("finish, cancel or withdraw what is still open, then delete the account")
	refusal.Details = obstacles
	return refusal
}

// checkLastErasure returns KindRateLimited if the account was erased less than ErasureInterval ago.
func (s *Store) checkLastErasure(ctx context.Context, tx *sqlx.Tx, target erasedAccount) error {
	var last pg.NullTime
	err := s.db.Get(ctx, tx, &last, `SELECT max(erased_at) FROM erasures WHERE account_id = $1`, target.ID)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("select the last erasure of %s", target.ID))
	}
	wait := last.Add(ErasureInterval).Sub(target.Now.Time)
	if last.IsZero() || wait <= 0 {
		return nil
	}
	return &market.Error{
		Kind:    market.KindRateLimited,
		Message: fmt.Sprintf("the account was deleted at %s, and can be deleted only once in %s", market.FormatTime(last.Time), market.FormatDuration(ErasureInterval)),
		Hint:    "wait, then delete what has been added since", RetryAfter: wait,
	}
}

// obstacles selects the records that must end before an erasure of the account $1 with the wallet $2 and
// the kind $3. It includes stakes and postings of the wallet that belong to no record of the account.
const obstacles = `
	SELECT 'task' AS field, t.status AS code,
	       'task ' || t.id || ' is ' || t.status || ': wait until it has ended, or end it' AS message
	FROM tasks t
	WHERE (t.agent_id = $1 OR t.human_id = $1) AND t.status NOT IN ('new', 'approved', 'rejected', 'cancelled')
	UNION ALL
	SELECT 'application', a.status, 'application ' || a.id || ' is ' || a.status || ': withdraw it, or wait for the decision'
	FROM applications a
	WHERE a.human_id = $1 AND a.status IN ('new', 'pending')
	UNION ALL
	SELECT 'stake', o.status, 'stake ' || o.id || ' for escrow task ' || o.task_id || ' is locked: withdraw it'
	FROM (SELECT chain_id, escrow FROM chain_parameters UNION SELECT $5, $6) p
	JOIN onchain_applications o ON o.chain_id = p.chain_id AND o.escrow = p.escrow AND o.human = $2
	WHERE $3 = 'human' AND o.status = 'live'
	UNION ALL
	SELECT 'posting', 'locked', 'escrow task ' || e.id || ' of contract 0x' || encode(e.escrow, 'hex') || ' locks an amount: end or cancel it'
	FROM (SELECT chain_id, escrow FROM chain_parameters UNION SELECT $5, $6) p
	JOIN onchain_tasks e ON e.chain_id = p.chain_id AND e.escrow = p.escrow AND e.status < 5
	     AND ($3 = 'agent' AND e.agent = $2 OR $3 = 'human' AND e.human = $2)
	WHERE NOT EXISTS (SELECT FROM tasks t WHERE t.chain_id = e.chain_id AND t.escrow = e.escrow AND t.escrow_task_id = e.id)
	UNION ALL
	SELECT 'claim', c.status, 'claim ' || c.id || ' is pending: wait until it is paid or has failed'
	FROM claims c
	WHERE c.agent_id = $1 AND c.status = 'pending'
	LIMIT $4`

func (s *Store) erasureObstacles(ctx context.Context, tx *sqlx.Tx, target erasedAccount) ([]market.Detail, error) {
	var rows []struct {
		Field   string `db:"field"`
		Code    string `db:"code"`
		Message string `db:"message"`
	}
	err := s.db.Select(ctx, tx, &rows, obstacles, target.ID, target.Wallet, target.Kind, maxErasureObstacles, s.deployment.ChainID, s.deployment.Escrow)
	details := make([]market.Detail, len(rows))
	for i, row := range rows {
		details[i] = market.Detail(row)
	}
	return details, pg.Translate(err, fmt.Sprintf("select the obstacles to erasing %s", target.ID))
}

// erase inserts the erasure, erases the account's profile and the texts and files that are not part of a
// contract, and returns the ids of the deleted files. It does not check whether money is locked.
func (s *Store) erase(ctx context.Context, tx *sqlx.Tx, e Erasure, target erasedAccount, listed bool) ([]uuid.UUID, error) {
	what := fmt.Sprintf("erase account %s", e.Account)
	if err := s.db.Extend(ctx, tx, erasureTimeout); err != nil {
		return nil, pg.Translate(err, what)
	}
	_, err := s.db.Exec(ctx, tx, `
		INSERT INTO erasures (id, account_id, requested_by, erased_at, listed) VALUES ($1, $2, $3, $4, $5)`,
		e.ID, e.Account, e.RequestedBy, e.At, listed)
	if err != nil {
		return nil, pg.Translate(err, what)
	}
	if err := s.eraseProfile(ctx, tx, e, target); err != nil {
		return nil, err
	}
	for _, statement := range erasedTexts {
		if _, err := s.db.Exec(ctx, tx, statement, e.Account); err != nil {
			return nil, pg.Translate(err, what)
		}
	}
	var files []uuid.UUID
	err = s.db.Select(ctx, tx, &files, fmt.Sprintf(eraseFiles, `(ft.status = 'new' OR NOT `+onchain.FileShared+`)`), e.Account)
	return files, pg.Translate(err, what)
}

// evades is true if the user u could use a new account to evade a measure or open reports.
const evades = `(u.account_state IN ('limited', 'suspended')
	OR EXISTS (SELECT 1 FROM reports r WHERE r.author_id = u.id AND r.decision_id IS NULL))`

// eraseProfile replaces the profile, its username and its credentials. The wallet stays, because it
// identifies the account's records on the chain, and its owner can sign in or recover a key to use the
// account again. If evades is true, the linked social account is stored as barred; see checkRelink.
func (s *Store) eraseProfile(ctx context.Context, tx *sqlx.Tx, e Erasure, target erasedAccount) error {
	what := fmt.Sprintf("erase the profile of %s", e.Account)
	_, err := s.db.Exec(ctx, tx, `
		INSERT INTO barred_links (user_id, account_hash)
		SELECT id, `+fmt.Sprintf(accountHash, "social_network", "social_account_id")+`
		FROM users u
		WHERE id = $1 AND verified_at IS NOT NULL AND `+evades+`
		ON CONFLICT DO NOTHING`, e.Account)
	if err != nil {
		return pg.Translate(err, what)
	}
	var code [16]byte
	rand.Read(code[:]) // never returns an error: crashes the program instead
	_, err = s.db.Exec(ctx, tx, `
		UPDATE users
		SET username = $2, name = $2, bio = '', verification_code = $3, code_expires_at = now(), code_account = NULL,
		    social_network = NULL, social_handle = NULL, social_account_id = NULL, social_post_id = NULL,
		    social_posted_at = NULL, verified_at = NULL, linked_code = NULL, former_username = NULL, updated_at = now()
		WHERE id = $1`, e.Account, e.Username(), "erased-"+hex.EncodeToString(code[:]))
	if err != nil {
		return pg.Translate(err, what)
	}
	for _, statement := range []string{
		`UPDATE humans
		SET skills = '{}', location = NULL, place = NULL, remote = true, hourly_rate = NULL, available = false, adult_at = NULL
		WHERE id = $1`,
		// A hash of random bytes, which no key matches.
		`UPDATE agents
		SET key_hash = sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), key_prefix = '',
		    key_rotated_at = NULL, key_recovered_at = NULL
		WHERE id = $1`,
		`DELETE FROM sessions WHERE human_id = $1`,
		// Stored responses contain the account's texts.
		`DELETE FROM idempotency_keys WHERE account_id = $1`,
	} {
		if _, err := s.db.Exec(ctx, tx, statement, e.Account); err != nil {
			return pg.Translate(err, what)
		}
	}
	if _, err := s.db.Exec(ctx, tx, `DELETE FROM challenges WHERE wallet = $1`, target.Wallet); err != nil {
		return pg.Translate(err, what)
	}
	// The trigger on users reserves an agent's former usernames forever; those of an erased agent are released.
	_, err = s.db.Exec(ctx, tx, `
		UPDATE usernames SET released_at = least(released_at, $2::timestamptz)
		WHERE user_id = $1 AND skeleton <> username_skeleton($3)`, e.Account, e.At, e.Username())
	return pg.Translate(err, what)
}

// delivered is true if the hash of the submission s is on the chain.
const delivered = `EXISTS (
	SELECT 1
	FROM tasks t
	JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
	WHERE t.id = s.task_id AND e.work_hash = s.work_hash)`

// erasedText is ErasedText in SQL. It replaces texts that cannot be empty.
const erasedText = "'" + ErasedText + "'"

// erasedTexts erase the texts of the account $1 that are not part of a contract.
var erasedTexts = []string{
	`UPDATE tasks
	SET title = ` + erasedText + `, description = ` + erasedText + `, skills = '{}', location = NULL, place = NULL, erased_at = now()
	WHERE agent_id = $1 AND status = 'new' AND erased_at IS NULL`,
	`UPDATE applications SET message = '' WHERE human_id = $1 AND message <> ''`,
	`UPDATE submissions s SET note = '', proof_url = NULL
	WHERE s.human_id = $1 AND (s.note <> '' OR s.proof_url IS NOT NULL) AND NOT ` + delivered,
	`UPDATE task_messages SET content = ` + erasedText + ` WHERE sender_id = $1 AND content <> ` + erasedText,
	`UPDATE direct_messages m SET content = ` + erasedText + `
	FROM conversations c
	WHERE c.id = m.conversation_id AND CASE m.sender_kind WHEN 'agent' THEN c.agent_id ELSE c.human_id END = $1
	  AND (c.agent_id = $1 OR c.human_id = $1) AND m.content <> ` + erasedText,
	`UPDATE reviews SET comment = NULL WHERE reviewer_id = $1 AND comment IS NOT NULL`,
	`UPDATE reports SET comment = '' WHERE reporter_id = $1 AND comment <> ''`,
	`UPDATE appeals a SET statement = ` + erasedText + `
	FROM moderation_decisions d
	WHERE d.id = a.decision_id AND d.author_id = $1 AND d.measure <> 'none' AND a.statement <> ` + erasedText,
}

// contractTexts erase the texts of the account $1 that are part of contracts and older than the erasure at
// $2, and delete the usernames that the account had released by then.
var contractTexts = []string{
	`UPDATE tasks SET title = ` + erasedText + `, description = ` + erasedText + `, skills = '{}', location = NULL, place = NULL
	WHERE agent_id = $1 AND created_at <= $2`,
	`UPDATE applications a SET rejection_reason = ` + erasedText + `
	FROM tasks t
	WHERE t.id = a.task_id AND t.agent_id = $1 AND t.created_at <= $2 AND a.rejection_reason IS NOT NULL`,
	`UPDATE submissions SET note = '', proof_url = NULL WHERE human_id = $1 AND created_at <= $2`,
	`UPDATE disputes d SET reason = ` + erasedText + `
	FROM tasks t
	WHERE t.id = d.task_id AND (t.agent_id = $1 OR t.human_id = $1) AND d.created_at <= $2
	  AND CASE d.filed_by WHEN 'agent' THEN t.agent_id ELSE t.human_id END = $1`,
	`UPDATE disputes d SET response = ` + erasedText + `
	FROM tasks t
	WHERE t.id = d.task_id AND (t.agent_id = $1 OR t.human_id = $1) AND d.created_at <= $2 AND d.response <> ''
	  AND CASE d.filed_by WHEN 'agent' THEN t.human_id ELSE t.agent_id END = $1`,
	`UPDATE verdicts SET reason = ` + erasedText + ` WHERE human_id = $1 AND created_at <= $2`,
	`DELETE FROM usernames WHERE user_id = $1 AND released_at <= $2`,
}

// eraseFiles deletes the files of the account $1 that meet a condition, and returns their ids.
const eraseFiles = `
	WITH doomed AS (
		SELECT f.id
		FROM files f
		JOIN tasks ft ON ft.id = f.task_id
		WHERE f.uploader_id = $1 AND %s
	), unlinked AS (
		DELETE FROM submission_files WHERE file_id IN (SELECT id FROM doomed)
	)
	DELETE FROM files WHERE id IN (SELECT id FROM doomed)
	RETURNING id`

// sweepErasures erases the texts and files that are part of contracts, market.ContractRetention after an
// erasure, in one transaction for each erasure. server.SweepFiles deletes the bytes of the files.
func (s *Store) sweepErasures(ctx context.Context) error {
	for {
		found := false
		err := s.db.LongTx(ctx, func(tx *sqlx.Tx) error {
			var due []struct {
				ID      uuid.UUID   `db:"id"`
				Account uuid.UUID   `db:"account_id"`
				At      pg.NullTime `db:"erased_at"`
			}
			err := s.db.Select(ctx, tx, &due, `
				SELECT id, account_id, erased_at
				FROM erasures
				WHERE contracts_erased_at IS NULL AND erased_at <= now() - `+pg.Interval(market.ContractRetention)+`
				ORDER BY erased_at
				LIMIT 1
				FOR UPDATE SKIP LOCKED`)
			found = err == nil && len(due) > 0
			if !found {
				return pg.Translate(err, "select an erasure")
			}
			return s.eraseContracts(ctx, tx, Erasure{ID: due[0].ID, Account: due[0].Account, At: due[0].At.Time})
		})
		if err != nil || !found {
			return err
		}
	}
}

func (s *Store) eraseContracts(ctx context.Context, tx *sqlx.Tx, e Erasure) error {
	what := fmt.Sprintf("erase the contracts of %s", e.Account)
	if err := s.db.Extend(ctx, tx, erasureTimeout); err != nil {
		return pg.Translate(err, what)
	}
	for _, statement := range contractTexts {
		if _, err := s.db.Exec(ctx, tx, statement, e.Account, e.At); err != nil {
			return pg.Translate(err, what)
		}
	}
	var files []uuid.UUID
	if err := s.db.Select(ctx, tx, &files, fmt.Sprintf(eraseFiles, `f.created_at <= $2`), e.Account, e.At); err != nil {
		return pg.Translate(err, what)
	}
	_, err := s.db.Exec(ctx, tx, `UPDATE erasures SET contracts_erased_at = now() WHERE id = $1`, e.ID)
	return pg.Translate(err, what)
}

// UnlistedErasures returns at most limit erasures that MarkErasureListed has not marked yet, oldest first.
func (s *Store) UnlistedErasures(ctx context.Context, limit int) ([]Erasure, error) {
	var rows []struct {
		ID          uuid.UUID   `db:"id"`
		Account     uuid.UUID   `db:"account_id"`
		RequestedBy Requester   `db:"requested_by"`
		At          pg.NullTime `db:"erased_at"`
	}
	err := s.db.Select(ctx, nil, &rows, `
		SELECT id, account_id, requested_by, erased_at FROM erasures WHERE NOT listed ORDER BY erased_at, id LIMIT $1`, limit)
	erasures := make([]Erasure, len(rows))
	for i, row := range rows {
		erasures[i] = Erasure{ID: row.ID, Account: row.Account, RequestedBy: row.RequestedBy, At: row.At.Time}
	}
	return erasures, pg.Translate(err, "select the erasures to list")
}

// MarkErasureListed records that the list outside of the database contains the erasure.
func (s *Store) MarkErasureListed(ctx context.Context, id uuid.UUID) error {
	return s.db.Write(ctx, "mark an erasure as listed", `UPDATE erasures SET listed = true WHERE id = $1`, id)
}

// RepeatErasure repeats an erasure in a database that was restored from a backup. It returns false if the
// account does not exist, because the backup is older than the account. It does not repeat an erasure that
// the database contains, because the wallet may have used the account again. Locked money does not prevent
// it, because the erasure was accepted before the restore.
func (s *Store) RepeatErasure(ctx context.Context, e Erasure) (bool, error) {
	found := false
	err := s.db.LongTx(ctx, func(tx *sqlx.Tx) error {
		target, err := s.accountToErase(ctx, tx, e.Account, " FOR UPDATE")
		if market.KindOf(err) == market.KindNotFound {
			return nil
		}
		if err != nil {
			return err
		}
		found = true
		var exists bool
		if err := s.db.Get(ctx, tx, &exists, `SELECT EXISTS (SELECT FROM erasures WHERE id = $1)`, e.ID); err != nil || exists {
			return pg.Translate(err, fmt.Sprintf("select erasure %s", e.ID))
		}
		if _, err := s.erase(ctx, tx, e, target, true); err != nil {
			return err
		}
		return s.auditErasure(ctx, tx, e)
	})
	return found, err
}
