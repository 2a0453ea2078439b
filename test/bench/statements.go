package main

import (
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
)

// The floors: hand-optimised statements for the same responses. They select only the columns that a
// response contains, from only the tables that contain them.
const (
	taskMembers = `
		t.id, t.agent_id, au.username, au.wallet, au.verified_at, t.title, t.description, t.skills, t.location, t.remote,
		t.amount, t.fee_basis_points, t.deadline, t.terms_hash, t.chain_id, t.escrow, t.status, t.human_id, hu.username,
		t.created_at, t.updated_at, t.changed_block, h.safe, h.finalized,
		(SELECT count(*) FROM applications a WHERE a.task_id = t.id),
		e.id, e.status, e.human, e.work_hash, e.application_id, e.panel, e.agent_approved, e.disputed_by, e.posted_at,
		e.accepted_at, e.submitted_at, e.disputed_at, e.approved_at, e.last_activity_at, e.ended_at, e.verdict,
		e.paid, e.fee, e.refund, e.posted_tx, e.accept_tx, e.submit_tx, e.end_tx,
		s.id, s.note, s.proof_url, s.work_hash, s.created_at`

	taskTables = `
		JOIN users au ON au.id = t.agent_id
		LEFT JOIN users hu ON hu.id = t.human_id
		LEFT JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
		LEFT JOIN submissions s ON s.task_id = t.id AND s.work_hash = e.work_hash
		LEFT JOIN chain_head h ON h.chain_id = t.chain_id`

	taskByID = `SELECT ` + taskMembers + ` FROM tasks t ` + taskTables + ` WHERE t.id = $1`

	// One row more than displayed indicates whether there is another page.
	boardPage = `
		SELECT ` + taskMembers + `
		FROM (
			SELECT * FROM tasks
			WHERE status = 'funded' AND visibility = 'shown'
			ORDER BY created_at DESC, id DESC
			LIMIT 21
		) AS t ` + taskTables + `
		ORDER BY t.created_at DESC, t.id DESC`

	activityPage = `
		SELECT a.id, a.type, a.kind, a.actor, a.reverted_kind, t.title, a.amount, a.tx_hash, a.related_id, a.status, a.created_at
		FROM (
			SELECT * FROM activities
			WHERE audience_id = $1
			ORDER BY created_at DESC, id DESC
			LIMIT 21
		) AS a
		LEFT JOIN applications p ON p.id = a.related_id AND a.type = 'application'
		LEFT JOIN tasks t ON t.id = coalesce(p.task_id, a.related_id)
		ORDER BY a.created_at DESC, a.id DESC`

	// What a message needs, in one transaction: the shared rate limit, which must be exact, the
	// message if the sender is a party to the task, and the item in the receiver's feed, which is
	// what the receiver's event stream reports. Triggers update the counters of both and write the event.
	postMessage = `
		WITH taken AS (
			INSERT INTO rate_limits AS r (key, tat) VALUES ($1, now() + $2::bigint * interval '1 microsecond')
			ON CONFLICT (key) DO UPDATE
			SET tat = greatest(r.tat, now()) + $2::bigint * interval '1 microsecond'
			WHERE r.tat + $2::bigint * interval '1 microsecond' <= now() + $3::bigint * interval '1 microsecond'
			RETURNING tat
		), message AS (
			INSERT INTO task_messages (id, task_id, sender_id, sender_kind, content)
			SELECT $4, t.id, t.agent_id, 'agent', $5
			FROM tasks t, taken
			WHERE t.id = $6 AND t.agent_id = $7
			RETURNING id, task_id, sender_id, sender_kind, content, created_at, read_at
		), notice AS (
			INSERT INTO activities (id, audience_id, audience_kind, type, kind, related_id, status, dedupe_key)
			SELECT $8, t.human_id, 'human', 'message', 'message_received', t.id, 'confirmed', 'message-' || m.id || ':' || t.id
			FROM tasks t JOIN message m ON m.task_id = t.id
		)
		SELECT id, task_id, sender_id, sender_kind, content, created_at, read_at FROM message`
)

// postMessageArgs returns the arguments of postMessage. The limit is as high as that of the measured
// server.
func postMessageArgs(_ *service, random *rand.Rand, c caller) []any {
	interval := time.Second / unlimited
	return []any{
		"floor|agent:" + c.id.String(), interval.Microseconds(), interval.Microseconds() * unlimitedBurst,
		uuid.Must(uuid.NewV7()), messageText, c.anyAssigned(random), c.id, uuid.Must(uuid.NewV7()),
	}
}
