package store

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// EventKind says what an event is about.
type EventKind string

// The kinds of events.
const (
	EventActivity    EventKind = "activity"
	EventTask        EventKind = "task"
	EventApplication EventKind = "application"
)

// Event is something that is new for one user.
type Event struct {
	Position          EventPosition
	Kind              EventKind
	CreatedAt         time.Time
	Activity          market.Activity // of EventActivity, with the status that it had then
	TaskID            uuid.UUID       // of EventTask and EventApplication
	TaskStatus        market.Status
	ApplicationID     uuid.UUID
	ApplicationStatus market.ApplicationStatus
}

// EventPosition is a place in the log of events: behind one of them. The zero
// value is none.
type EventPosition struct {
	epoch string // of the log, which a restored database begins anew
	id    int64
}

// String writes the position as ParseEventPosition reads it.
func (p EventPosition) String() string { return fmt.Sprintf("%s-%d", p.epoch, p.id) }

// Before reports whether the position comes before the other, of the same log.
func (p EventPosition) Before(other EventPosition) bool { return p.id < other.id }

var eventPositionPattern = regexp.MustCompile(`^([0-9a-f]{8})-([0-9]{1,18})$`)

// ParseEventPosition reads what String wrote; KindInvalid for anything else.
func ParseEventPosition(text string) (EventPosition, error) {
	parts := eventPositionPattern.FindStringSubmatch(text)
	if parts == nil {
		return EventPosition{}, market.Errorf(market.KindInvalid, "this is not the id of an event")
	}
	id, _ := strconv.ParseInt(parts[2], 10, 64) // at most 18 digits
	return EventPosition{epoch: parts[1], id: id}, nil
}

// EventQuery asks for a user's events behind a position.
type EventQuery struct {
	UserID uuid.UUID
	// Credential is the hash of the user's API key, or of the id of the session.
	Credential common.Hash
	After      EventPosition // zero: what comes from now on
	Limit      int
}

func (q EventQuery) arguments(settled int64) []any {
	return []any{q.UserID, q.Credential, q.After.epoch, q.After.id, settled, q.Limit}
}

// EventBatch is a part of the log as one user may read it.
type EventBatch struct {
	Events []Event
	Next   EventPosition // behind all of them, and all that came before Next and are not the user's
	More   bool          // there may be more at once
	// Reset says that what came after the position asked for is not known any
	// more. There are no events then, and Next is now.
	Reset bool
}

type eventRow struct {
	Epoch string `db:"epoch"`
	Holds bool   `db:"holds"`
	Lost  bool   `db:"lost"`

	ID        *int64      `db:"id"` // nil for no event
	Kind      *string     `db:"kind"`
	SubjectID *uuid.UUID  `db:"subject_id"`
	TaskID    *uuid.UUID  `db:"task_id"` // of an application
	Status    *string     `db:"status"`
	CreatedAt pg.NullTime `db:"created_at"`
}

// settled returns the id up to which all events are there that ever will be, for
// whoever looks after this.
func (s *Store) settled(ctx context.Context) (int64, error) {
	var id int64
	err := s.db.Get(ctx, nil, &id, `SELECT settled_events()`)
	return id, pg.Translate(err, "ask which events are settled")
}

// eventsQuery reads everything in one snapshot: the credentials, what was
// deleted, and the rows. A user's events are found by the user's id alone, and
// only while the credentials hold.
const eventsQuery = `
	SELECT s.epoch, s.holds, s.lost, e.id, e.kind, e.subject_id, e.task_id, e.status, e.created_at
	FROM (SELECT l.epoch,
	             EXISTS (SELECT 1 FROM agents k WHERE k.id = $1 AND k.key_hash = $2)
	             OR EXISTS (SELECT 1 FROM sessions n WHERE n.human_id = $1 AND n.id_hash = $2 AND n.expires_at > now()) AS holds,
	             $3 <> l.epoch OR $4 < l.swept OR $4 > last_event() AS lost
	      FROM event_log l) s
	LEFT JOIN LATERAL (
		SELECT v.*
		FROM events v
		WHERE s.holds AND NOT s.lost AND v.audience_id = $1 AND v.id > $4 AND v.id <= $5 AND v.kind <> 'access'
		ORDER BY v.id
		LIMIT $6) e ON true
	ORDER BY e.id`

