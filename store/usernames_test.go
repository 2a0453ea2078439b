package store_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

func rename(t *testing.T, s *store.Store, h market.Human, username string) error {
	t.Helper()
	_, err := s.ChangeHuman(t.Context(), h.ID, store.HumanChange{Username: &username})
	return err
}

// The database and package market compute the same skeletons.
func TestUsernameSkeletons(t *testing.T) {
	t.Parallel()
	db := storetest.DB(t, storetest.New(t))
	names := []string{"PAYPAI", "Paypa1", "m-W-rn-vv", "0O1lI-i", "x--y---z", "zz9"}
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"
	for range 200 {
		var name strings.Builder
		for range 1 + rand.IntN(30) {
			name.WriteByte(letters[rand.IntN(len(letters))])
		}
		names = append(names, name.String())
	}
	for _, name := range names {
		var got string
		if err := db.GetContext(t.Context(), &got, `SELECT username_skeleton($1)`, name); err != nil || got != market.UsernameSkeleton(name) {
			t.Errorf("username_skeleton(%q) = %q, %v, want %q", name, got, err, market.UsernameSkeleton(name))
		}
	}
}

// No user can take a name that looks like another user's, even concurrently.
func TestThreat78LookalikeUsernames(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	owner, thief := storetest.Human(t, s), storetest.Human(t, s)
	storetest.WantKind(t, "ChangeHuman()", rename(t, s, owner, "milo-willow"), "")
	for _, name := range []string{"MILO-WILLOW", "mi1o-willow", "mllo-wiIlow", "rnilo-willow", "milo-vvillovv", "milo--willow", "mil0-w1ll0w"} {
		storetest.WantKind(t, "CheckFree() of "+name, s.CheckFree(t.Context(), storetest.NewWallet(), name), market.KindUsernameTaken)
		storetest.WantKind(t, "ChangeHuman() to "+name, rename(t, s, thief, name), market.KindUsernameTaken)
		r := newRegistration()
		r.agent.Username = name
		storetest.SaveChallenge(t, s, r.challenged())
		storetest.WantKind(t, "RegisterAgent() as "+name, r.send(t, s), market.KindUsernameTaken)
	}
	storetest.WantKind(t, "ChangeHuman() of the owner to another spelling", rename(t, s, owner, "Milo-Willow"), "")
	storetest.WantKind(t, "ChangeHuman() to another name", rename(t, s, thief, "milo-pillow"), "")
	for range 10 {
		both := []market.Human{storetest.Human(t, s), storetest.Human(t, s)}
		name := storetest.NewName() + "o"
		errs := storetest.Race(2, func(i int) error {
			return rename(t, s, both[i], []string{name, strings.TrimSuffix(name, "o") + "0"}[i])
		})
		storetest.WantOneWinner(t, "ChangeHuman()", errs, market.KindUsernameTaken)
	}
}

// A username that a human releases is reserved for 90 days. The human can take it back.
func TestThreat78ReleasedUsernamesStayReserved(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	owner, other := storetest.Human(t, s), storetest.Human(t, s)
	first := owner.Username
	storetest.WantKind(t, "ChangeHuman()", rename(t, s, owner, "second-name"), "")
	storetest.WantKind(t, "ChangeHuman() to a released name", rename(t, s, other, first), market.KindUsernameTaken)
	storetest.WantKind(t, "CheckFree() of a released name", s.CheckFree(t.Context(), storetest.NewWallet(), first), market.KindUsernameTaken)
	storetest.WantKind(t, "ChangeHuman() back", rename(t, s, owner, first), "")
	storetest.WantKind(t, "ChangeHuman() to the name released by that", rename(t, s, other, "second-name"), market.KindUsernameTaken)
	days := func(days int) {
		storetest.Execute(t, s, `UPDATE usernames SET released_at = now() - make_interval(days => $1) WHERE released_at IS NOT NULL`, days)
	}
	days(89)
	storetest.WantKind(t, "ChangeHuman() after 89 days", rename(t, s, other, "second-name"), market.KindUsernameTaken)
	days(91)
	storetest.WantKind(t, "CheckFree() after 91 days", s.CheckFree(t.Context(), storetest.NewWallet(), "second-name"), "")
	storetest.WantKind(t, "ChangeHuman() after 91 days", rename(t, s, other, "second-name"), "")
	storetest.WantKind(t, "ChangeHuman() of the former owner", rename(t, s, owner, "second-name"), market.KindUsernameTaken)
}

// A human cannot reserve many names by changing the username often.
func TestThreat78ReservedUsernamesAreLimited(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	human := storetest.Human(t, s)
	for i := range market.MaxReservedUsernames {
		storetest.WantKind(t, "ChangeHuman()", rename(t, s, human, []string{"one-name", "two-names", "three-names"}[i]), "")
	}
	storetest.WantKind(t, "ChangeHuman() once more", rename(t, s, human, "four-names"), market.KindAlreadyExists)
	got := storetest.Must(s.Human(t.Context(), human.ID))
	if got.Username != "three-names" {
		t.Errorf("the refused change left the username %s", got.Username)
	}
	storetest.WantKind(t, "ChangeHuman() back", rename(t, s, human, "one-name"), "")
	name := "A new display name"
	_, err := s.ChangeHuman(t.Context(), human.ID, store.HumanChange{Name: &name})
	storetest.WantKind(t, "ChangeHuman() of another field", err, "")
}

// Users whose names looked alike before the rule existed can still change their profiles.
func TestEarlierLookalikesKeepTheirNames(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	one, two := storetest.Human(t, s), storetest.Human(t, s)
	storetest.Execute(t, s, `DELETE FROM usernames`)
	storetest.Execute(t, s, `UPDATE users SET username = 'alike' WHERE id = $1`, one.ID)
	storetest.Execute(t, s, `DELETE FROM usernames`)
	storetest.Execute(t, s, `UPDATE users SET username = 'al1ke' WHERE id = $1`, two.ID)
	name := "A new display name"
	for _, h := range []market.Human{one, two} {
		_, err := s.ChangeHuman(t.Context(), h.ID, store.HumanChange{Name: &name})
		storetest.WantKind(t, "ChangeHuman()", err, "")
	}
	storetest.WantKind(t, "ChangeHuman() of the one without the row", rename(t, s, one, "different"), "")
	storetest.WantKind(t, "ChangeHuman() to that name", rename(t, s, storetest.Human(t, s), "alike"), market.KindUsernameTaken)
}
