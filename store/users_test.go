package store_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// registration contains the arguments to RegisterAgent.
type registration struct {
	agent                       market.Agent
	keyHash, challenge, profile common.Hash
}

func newRegistration() registration {
	return registration{
		agent: market.Agent{
			ID: storetest.NewID(), Username: storetest.NewName(), Name: "A name", Bio: "What it does.", Wallet: storetest.NewWallet(),
			APIKeyPrefix: "tmk_abc", VerificationCode: storetest.NewHash().Hex(),
			CodeExpiresAt: time.Now().UTC().Add(time.Hour).Truncate(time.Millisecond),
		},
		keyHash: storetest.NewHash(), challenge: storetest.NewHash(), profile: storetest.NewHash(),
	}
}

// challenged returns the challenge that the server issues for r.
func (r registration) challenged() store.Challenge {
	return store.Challenge{
		Hash: r.challenge, Purpose: store.PurposeRegister, Wallet: r.agent.Wallet, Profile: r.profile,
		ExpiresAt: time.Now().Add(time.Minute),
	}
}

func (r registration) send(t *testing.T, s *store.Store) error {
	t.Helper()
	return s.RegisterAgent(t.Context(), r.agent, r.keyHash, r.challenge, r.profile)
}

func TestRegisterAgent(t *testing.T) {
	t.Parallel()
	s, r := storetest.New(t), newRegistration()
	storetest.SaveChallenge(t, s, r.challenged())
	if err := r.send(t, s); err != nil {
		t.Fatal(err)
	}
	got := storetest.Must(s.Agent(t.Context(), r.agent.ID))
	if diff := cmp.Diff(r.agent, got, cmpopts.IgnoreFields(market.Agent{}, "CreatedAt")); diff != "" {
		t.Errorf("Agent() (-want +got):\n%s", diff)
	}
	principal, _, err := s.Authenticate(t.Context(), store.Credential{Kind: market.PrincipalAgent, Hash: r.keyHash}, nil)
	want := market.Principal{Kind: market.PrincipalAgent, ID: r.agent.ID, Username: r.agent.Username, Wallet: r.agent.Wallet, State: market.AccountGood}
	if diff := cmp.Diff(want, principal); err != nil || diff != "" {
		t.Errorf("Authenticate() error = %v (-want +got):\n%s", err, diff)
	}
	storetest.WantKind(t, "RegisterAgent() repeated", r.send(t, s), market.KindWalletRegistered)

	second := newRegistration()
	second.challenge, second.profile = r.challenge, r.profile
	storetest.WantKind(t, "RegisterAgent() with a used challenge", second.send(t, s), market.KindChallengeMismatch)
}

// If one agent releases a username while another user registers with it, the username stays
// reserved.
func TestFormerUsernameStaysReserved(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	changed, taken := make(chan error, 1), make(chan error, 1)
	r := newRegistration()
	r.agent.Username = strings.ToUpper(agent.Username)
	storetest.SaveChallenge(t, s, r.challenged())
	go func() {
		_, err := s.ChangeAgentUsername(t.Context(), agent.ID, storetest.NewName())
		changed <- err
	}()
	go func() { taken <- s.RegisterAgent(t.Context(), r.agent, r.keyHash, r.challenge, r.profile) }()
	storetest.WantKind(t, "ChangeAgentUsername()", <-changed, "")
	storetest.WantKind(t, "RegisterAgent() during the change", <-taken, market.KindUsernameTaken)
	storetest.WantKind(t, "RegisterAgent() after the change", r.send(t, s), market.KindUsernameTaken)
	human := storetest.Human(t, s)
	_, err := s.ChangeHuman(t.Context(), human.ID, store.HumanChange{Username: &agent.Username})
	storetest.WantKind(t, "ChangeHuman()", err, market.KindUsernameTaken)
}

func TestRegisterAgentRejectsChallenge(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for name, test := range map[string]struct {
		change func(*store.Challenge)
		want   market.Kind
	}{
		"never issued":         {func(c *store.Challenge) { c.Hash = storetest.NewHash() }, market.KindChallengeMismatch},
		"for a sign-in":        {func(c *store.Challenge) { c.Purpose = store.PurposeLogin }, market.KindChallengeMismatch},
		"for another wallet":   {func(c *store.Challenge) { c.Wallet = storetest.NewWallet() }, market.KindChallengeMismatch},
		"for another profile":  {func(c *store.Challenge) { c.Profile = storetest.NewHash() }, market.KindChallengeMismatch},
		"without a profile":    {func(c *store.Challenge) { c.Profile = common.Hash{} }, market.KindChallengeMismatch},
		"expired a minute ago": {func(c *store.Challenge) { c.ExpiresAt = time.Now().Add(-time.Minute) }, market.KindChallengeExpired},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRegistration()
			c := r.challenged()
			test.change(&c)
			storetest.SaveChallenge(t, s, c)
			storetest.WantKind(t, "RegisterAgent()", r.send(t, s), test.want)
			storetest.WantKind(t, "RegisterAgent() again", r.send(t, s), test.want)
			_, err := s.Agent(t.Context(), r.agent.ID)
			storetest.WantKind(t, "Agent()", err, market.KindNotFound)
		})
	}
}