// Events returns a user's events behind a position, the first first.
// KindUnauthorized when the credentials hold no longer. While a transaction that
// has taken ids commits, it holds back the events of all transactions that took
// theirs later. So no event appears before one that was read.
func (s *Store) Events(ctx context.Context, q EventQuery) (EventBatch, error) {
	settled, err := s.settled(ctx)
	if err != nil {
		return EventBatch{}, err
	}
	var rows []eventRow
	if err := s.db.Select(ctx, nil, &rows, eventsQuery, q.arguments(settled)...); err != nil {
		return EventBatch{}, pg.Translate(err, "select events")
	}
	if len(rows) == 0 || !rows[0].Holds {
		return EventBatch{}, pg.Refusal(market.KindUnauthorized, "these credentials are not valid any more", nil)
	}
	batch := EventBatch{
		Next:  EventPosition{epoch: rows[0].Epoch, id: settled},
		Reset: rows[0].Lost && q.After != EventPosition{},
	}
	if !rows[0].Lost {
		// The last settled id may go back: a transaction reads the last id a moment
		// before its lock is visible.
		batch.Next.id = max(settled, q.After.id)
	}
	if rows[0].ID == nil {
		return batch, nil
	}
	if len(rows) == q.Limit {
		batch.More, batch.Next = true, rows[len(rows)-1].position()
	}
	batch.Events, err = s.describe(ctx, rows)
	return batch, err
}

func (r eventRow) position() EventPosition { return EventPosition{epoch: r.Epoch, id: *r.ID} }

// describe returns what the rows say. An activity that is not there any more is
// left out.
func (s *Store) describe(ctx context.Context, rows []eventRow) ([]Event, error) {
	activities, err := s.activitiesOf(ctx, rows)
	if err != nil {
		return nil, err
	}
	var events []Event
	for _, r := range rows {
		e := Event{Position: r.position(), Kind: EventKind(*r.Kind), CreatedAt: r.CreatedAt.Time}
		switch e.Kind {
		case EventActivity:
			activity, there := activities[*r.SubjectID]
			if !there {
				continue
			}
			e.Activity = activity
			e.Activity.Status = market.ActivityStatus(*r.Status)
		case EventTask:
			e.TaskID, e.TaskStatus = *r.SubjectID, market.Status(*r.Status)
		case EventApplication:
			e.TaskID, e.ApplicationID, e.ApplicationStatus = *r.TaskID, *r.SubjectID, market.ApplicationStatus(*r.Status)
		}
		events = append(events, e)
	}
	return events, nil
}

// activitiesOf returns the items that the rows are about, by id.
func (s *Store) activitiesOf(ctx context.Context, rows []eventRow) (map[uuid.UUID]market.Activity, error) {
	var ids []uuid.UUID
	for _, r := range rows {
		if EventKind(*r.Kind) == EventActivity {
			ids = append(ids, *r.SubjectID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	var found []activityRow
	err := s.db.Select(ctx, nil, &found, `
		SELECT id, audience_kind, audience_id, type, title, description, amount, tx_hash, related_id, status, created_at
		FROM activities WHERE id = ANY ($1)`, pq.Array(ids))
	if err != nil {
		return nil, pg.Translate(err, "select the activities of events")
	}
	activities := make(map[uuid.UUID]market.Activity, len(found))
	for _, row := range found {
		activities[row.ID] = row.activity()
	}
	return activities, nil
}

const audiencesQuery = `SELECT audience_id, id FROM events WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3`

// EventAudiences returns for whom there is something new behind a position, as
// often as there is, nobody behind none, and the next position. With more, there
// may be more at once.
func (s *Store) EventAudiences(ctx context.Context, after EventPosition) (ids []uuid.UUID, next EventPosition, more bool, err error) {
	settled, err := s.settled(ctx)
	if err != nil {
		return nil, after, false, err
	}
	next = EventPosition{epoch: "now", id: settled}
	if after == (EventPosition{}) {
		return nil, next, false, nil
	}
	var rows []struct {
		AudienceID uuid.UUID `db:"audience_id"`
		ID         int64     `db:"id"`
	}
	if err := s.db.Select(ctx, nil, &rows, audiencesQuery, after.id, settled, sweepBatch); err != nil {
		return nil, after, false, pg.Translate(err, "select for whom there are events")
	}
	for _, row := range rows {
		ids = append(ids, row.AudienceID)
	}
	if len(rows) == sweepBatch {
		next.id, more = rows[len(rows)-1].ID, true
	}
	return ids, next, more, nil
}

// eventLife is for how long events are kept.
const eventLife = "7 days"

// sweepEvents deletes old events and remembers up to where, in one transaction:
// who reads sees both or neither.
func (s *Store) sweepEvents(ctx context.Context) error {
	for {
		var n int64
		err := s.db.Tx(ctx, func(tx *sqlx.Tx) (err error) {
			n, err = s.db.Exec(ctx, tx, `
				WITH old AS (
					SELECT id FROM events WHERE created_at < now() - interval '`+eventLife+`' ORDER BY id LIMIT $1
				), gone AS (
					DELETE FROM events e USING old WHERE e.id = old.id
				)
				UPDATE event_log l SET swept = o.id
				FROM (SELECT max(id) AS id FROM old) o
				WHERE l.swept < o.id`, sweepBatch)
			return pg.Translate(err, "sweep the events")
		})
		if err != nil || n == 0 {
			return err
		}
	}
}
