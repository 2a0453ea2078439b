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
	s, wallet := storetest.New(t), storetest.NewWallet()
	session := storetest.NewSession()
	first := storetest.Newcomer(wallet)
	human := storetest.Must(s.SignIn(t.Context(), storetest.NewLogin(t, s, wallet), first, session))
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
	again := storetest.Must(s.SignIn(t.Context(), storetest.NewLogin(t, s, wallet), storetest.Newcomer(wallet), storetest.NewSession()))
	if again.ID != human.ID {
		t.Errorf("SignIn() again = %s, want the same human %s", again.ID, human.ID)
	}
}

func TestSignInRejects(t *testing.T) {
	t.Parallel()
	s, wallet := storetest.New(t), storetest.NewWallet()
	challenge := storetest.NewLogin(t, s, wallet)
	_, err := s.SignIn(t.Context(), challenge, storetest.Newcomer(storetest.NewWallet()), storetest.NewSession())
	storetest.WantKind(t, "SignIn() of another wallet", err, market.KindChallengeMismatch)
	taken := storetest.Newcomer(wallet)
	taken.Username = storetest.Agent(t, s).Username
	_, err = s.SignIn(t.Context(), challenge, taken, storetest.NewSession())
	storetest.WantKind(t, "SignIn() with a taken username", err, market.KindUsernameTaken)
	_, err = s.SignIn(t.Context(), challenge, storetest.Newcomer(wallet), storetest.NewSession())
	storetest.WantKind(t, "SignIn() with another username", err, "")
	_, err = s.SignIn(t.Context(), challenge, storetest.Newcomer(wallet), storetest.NewSession())
	storetest.WantKind(t, "SignIn() with a used challenge", err, market.KindChallengeMismatch)
}

// If a wallet signs in for the first time in two browsers at once, only one human is created.
func TestSignInRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for range 10 {
		wallet := storetest.NewWallet()
		challenges := []common.Hash{storetest.NewLogin(t, s, wallet), storetest.NewLogin(t, s, wallet)}
		humans := make([]market.Human, 2)
		for _, err := range storetest.Race(2, func(i int) (err error) {
			humans[i], err = s.SignIn(t.Context(), challenges[i], storetest.Newcomer(wallet), storetest.NewSession())
			return err
		}) {
			storetest.WantKind(t, "SignIn()", err, "")
		}
		if humans[0].ID != humans[1].ID {
			t.Errorf("SignIn() created two humans for one wallet: %s, %s", humans[0].ID, humans[1].ID)
		}
	}
}

// A signed message opens only one session.
func TestSignInConsumesOnce(t *testing.T) {
	t.Parallel()
	s, wallet := storetest.New(t), storetest.NewWallet()
	challenge := storetest.NewLogin(t, s, wallet)
	errs := storetest.Race(10, func(int) error {
		_, err := s.SignIn(t.Context(), challenge, storetest.Newcomer(wallet), storetest.NewSession())
		return err
	})
	storetest.WantOneWinner(t, "SignIn()", errs, market.KindChallengeMismatch)
}

func TestSessionEnds(t *testing.T) {
	t.Parallel()
	s, wallet := storetest.New(t), storetest.NewWallet()
	over := storetest.NewSession()
	over.ExpiresAt = time.Now().Add(-time.Minute)
	storetest.Must(s.SignIn(t.Context(), storetest.NewLogin(t, s, wallet), storetest.Newcomer(wallet), over))
	_, err := authenticate(t, s, over)
	storetest.WantKind(t, "Authenticate() after the session's expiry", err, market.KindUnauthorized)

	session := storetest.NewSession()
	storetest.Must(s.SignIn(t.Context(), storetest.NewLogin(t, s, wallet), storetest.Newcomer(wallet), session))
	for range 2 {
		storetest.WantKind(t, "SignOut()", s.SignOut(t.Context(), session.IDHash), "")
	}
	_, err = authenticate(t, s, session)
	storetest.WantKind(t, "Authenticate() after SignOut()", err, market.KindUnauthorized)
}