// A registration that is rejected because of an invalid profile does not consume the challenge, so
// that the challenge can be used again.
func TestRejectedRegistrationKeepsChallenge(t *testing.T) {
	t.Parallel()
	s, r := storetest.New(t), newRegistration()
	storetest.SaveChallenge(t, s, r.challenged())
	bad := r
	bad.agent.Name = ""
	storetest.WantKind(t, "RegisterAgent() without a name", bad.send(t, s), market.KindInvalid)
	storetest.WantKind(t, "RegisterAgent()", r.send(t, s), "")
}

func TestCheckFree(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	for name, test := range map[string]struct {
		wallet   common.Address
		username string
		want     market.Kind
	}{
		"free":                {storetest.NewWallet(), storetest.NewName(), ""},
		"an agent's wallet":   {agent.Wallet, storetest.NewName(), market.KindWalletRegistered},
		"a human's wallet":    {human.Wallet, storetest.NewName(), ""},
		"an agent's username": {storetest.NewWallet(), agent.Username, market.KindUsernameTaken},
		"a human's username":  {storetest.NewWallet(), human.Username, market.KindUsernameTaken},
		"in another case":     {storetest.NewWallet(), strings.ToUpper(human.Username), market.KindUsernameTaken},
		"both taken":          {agent.Wallet, agent.Username, market.KindWalletRegistered},
		"an invalid username": {storetest.NewWallet(), "%", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.WantKind(t, "CheckFree()", s.CheckFree(t.Context(), test.wallet, test.username), test.want)
		})
	}
}

func TestRegisterAgentConstraints(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for name, test := range map[string]struct {
		change func(*market.Agent)
		want   market.Kind
	}{
		"username pattern": {func(a *market.Agent) { a.Username = "-dash" }, market.KindInvalid},
		"no name":          {func(a *market.Agent) { a.Name = "" }, market.KindInvalid},
		"long name":        {func(a *market.Agent) { a.Name = strings.Repeat("ü", market.MaxName+1) }, market.KindInvalid},
		"longest name":     {func(a *market.Agent) { a.Name = strings.Repeat("ü", market.MaxName) }, ""},
		"long bio":         {func(a *market.Agent) { a.Bio = strings.Repeat("x", market.MaxBio+1) }, market.KindInvalid},
		"NUL in the bio":   {func(a *market.Agent) { a.Bio = "a\x00b" }, market.KindInvalid},
		"invalid UTF-8":    {func(a *market.Agent) { a.Bio = "a\xffb" }, market.KindInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRegistration()
			test.change(&r.agent)
			storetest.SaveChallenge(t, s, r.challenged())
			storetest.WantKind(t, "RegisterAgent()", r.send(t, s), test.want)
		})
	}
}

func TestRegisterAgentRaces(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		share  func(*registration, registration) // makes the second registration share a value with the first
		losers market.Kind
	}{
		"same wallet": {func(r *registration, first registration) { r.agent.Wallet = first.agent.Wallet }, market.KindWalletRegistered},
		"same username": {func(r *registration, first registration) {
			r.agent.Username = strings.ToUpper(first.agent.Username)
		}, market.KindUsernameTaken},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			for range 10 {
				both := []registration{newRegistration(), newRegistration()}
				test.share(&both[1], both[0])
				storetest.SaveChallenge(t, s, both[0].challenged())
				storetest.SaveChallenge(t, s, both[1].challenged())
				errs := storetest.Race(2, func(i int) error { return both[i].send(t, s) })
				storetest.WantOneWinner(t, "RegisterAgent()", errs, test.losers)
			}
		})
	}
}

// If several registrations use one challenge concurrently, one of them succeeds. The others fail
// because the challenge is used or the wallet is registered.
func TestRegisterAgentConsumesOnce(t *testing.T) {
	t.Parallel()
	s, r := storetest.New(t), newRegistration()
	storetest.SaveChallenge(t, s, r.challenged())
	winners := 0
	for _, err := range storetest.Race(40, func(int) error { return r.send(t, s) }) {
		if kind := market.KindOf(err); kind == market.KindChallengeMismatch || kind == market.KindWalletRegistered {
			continue
		}
		winners++
		storetest.WantKind(t, "RegisterAgent()", err, "")
	}
	if winners != 1 {
		t.Errorf("%d registrations succeeded, want 1", winners)
	}
}

