package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/feed"
	"taskmarket/store/internal/pg"
)

// Review is one party's review of the other after a task has ended.
type Review struct {
	ID               uuid.UUID
	TaskID           uuid.UUID
	ReviewerKind     market.PrincipalKind
	ReviewerID       uuid.UUID
	ReviewerUsername string
	SubjectKind      market.PrincipalKind
	SubjectID        uuid.UUID
	Rating           int    // 1 to 5 stars
	Comment          string // can be empty
	AfterRejection   bool   // whether the reviewer was not hired and lost the stake because the agent rejected the application
	CreatedAt        time.Time
}

// Rating summarises a user's reviews.
type Rating struct {
	Reviews int      // number of all reviews
	Average *float64 // average of the ratings that count by the rules of karma, to two decimals; nil if there are none
}

// ReviewQuery selects the reviews of a user.
type ReviewQuery struct {
	PageQuery
	SubjectKind market.PrincipalKind
	SubjectID   uuid.UUID
}

// ReviewPage is a page of a user's reviews, with the user's overall rating.
type ReviewPage struct {
	Page[Review]
	Rating Rating
}

const reviewColumns = `r.id, r.task_id, r.reviewer_id, r.reviewer_kind, r.subject_id, r.subject_kind, r.rating,
	r.comment, r.after_rejection, r.created_at`

type reviewRow struct {
	pg.Listed
	ID               uuid.UUID            `db:"id"`
	TaskID           uuid.UUID            `db:"task_id"`
	ReviewerID       uuid.UUID            `db:"reviewer_id"`
	ReviewerKind     market.PrincipalKind `db:"reviewer_kind"`
	ReviewerUsername string               `db:"reviewer_username"`
	SubjectID        uuid.UUID            `db:"subject_id"`
	SubjectKind      market.PrincipalKind `db:"subject_kind"`
	Rating           int                  `db:"rating"`
	Comment          *string              `db:"comment"`
	AfterRejection   bool                 `db:"after_rejection"`
	CreatedAt        pg.NullTime          `db:"created_at"`
}

func (r reviewRow) review() Review {
	return Review{
		ID: r.ID, TaskID: r.TaskID, ReviewerKind: r.ReviewerKind, ReviewerID: r.ReviewerID,
		ReviewerUsername: r.ReviewerUsername, SubjectKind: r.SubjectKind, SubjectID: r.SubjectID,
		Rating: r.Rating, Comment: pg.Text(r.Comment), AfterRejection: r.AfterRejection, CreatedAt: r.CreatedAt.Time,
	}
}

// ratingRow contains a user's review totals, which the trigger on reviews maintains.
type ratingRow struct {
	Reviews int      `db:"reviews"`
	Average *float64 `db:"average"`
}

const ratingColumns = `u.reviews, round(u.stars::numeric / nullif(u.ratings, 0), 2)::float8 AS average`

func (r ratingRow) rating() Rating {
	return Rating(r)
}

// AddReview inserts one party's review of the other party to an ended task, or the review of the agent
// by a human whose stake was forfeited by a rejection that is final on the chain. It notifies the
// reviewed party, and returns the stored review. Repeating the call with the same id changes nothing.
// It returns KindForbidden for any other reviewer, KindWrongStatus if the task has not ended, the
// rejection is not final or the other party has no account, KindAlreadyExists for a second review, and
// KindRestricted for a suspended reviewer.
func (s *Store) AddReview(ctx context.Context, review Review) (Review, error) {
	var row struct {
		reviewRow
		State market.AccountState `db:"account_state"`
	}
	err := s.db.TxFor(ctx, review.TaskID, func(tx *sqlx.Tx) error {
		task, err := s.lockTask(ctx, tx, review.TaskID)
		if err != nil {
			return err
		}
		if review, err = s.subjectOf(ctx, tx, task, review); err != nil {
			return err
		}
		counts, err := s.counts(ctx, tx, task, review)
		if err != nil {
			return err
		}
		err = s.db.Get(ctx, tx, &row, `
			WITH r AS (
				INSERT INTO reviews AS r (id, task_id, reviewer_id, reviewer_kind, subject_id, subject_kind, rating, comment, counts, after_rejection)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
				ON CONFLICT (id) DO UPDATE SET rating = r.rating WHERE r.reviewer_id = excluded.reviewer_id
				RETURNING r.*)
			SELECT `+reviewColumns+`, u.username AS reviewer_username, u.account_state
			FROM r
			JOIN users u ON u.id = r.reviewer_id`,
			review.ID, review.TaskID, review.ReviewerID, review.ReviewerKind, review.SubjectID, review.SubjectKind,
			review.Rating, pg.NullText(review.Comment), counts, review.AfterRejection)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("insert review %s", review.ID))
		}
		if row.State == market.AccountSuspended {
			return row.State.Refusal() // undoes the insert
		}
		return feed.Add(ctx, s.db, tx, review.SubjectKind, review.SubjectID,
			feed.Item{Kind: market.ActivityReviewReceived, Related: task.ID, Cause: "review-" + string(review.ReviewerKind)})
	})
	return row.review(), err
}

