package store

import (
	"context"

	"github.com/google/uuid"

	"taskmarket/market"
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
	listed
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
	return selectPage(ctx, s, q.list(), q.PageQuery, listingRow.listing)
}

func (q HumanQuery) list() listing[listingRow] {
	list := listing[listingRow]{
		what: "select available humans",
		columns: humanColumns + `, ` + ratingColumns + `,
			(SELECT count(*) FROM tasks t WHERE t.human_id = h.id AND t.status = 'approved') AS completed`,
		found: "humans h", joins: ` JOIN users u ON u.id = h.id`,
		order: order{name: "humans", key: "h.id", id: "h.id", descending: true, parse: parseIDKey},
		place: func(r listingRow) (string, uuid.UUID) { return r.ID.String(), r.ID },
		adHoc: q.restricted(),
	}
	if !list.adHoc {
		list.length = kept(everybody, "= 'humans'", 0)
	}
	list.filter.add("h.available") // literally, for the partial indexes
	q.restrict(&list.filter)
	return list
}

func parseIDKey(s string) (any, error) { return uuid.Parse(s) }

func (q HumanQuery) restricted() bool {
	return q.Q != "" || q.Skill != "" || q.Place != "" || q.Remote != nil || q.MinRating != nil || q.Verified != nil
}

func (q HumanQuery) restrict(f *filter) {
	if q.Q != "" {
		f.addWords("h.search", q.Q)
	}
	if q.Skill != "" {
		f.add("h.skills @> ?", stringArray([]string{q.Skill}))
	}
	if q.Place != "" {
		f.addPrefix("h.place", q.Place)
	}
	if q.Remote != nil {
		f.add(literally(*q.Remote, "h.remote"))
	}
	if q.MinRating != nil {
		f.add("h.rating >= ?::float8::numeric", *q.MinRating)
	}
	if q.Verified != nil {
		f.add(literally(*q.Verified, "h.verified"))
	}
}

// literally writes a truth literally, for the partial indexes.
func literally(truth bool, column string) string {
	if truth {
		return column
	}
	return "NOT " + column
}
