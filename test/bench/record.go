package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/google/uuid"
	"github.com/lib/pq"
)

const (
	// boardSample is the maximum number of different tasks that are requested by id.
	boardSample = 10_000
	// assignedTasks is the number of each caller's tasks with an assigned human. Messages are posted to
	// these.
	assignedTasks = 20
)

// record fills the database with the same rows in every run. It uses SQL, because the API would
// take hours at full size. The agents that send the benchmark's requests (callers.go) get the same
// kinds of rows as the other agents.
func (s *service) record(ctx context.Context, size size) error {
	d := s.world.deployment
	connection, err := s.db.Conn(ctx) // temporary functions exist only in this connection
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	defer connection.Close()
	steps := []struct {
		what string
		sql  string
		args []any
	}{
		{"helpers", recordHelpers, nil},
		{"chain", recordChain, []any{d.ChainID}},
		{"parameters", recordParameters, []any{d.ChainID, d.Escrow}},
		{"agents", recordAgents, []any{size.agents}},
		{"verification", recordVerification, nil},
		{"keys", recordKeys, nil},
		{"people", recordPeople, nil},
		{"postings", recordPostings, []any{d.ChainID, d.Escrow, size.tasks}},
		{"tasks", recordTasksOf, []any{d.ChainID, d.Escrow, size.tasks}},
		{"assigned postings", recordAssignedPostings, []any{d.ChainID, d.Escrow, size.tasks, s.callerIDs(), assignedTasks}},
		{"assigned tasks", recordAssignedTasks, []any{d.ChainID, d.Escrow, size.tasks, s.callerIDs(), assignedTasks}},
		{"activities", recordActivities, []any{size.activities}},
		{"statistics", `VACUUM (ANALYZE)`, nil},
	}
	for _, step := range steps {
		if _, err := connection.ExecContext(ctx, step.sql, step.args...); err != nil {
			return fmt.Errorf("record %s: %w", step.what, err)
		}
	}
	return nil
}

