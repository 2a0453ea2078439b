package store_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

func authenticate(t *testing.T, s *store.Store, session store.Session) (market.Principal, error) {
	t.Helper()
	who, _, err := s.Authenticate(t.Context(), store.Credential{Kind: market.PrincipalHuman, Hash: session.IDHash}, nil)
	return who, err
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	s, wallet := storetest.New(t), newWallet()
	session := newSession()
	first := newcomer(wallet)
	human := ok(s.SignIn(t.Context(), loginChallenge(t, s, wallet), first, session))
	if human.ID != first.ID || human.Username != first.Username {
		t.Errorf("SignIn() = %s %s, want the newcomer %s %s", human.ID, human.Username, first.ID, first.Username)
	}
	who, err := authenticate(t, s, session)
	if err != nil {
		t.Errorf("Authenticate() error = %v", err)
	}
	want := market.Principal{Kind: market.PrincipalHuman, ID: human.ID, Username: human.Username, Wallet: wallet, State: market.AccountGood}
	if diff := cmp.Diff(want, who); diff != "" {
		t.Errorf("Authenticate() (-want +got):\n%s", diff)
	}
	again := ok(s.SignIn(t.Context(), loginChallenge(t, s, wallet), newcomer(wallet), newSession()))
	if again.ID != human.ID {
		t.Errorf("SignIn() again = %s, want the same human %s", again.ID, human.ID)
	}
}

func TestSignInRejects(t *testing.T) {
	t.Parallel()
	s, wallet := storetest.New(t), newWallet()
	challenge := loginChallenge(t, s, wallet)
	_, err := s.SignIn(t.Context(), challenge, newcomer(newWallet()), newSession())
	wantKind(t, "SignIn() of another wallet", err, market.KindChallengeMismatch)
	taken := newcomer(wallet)
	taken.Username = storetest.Agent(t, s).Username
	_, err = s.SignIn(t.Context(), challenge, taken, newSession())
	wantKind(t, "SignIn() with a taken username", err, market.KindUsernameTaken)
	_, err = s.SignIn(t.Context(), challenge, newcomer(wallet), newSession())
	wantKind(t, "SignIn() with another username", err, "")
	_, err = s.SignIn(t.Context(), challenge, newcomer(wallet), newSession())
	wantKind(t, "SignIn() with a used challenge", err, market.KindChallengeMismatch)
}

// If a wallet signs in for the first time in two browsers at once, only one human is created.
func TestSignInRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for range 10 {
		wallet := newWallet()
		challenges := []common.Hash{loginChallenge(t, s, wallet), loginChallenge(t, s, wallet)}
		humans := make([]market.Human, 2)
		for _, err := range race(2, func(i int) (err error) {
			humans[i], err = s.SignIn(t.Context(), challenges[i], newcomer(wallet), newSession())
			return err
		}) {
			wantKind(t, "SignIn()", err, "")
		}
		if humans[0].ID != humans[1].ID {
			t.Errorf("SignIn() created two humans for one wallet: %s, %s", humans[0].ID, humans[1].ID)
		}
	}
}

// A signed message opens only one session.
func TestSignInConsumesOnce(t *testing.T) {
	t.Parallel()
	s, wallet := storetest.New(t), newWallet()
	challenge := loginChallenge(t, s, wallet)
	errs := race(10, func(int) error {
		_, err := s.SignIn(t.Context(), challenge, newcomer(wallet), newSession())
		return err
	})
	wantOneWinner(t, "SignIn()", errs, market.KindChallengeMismatch)
}

func TestSessionEnds(t *testing.T) {
	t.Parallel()
	s, wallet := storetest.New(t), newWallet()
	over := newSession()
	over.ExpiresAt = time.Now().Add(-time.Minute)
	ok(s.SignIn(t.Context(), loginChallenge(t, s, wallet), newcomer(wallet), over))
	_, err := authenticate(t, s, over)
	wantKind(t, "Authenticate() after the session's expiry", err, market.KindUnauthorized)

	session := newSession()
	ok(s.SignIn(t.Context(), loginChallenge(t, s, wallet), newcomer(wallet), session))
	for range 2 {
		wantKind(t, "SignOut()", s.SignOut(t.Context(), session.IDHash), "")
	}
	_, err = authenticate(t, s, session)
	wantKind(t, "Authenticate() after SignOut()", err, market.KindUnauthorized)
}
