package store

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// EventKind is the kind of record that an event refers to.
type EventKind string

// The kinds of records that events refer to.
const (
	EventActivity    EventKind = "activity"
	EventTask        EventKind = "task"
	EventApplication EventKind = "application"
)

// Event reports a change to a record to one user that can read the record.
type Event struct {
	Position          EventPosition
	Kind              EventKind
	CreatedAt         time.Time
	Activity          market.Activity // only for EventActivity; contains the item's status at the time of the event
	TaskID            uuid.UUID       // only for EventTask and EventApplication
	TaskStatus        market.Status
	ApplicationID     uuid.UUID
	ApplicationStatus market.ApplicationStatus
}

// EventPosition is a position in the event log, directly after an event. The zero value means that
// no position was specified.
type EventPosition struct {
	epoch string // identifies the log; a restored database starts a new epoch
	id    int64
}

// String formats the position. ParseEventPosition is the inverse.
func (p EventPosition) String() string { return fmt.Sprintf("%s-%d", p.epoch, p.id) }

// Before reports whether p precedes other. Both must be positions in the same log.
func (p EventPosition) Before(other EventPosition) bool { return p.id < other.id }

var eventPositionPattern = regexp.MustCompile(`^([0-9a-f]{8})-([0-9]{1,18})$`)

// ParseEventPosition parses the output of String and returns KindInvalid for any other text.
func ParseEventPosition(text string) (EventPosition, error) {
	parts := eventPositionPattern.FindStringSubmatch(text)
	if parts == nil {
		return EventPosition{}, market.Errorf(market.KindInvalid, "this is not an event id")
	}
	id, _ := strconv.ParseInt(parts[2], 10, 64) // cannot overflow: at most 18 digits
	return EventPosition{epoch: parts[1], id: id}, nil
}

// EventQuery selects the events for a user after a position.
type EventQuery struct {
	UserID uuid.UUID
	// Credential is the SHA-256 of the user's API key or of the session's id.
	Credential common.Hash
	After      EventPosition // the zero value selects only future events
	Limit      int
}

func (q EventQuery) arguments(settled int64) []any {
	return []any{q.UserID, q.Credential, q.After.epoch, q.After.id, settled, q.Limit}
}

// EventBatch contains some of the events for one user, in log order.
type EventBatch struct {
	Events []Event
	Next   EventPosition // position after all scanned events, including those for other users
	More   bool          // true if more events may be available immediately
}

type eventRow struct {
	Epoch string `db:"epoch"`
	Holds bool   `db:"holds"`
	Lost  bool   `db:"lost"`

	ID        *int64      `db:"id"` // nil if the row contains only the state of the log and no event
	Kind      *string     `db:"kind"`
	SubjectID *uuid.UUID  `db:"subject_id"`
	TaskID    *uuid.UUID  `db:"task_id"` // only for applications
	Status    *string     `db:"status"`
	CreatedAt pg.NullTime `db:"created_at"`
}

// settledEvents returns the highest id up to which the event log is complete. Every transaction
// that reserved an id up to this one has ended.
func (s *Store) settledEvents(ctx context.Context) (int64, error) {
	var id int64
	err := s.db.Get(ctx, nil, &id, `SELECT settled_events()`)
	return id, pg.Translate(err, "select the last settled event")
}

// eventsQuery reads the credential, the last deleted id and the events in one snapshot. It returns
// the user's events only while the credential is valid.
var eventsQuery = `
	SELECT s.epoch, s.holds, s.lost, e.id, e.kind, e.subject_id, e.task_id, e.status, e.created_at
	FROM (SELECT l.epoch,
	             EXISTS (SELECT 1 FROM agents k WHERE k.id = $1 AND k.key_hash = $2)
	             OR EXISTS (SELECT 1 FROM sessions s WHERE s.human_id = $1 AND s.id_hash = $2 AND ` + liveSession + `) AS holds,
	             $3 <> l.epoch OR $4 < l.swept OR $4 > last_event() AS lost
	      FROM event_log l) s
	LEFT JOIN LATERAL (
		SELECT v.*
		FROM events v
		WHERE s.holds AND NOT s.lost AND v.audience_id = $1 AND v.id > $4 AND v.id <= $5 AND v.kind <> 'access'
		ORDER BY v.id
		LIMIT $6) e ON true
	ORDER BY e.id`