func TestLinkSocial(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	unverified := func(a *market.Agent) { a.Link = nil }
	link := func(account, post string) market.SocialLink {
		return market.SocialLink{Network: "social.test", Handle: "h-" + account, AccountID: account, PostID: post, PostedAt: now, VerifiedAt: now}
	}
	agent, other := storetest.Agent(t, s, unverified), storetest.Agent(t, s, unverified)
	human := storetest.Human(t, s, func(h *market.Human) { h.Link = nil })
	late := storetest.Agent(t, s, unverified, func(a *market.Agent) { a.CodeExpiresAt = now.Add(-2 * market.ClockSkew) })

	storetest.WantKind(t, "LinkSocial() with a wrong code",
		s.LinkSocial(t.Context(), market.PrincipalAgent, agent.ID, other.VerificationCode, link("1", "1")), market.KindVerificationFailed)
	storetest.WantKind(t, "LinkSocial() with an old code",
		s.LinkSocial(t.Context(), market.PrincipalAgent, late.ID, late.VerificationCode, link("1", "1")), market.KindVerificationFailed)
	storetest.WantKind(t, "LinkSocial()",
		s.LinkSocial(t.Context(), market.PrincipalAgent, agent.ID, agent.VerificationCode, link("1", "1")), "")
	got := storetest.Must(s.Agent(t.Context(), agent.ID))
	if diff := cmp.Diff(new(link("1", "1")), got.Link); diff != "" {
		t.Errorf("Agent().Link (-want +got):\n%s", diff)
	}
	storetest.WantKind(t, "LinkSocial() to another agent's account",
		s.LinkSocial(t.Context(), market.PrincipalAgent, other.ID, other.VerificationCode, link("1", "2")), market.KindSocialAccountTaken)
	storetest.WantKind(t, "LinkSocial() to another agent's post",
		s.LinkSocial(t.Context(), market.PrincipalAgent, other.ID, other.VerificationCode, link("2", "1")), market.KindSocialAccountTaken)
	storetest.WantKind(t, "LinkSocial() of a human to an agent's account, with another post",
		s.LinkSocial(t.Context(), market.PrincipalHuman, human.ID, human.VerificationCode, link("1", "3")), "")

	storetest.WantKind(t, "LinkSocial() with a used code",
		s.LinkSocial(t.Context(), market.PrincipalAgent, agent.ID, agent.VerificationCode, link("5", "5")), market.KindVerificationFailed)
	earlier := link("6", "6")
	earlier.PostedAt = now.Add(-time.Millisecond)
	for what, test := range map[string]struct {
		code string
		link market.SocialLink
		want market.Kind
	}{
		"with the same time":        {agent.VerificationCode, link("5", "5"), market.KindVerificationFailed},
		"with another code":         {other.VerificationCode, earlier, market.KindVerificationFailed},
		"of another user's account": {agent.VerificationCode, market.SocialLink{Network: "social.test", Handle: "x", AccountID: "x", PostID: "3", PostedAt: earlier.PostedAt, VerifiedAt: now}, market.KindSocialAccountTaken},
	} {
		storetest.WantKind(t, "DisplaceSocial() by a post "+what, s.DisplaceSocial(t.Context(), agent.ID, test.code, test.link), test.want)
	}
	storetest.WantKind(t, "DisplaceSocial() by an earlier post", s.DisplaceSocial(t.Context(), agent.ID, agent.VerificationCode, earlier), "")
	storetest.WantKind(t, "DisplaceSocial() by the displaced post", s.DisplaceSocial(t.Context(), agent.ID, agent.VerificationCode, link("1", "1")), market.KindVerificationFailed)

	storetest.WantKind(t, "SetVerificationCode()",
		s.SetVerificationCode(t.Context(), market.PrincipalAgent, agent.ID, "fresh", "h-4@social.test", now.Add(time.Hour)), "")
	storetest.WantKind(t, "LinkSocial() with the former code",
		s.LinkSocial(t.Context(), market.PrincipalAgent, agent.ID, agent.VerificationCode, link("4", "4")), market.KindVerificationFailed)
	storetest.WantKind(t, "LinkSocial() that replaces the first link",
		s.LinkSocial(t.Context(), market.PrincipalAgent, agent.ID, "fresh", link("4", "4")), "")
	earlier.PostedAt = now.Add(-time.Hour)
	storetest.WantKind(t, "DisplaceSocial() of a link by a code for one account",
		s.DisplaceSocial(t.Context(), agent.ID, "fresh", earlier), market.KindVerificationFailed)
	storetest.WantKind(t, "SetVerificationCode() of an agent as a human",
		s.SetVerificationCode(t.Context(), market.PrincipalHuman, agent.ID, "x", "", now), market.KindNotFound)
}

func TestLinkSocialRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agents := []market.Agent{storetest.Agent(t, s), storetest.Agent(t, s)}
	errs := storetest.Race(2, func(i int) error {
		return s.LinkSocial(t.Context(), market.PrincipalAgent, agents[i].ID, agents[i].VerificationCode, market.SocialLink{
			Network: "social.test", Handle: "one", AccountID: "one", PostID: storetest.NewName(), PostedAt: time.Now(), VerifiedAt: time.Now(),
		})
	})
	storetest.WantOneWinner(t, "LinkSocial()", errs, market.KindSocialAccountTaken)
}

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
func TestLookalikeUsernames(t *testing.T) {
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
func TestReleasedUsernamesStayReserved(t *testing.T) {
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
func TestReservedUsernamesAreLimited(t *testing.T) {
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