// choose selects the tasks to request: a fixed pseudorandom sample of all funded tasks.
func (s *service) choose(ctx context.Context) error {
	rows, err := s.db.QueryContext(ctx, `SELECT id FROM tasks WHERE status = 'funded' ORDER BY sha256(id::text::bytea) LIMIT $1`, boardSample)
	if err != nil {
		return fmt.Errorf("choose tasks: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id uuid.UUID
		if err := rows.Scan(&id); err != nil {
			return fmt.Errorf("choose tasks: %w", err)
		}
		s.board = append(s.board, id)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("choose tasks: %w", err)
	}
	for i := range s.callers {
		if err := s.chooseAssigned(ctx, &s.callers[i]); err != nil {
			return err
		}
	}
	return nil
}

// chooseAssigned selects the caller's tasks to which messages are posted.
func (s *service) chooseAssigned(ctx context.Context, c *caller) error {
	var ids []uuid.UUID
	err := s.db.QueryRowContext(ctx, `SELECT array_agg(id ORDER BY id) FROM tasks WHERE agent_id = $1 AND status = 'active'`, c.id).
		Scan(pq.Array(&ids))
	if err != nil {
		return fmt.Errorf("choose the assigned tasks of %s: %w", c.id, err)
	}
	c.assigned = ids
	return nil
}

func (c caller) anyAssigned(random *rand.Rand) uuid.UUID {
	return c.assigned[random.IntN(len(c.assigned))]
}

func (s *service) callerIDs() any {
	ids := make([]uuid.UUID, len(s.callers))
	for i, c := range s.callers {
		ids[i] = c.id
	}
	return pq.Array(ids)
}

func (s *service) anyTask(random *rand.Rand) uuid.UUID { return s.board[random.IntN(len(s.board))] }

const (
	// Like the service's ids, these ids grow with time: each is a UUIDv7 for a number of seconds
	// after a start time, with a hash in place of the random part.
	recordHelpers = `
		CREATE FUNCTION pg_temp.made_id(kind text, n bigint) RETURNS uuid IMMUTABLE LANGUAGE sql AS $$
			SELECT (lpad(to_hex(1750000000000 + n * 1000), 12, '0') || '7' || substr(d, 1, 3) || '8' || substr(d, 4, 15))::uuid
			FROM md5(kind || n) AS d
		$$;
		CREATE FUNCTION pg_temp.made_hash(kind text, n bigint) RETURNS bytea IMMUTABLE LANGUAGE sql AS $$
			SELECT sha256(convert_to(kind || n, 'UTF8'))
		$$;
		CREATE FUNCTION pg_temp.made_time(n bigint) RETURNS timestamptz IMMUTABLE LANGUAGE sql AS $$
			SELECT to_timestamp(1750000000 + n)
		$$;`

	recordChain = `
		INSERT INTO chain_head (chain_id, number, hash, parent, time, safe, finalized)
		VALUES ($1, 1000, pg_temp.made_hash('block', 1000), pg_temp.made_hash('block', 999), now(), 990, 980)
		ON CONFLICT (chain_id) DO UPDATE
		SET number = excluded.number, hash = excluded.hash, parent = excluded.parent, time = excluded.time,
		    safe = excluded.safe, finalized = excluded.finalized`

	recordParameters = `
		INSERT INTO chain_parameters (chain_id, escrow, fee_basis_points, panel, paused)
		VALUES ($1, $2, 500, 1, false)`

	recordAgents = `
		INSERT INTO users (id, kind, username, name, bio, wallet, verification_code, code_expires_at)
		SELECT pg_temp.made_id('agent', n), 'agent', 'agent-' || n, 'Agent ' || n, 'Posts errands.',
		       substr(pg_temp.made_hash('wallet', n), 1, 20), 'made-' || n, now()
		FROM generate_series(1, $1::bigint) AS n`

	recordVerification = `
		UPDATE users
		SET social_network = 'bluesky', social_handle = username || '.example.com', social_account_id = id,
		    social_post_id = id, social_posted_at = now(), verified_at = now()
		WHERE verified_at IS NULL`

	recordKeys = `
		INSERT INTO agents (id, key_hash, key_prefix)
		SELECT u.id, sha256(u.id::text::bytea), 'tmk_made'
		FROM users u
		WHERE NOT EXISTS (SELECT FROM agents a WHERE a.id = u.id)`

	recordPeople = `
		CREATE TEMPORARY TABLE people AS
		SELECT row_number() OVER (ORDER BY id) - 1 AS place, id, wallet FROM users;
		CREATE INDEX ON people (place);
		ANALYZE people;`

	recordPostings = `
		INSERT INTO onchain_tasks (chain_id, escrow, id, status, agent, amount, fee_basis_points, terms_hash, posted_at,
		                           posted_tx, posted_ordinal, posted_block, posted_index)
		SELECT $1, $2, n, 1, p.wallet, 10000000000000000 + n * 1000000000, 500, pg_temp.made_hash('terms', n),
		       pg_temp.made_time(n), pg_temp.made_hash('posted', n), 0, 1 + n % 900, n % 1000
		FROM generate_series(1, $3::bigint) AS n
		JOIN people p ON p.place = n % (SELECT count(*) FROM people)
		WHERE n % 5 <> 0`

	// Every fifth task is not funded yet.
	recordTasksOf = `
		INSERT INTO tasks (id, agent_id, title, description, skills, remote, amount, fee_basis_points, terms_hash,
		                   chain_id, escrow, status, escrow_task_id, changed_block, created_at, updated_at)
		SELECT pg_temp.made_id('task', n), p.id, 'Photograph shop window ' || n,
		       'Stand in front of it and take one picture. ' || repeat(md5('words' || n) || ' ', 12),
		       ARRAY['photography', 'skill-' || n % 50], n % 2 = 0, 10000000000000000 + n * 1000000000, 500,
		       pg_temp.made_hash('terms', n), $1, $2, CASE WHEN n % 5 = 0 THEN 'new' ELSE 'funded' END,
		       CASE WHEN n % 5 <> 0 THEN n END, 1 + n % 900, pg_temp.made_time(n), pg_temp.made_time(n)
		FROM generate_series(1, $3::bigint) AS n
		JOIN people p ON p.place = n % (SELECT count(*) FROM people)`

	// All these tasks are assigned to the same human.
	//
	//nolint:dupword // SQL
	recordAssignedPostings = `
		WITH helper AS (
			INSERT INTO users (id, kind, username, name, wallet, verification_code, code_expires_at)
			VALUES (pg_temp.made_id('human', 1), 'human', 'helper', 'Helper', substr(pg_temp.made_hash('wallet of', 1), 1, 20), 'helper', now())
			RETURNING id, wallet
		), profile AS (
			INSERT INTO humans (id) SELECT id FROM helper
		)
		INSERT INTO onchain_tasks (chain_id, escrow, id, status, agent, human, amount, fee_basis_points, terms_hash, posted_at,
		                           accepted_at, posted_tx, posted_ordinal, posted_block, posted_index)
		SELECT $1, $2, $3::bigint + n, 2, u.wallet, helper.wallet, 10000000000000000, 500, pg_temp.made_hash('assigned', n),
		       now(), now(), pg_temp.made_hash('posted for', n), 0, 950, n
		FROM generate_series(1, cardinality($4::uuid[]) * $5::bigint) AS n
		JOIN users u ON u.id = ($4::uuid[])[1 + n % cardinality($4::uuid[])], helper`

	recordAssignedTasks = `
		INSERT INTO tasks (id, agent_id, title, description, amount, fee_basis_points, terms_hash, chain_id, escrow, status,
		                   escrow_task_id, human_id, changed_block)
		SELECT pg_temp.made_id('assigned', n), ($4::uuid[])[1 + n % cardinality($4::uuid[])], 'Photograph shop window ' || n,
		       'Stand in front of it and take one picture.', 10000000000000000, 500, pg_temp.made_hash('assigned', n), $1, $2,
		       'active', $3::bigint + n, u.id, 950
		FROM generate_series(1, cardinality($4::uuid[]) * $5::bigint) AS n
		JOIN users u ON u.username = 'helper'`

	recordActivities = `
		INSERT INTO activities (id, audience_id, audience_kind, type, kind, amount, status, dedupe_key, created_at)
		SELECT pg_temp.made_id('activity', i * 200000 + p.place), p.id, 'agent', 'task', 'task_funded', 10000000000000000,
		       'confirmed', 'made:' || i, pg_temp.made_time(i * 3600 + p.place)
		FROM people p, generate_series(1, $1::bigint) AS i`
)