// Events returns the events for a user after a position, in the order of their ids. It returns
// KindUnauthorized if the credential is no longer valid, and KindCursorExpired if events after the
// position have been deleted or the position does not belong to this log.
//
// Ids are assigned before the commit, so a reader could skip an event of a slow transaction. The
// log therefore has a horizon:
//
//  1. Before its first id, a transaction takes a shared lock on the last id of the
//     log, which it holds until it ends.
//  2. settled_events() returns the lowest locked id, or the last id if there are no locks.
//  3. A reader reads up to this id and continues after it.
//
// Example: transaction A locks 10 and takes 11 and 12; B locks 12, takes 13 and commits first. The
// horizon stays at 10 until A ends, then becomes 13. A reader at position 10 reads 11, 12 and 13 in
// this order, and never reads 13 before 11.
func (s *Store) Events(ctx context.Context, q EventQuery) (EventBatch, error) {
	settled, err := s.settledEvents(ctx)
	if err != nil {
		return EventBatch{}, err
	}
	var rows []eventRow
	if err := s.db.Select(ctx, nil, &rows, eventsQuery, q.arguments(settled)...); err != nil {
		return EventBatch{}, pg.Translate(err, "select events")
	}
	if len(rows) == 0 || !rows[0].Holds {
		return EventBatch{}, pg.Refusal(market.KindUnauthorized, "these credentials are no longer valid", nil)
	}
	if rows[0].Lost && q.After != (EventPosition{}) {
		return EventBatch{}, market.Errorf(market.KindCursorExpired, "this position is not in the event log: it is too old, or the database was restored").
			WithHint("follow the events without a position, then read your data again")
	}
	batch := EventBatch{Next: EventPosition{epoch: rows[0].Epoch, id: settled}}
	if !rows[0].Lost {
		// The horizon can move back, because a transaction reads the last id shortly before its
		// lock becomes visible.
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

// describe converts the rows to events. It skips activities that have been deleted.
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

// activitiesOf returns the feed items that the rows refer to, keyed by id.
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
	var found []struct {
		activityRow
		Audience   market.PrincipalKind `db:"audience_kind"`
		AudienceID uuid.UUID            `db:"audience_id"`
	}
	err := s.db.Select(ctx, nil, &found, `
		SELECT a.audience_kind, a.audience_id, `+activityColumns+` FROM activities a `+activityJoins+` WHERE a.id = ANY ($1)`, pq.Array(ids))
	if err != nil {
		return nil, pg.Translate(err, "select the activities of events")
	}
	activities := make(map[uuid.UUID]market.Activity, len(found))
	for _, row := range found {
		activities[row.ID] = row.activity(row.Audience, row.AudienceID)
	}
	return activities, nil
}

const audiencesQuery = `SELECT audience_id, id FROM events WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3`

// EventAudiences returns the users to which the events after a position are addressed, with
// duplicates, and the next position. For the zero position it returns no users. more reports
// whether further events may be available immediately.
func (s *Store) EventAudiences(ctx context.Context, after EventPosition) (ids []uuid.UUID, next EventPosition, more bool, err error) {
	settled, err := s.settledEvents(ctx)
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
		return nil, after, false, pg.Translate(err, "select the audiences of events")
	}
	for _, row := range rows {
		ids = append(ids, row.AudienceID)
	}
	if len(rows) == sweepBatch {
		next.id, more = rows[len(rows)-1].ID, true
	}
	return ids, next, more, nil
}

// Identity returns a text that differs between databases: the epoch of the event log, which
// RevokeCredentials changes in a database that was restored from a backup, and the identifier of the
// cluster, which differs if a dump was loaded into another cluster.
func (s *Store) Identity(ctx context.Context) (string, error) {
	var identity string
	err := s.db.Get(ctx, nil, &identity, `SELECT epoch || '-' || system_identifier FROM event_log, pg_control_system()`)
	return identity, pg.Translate(err, "select the database's identity")
}

// eventRetention is the minimum time for which events are stored. They are deleted by month.
const eventRetention = 7 * 24 * time.Hour

// sweepEvents drops the partitions whose events are older than eventRetention, and creates the
// partition of the next month in advance.
func (s *Store) sweepEvents(ctx context.Context) error {
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		_, err := s.db.Exec(ctx, tx, `
			SELECT create_event_partition(now() + interval '1 month'), drop_event_partitions(`+pg.Interval(eventRetention)+`)`)
		return err
	})
	return pg.Translate(err, "sweep the events")
}

// eventChannel is the PostgreSQL channel on which servers notify each other of new events. A lost
// notification is harmless, because readers also poll the log.
const eventChannel = "taskmarket_events"

// Notifications are at least announceInterval apart, because a transaction that notifies holds a
// cluster-wide lock while it commits. A lost connection for notifications is reopened after
// a delay that grows from reconnectFirst to reconnectMost.
const (
	announceInterval = 50 * time.Millisecond
	announceDeadline = 2 * time.Second
	reconnectFirst   = 100 * time.Millisecond
	reconnectMost    = 10 * time.Second
)

// announcer notifies the other servers of commits in batches.
type announcer struct {
	mu    sync.Mutex
	busy  bool
	again bool // whether another commit followed the last notification
}

// announce schedules a notification after a commit and returns immediately.
func (s *Store) announce() {
	s.announcer.mu.Lock()
	defer s.announcer.mu.Unlock()
	if s.announcer.busy {
		s.announcer.again = true
		return
	}
	s.announcer.busy = true
	go s.announceLoop()
}

func (s *Store) announceLoop() {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), announceDeadline)
		_, _ = s.db.Pool.ExecContext(ctx, `NOTIFY `+eventChannel) // if it fails, readers find the events within a second by polling
		cancel()
		time.Sleep(announceInterval)
		s.announcer.mu.Lock()
		if !s.announcer.again {
			s.announcer.busy = false
			s.announcer.mu.Unlock()
			return
		}
		s.announcer.again = false
		s.announcer.mu.Unlock()
	}
}

// ListenEvents returns a channel that receives a value when there may be new events. It uses a
// separate connection until ctx ends. The channel also receives a value when the connection starts
// to listen, because earlier commits sent it no notifications. Wake-ups can be lost or combined.
func (s *Store) ListenEvents(ctx context.Context) <-chan struct{} {
	listener, wakes := pq.NewDialListener(pg.Dialer, s.listenDSN, reconnectFirst, reconnectMost, nil), make(chan struct{}, 1)
	wake := func() {
		select {
		case wakes <- struct{}{}:
		default:
		}
	}
	go func() {
		if listener.Listen(eventChannel) == nil { // blocks until connected or closed
			wake()
		}
	}()
	go func() {
		defer listener.Close()
		for {
			select {
			case <-ctx.Done():
				return
			case <-listener.NotificationChannel(): // also receives after a reconnection
				wake()
			}
		}
	}()
	return wakes
}