// counts reports whether the review counts in averages, by the same rules as karma: the task was paid or
// refunded, its fee is not below the floor, and no other review of this subject by this reviewer counts
// for a task that ended less than market.KarmaInterval before or after this one.
func (s *Store) counts(ctx context.Context, tx *sqlx.Tx, task market.Task, review Review) (bool, error) {
	if review.AfterRejection || task.Escrow == nil || task.Status == market.StatusCancelled ||
		market.Fee(task.Escrow.Amount, task.Escrow.FeeBasisPoints).Cmp(s.karmaFloor) < 0 {
		return false, nil
	}
	// The lock serializes reviews of several tasks by one user.
	if err := s.db.Serialize(ctx, tx, "reviews", review.ReviewerID); err != nil {
		return false, err
	}
	var counted bool
	err := s.db.Get(ctx, tx, &counted, `
		SELECT EXISTS (
			SELECT 1
			FROM reviews r
			JOIN tasks t ON t.id = r.task_id
			JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
			WHERE r.subject_id = $1 AND r.reviewer_id = $2 AND r.counts AND r.id <> $3
			  AND e.ended_at > $4::timestamptz - `+pg.Interval(market.KarmaInterval)+`
			  AND e.ended_at < $4::timestamptz + `+pg.Interval(market.KarmaInterval)+`)`,
		review.SubjectID, review.ReviewerID, review.ID, task.Escrow.EndedAt)
	return !counted, pg.Translate(err, "select a user's reviews")
}

// subjectOf returns the review with its subject and AfterRejection set.
func (s *Store) subjectOf(ctx context.Context, tx *sqlx.Tx, task market.Task, review Review) (Review, error) {
	var err error
	if review.ReviewerKind == market.PrincipalHuman && (task.HumanID == nil || review.ReviewerID != *task.HumanID) {
		review.AfterRejection, err = s.canReviewRejection(ctx, tx, task, review.ReviewerID)
		if err != nil || review.AfterRejection {
			review.SubjectKind, review.SubjectID = market.PrincipalAgent, task.AgentID
			return review, err
		}
	}
	review.SubjectKind, review.SubjectID, err = otherSide(task, review)
	return review, err
}

// canReviewRejection reports whether the human lost a stake by a rejection that is final. It returns
// KindWrongStatus if the rejection is not final yet.
func (s *Store) canReviewRejection(ctx context.Context, tx *sqlx.Tx, task market.Task, humanID uuid.UUID) (bool, error) {
	rejection, err := s.rejectionReview(ctx, tx, task.ID, humanID)
	if err == nil && rejection.Forfeited && !rejection.Final {
		return false, market.Errorf(market.KindWrongStatus, "the task is %s, and the rejection of your application is not final on the chain yet", task.Status).
			WithHint("try again in a few minutes")
	}
	return rejection.Final, err
}

// otherSide returns the party that the reviewer can review.
func otherSide(task market.Task, review Review) (market.PrincipalKind, uuid.UUID, error) {
	agent := review.ReviewerKind == market.PrincipalAgent
	switch {
	case agent && review.ReviewerID != task.AgentID,
		!agent && (task.HumanID == nil || review.ReviewerID != *task.HumanID):
		return "", uuid.Nil, market.Errorf(market.KindForbidden, "only the task's agent and its assigned human can review each other")
	case !task.Status.Ended():
		return "", uuid.Nil, market.Errorf(market.KindWrongStatus, "the task is %s; you can review the other party only after the task has ended", task.Status)
	case !agent:
		return market.PrincipalAgent, task.AgentID, nil
	case task.HumanID == nil:
		return "", uuid.Nil, market.Errorf(market.KindWrongStatus, "the task is %s, and no human with an account was assigned to it, so you cannot review one", task.Status)
	}
	return market.PrincipalHuman, *task.HumanID, nil
}

// Reviews lists the reviews of a user, newest first. It returns KindNotFound if no user of this
// kind has the id.
func (s *Store) Reviews(ctx context.Context, q ReviewQuery) (ReviewPage, error) {
	var rating ratingRow
	err := s.db.Get(ctx, nil, &rating, `SELECT `+ratingColumns+` FROM users u WHERE u.id = $1 AND u.kind = $2`,
		q.SubjectID, q.SubjectKind)
	if err != nil {
		return ReviewPage{}, pg.Translate(err, fmt.Sprintf("select %s %s", q.SubjectKind, q.SubjectID))
	}
	list := pg.List[reviewRow]{
		What: "select reviews", Columns: reviewColumns + `, u.username AS reviewer_username`, From: "reviews r",
		Joins: ` JOIN users u ON u.id = r.reviewer_id`,
		Order: pg.Order{Name: "reviews", Key: "r.created_at", ID: "r.id", Descending: true, Parse: pg.ParseTimeKey},
		Key:   func(r reviewRow) (string, uuid.UUID) { return pg.TimeKey(r.CreatedAt.Time), r.ID },
	}
	list.Filter.Add("r.subject_id = ?", q.SubjectID)
	page, err := pg.SelectPage(ctx, s.db, list, q.PageQuery, reviewRow.review)
	if err != nil {
		return ReviewPage{}, err
	}
	return ReviewPage{Page: page, Rating: rating.rating()}, nil
}
