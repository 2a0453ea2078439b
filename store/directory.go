package store

import (
	"context"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// HumanQuery says which of the available humans are wanted. The zero value of a
// member restricts nothing.
type HumanQuery struct {
	PageQuery
	Q         string // words of name, bio and skills
	Skill     string
	Place     string // how the location begins, as HumanChange.Place compares it
	Remote    *bool
	MinRating *float64
	Verified  *bool
}

type listingRow struct {
	pg.Listed
	humanRow
	ratingRow
	Completed int `db:"completed"`
}

func (r listingRow) listing() market.Listing {
	human := r.human()
	return market.Listing{Human: human, Verified: human.Link != nil, Rating: r.rating(), Completed: r.Completed}
}

// AvailableHumans lists the humans who look for work, the newest first.
func (s *Store) AvailableHumans(ctx context.Context, q HumanQuery) (Page[market.Listing], error) {
	return pg.SelectPage(ctx, s.db, q.list(), q.PageQuery, listingRow.listing)
}

func (q HumanQuery) list() pg.List[listingRow] {
	list := pg.List[listingRow]{
		What: "select available humans",
		Columns: humanColumns + `, ` + ratingColumns + `,
			(SELECT count(*) FROM tasks t WHERE t.human_id = h.id AND t.status = 'approved') AS completed`,
		From: "humans h", Joins: ` JOIN users u ON u.id = h.id`,
		Order: pg.Order{Name: "humans", Key: "h.id", ID: "h.id", Descending: true, Parse: parseIDKey},
		Key:   func(r listingRow) (string, uuid.UUID) { return r.ID.String(), r.ID },
		AdHoc: q.restricted(),
	}
	if !list.AdHoc {
		list.Length = pg.StoredLength(pg.NoScope, "= 'humans'", 0)
	}
	list.Filter.Add("h.available") // literally, for the partial indexes
	q.restrict(&list.Filter)
	return list
}

func parseIDKey(s string) (any, error) { return uuid.Parse(s) }

func (q HumanQuery) restricted() bool {
	return q.Q != "" || q.Skill != "" || q.Place != "" || q.Remote != nil || q.MinRating != nil || q.Verified != nil
}

func (q HumanQuery) restrict(f *pg.Filter) {
	if q.Q != "" {
		f.AddWords("h.search", q.Q)
	}
	if q.Skill != "" {
		f.Add("h.skills @> ?", pg.StringArray([]string{q.Skill}))
	}
	if q.Place != "" {
		f.AddPrefix("h.place", q.Place)
	}
	if q.Remote != nil {
		f.Add(literally(*q.Remote, "h.remote"))
	}
	if q.MinRating != nil {
		f.Add("h.rating >= ?::float8::numeric", *q.MinRating)
	}
	if q.Verified != nil {
		f.Add(literally(*q.Verified, "h.verified"))
	}
}

// literally writes a truth literally, for the partial indexes.
func literally(truth bool, column string) string {
	if truth {
		return column
	}
	return "NOT " + column
}
