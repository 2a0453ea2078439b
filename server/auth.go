package server

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/server/screening"
	"taskmarket/store"
)

// newcomerTries is the maximum number of random usernames that are tried for a new human.
const newcomerTries = 5

// authHandler handles the operations with the tag "auth".
type authHandler struct {
	*accounts
	*signatures

	store    *store.Store
	sessions gate.Sessions
	base     *url.URL
	chainID  uint64
	screen   *screening.Screen
	now      func() time.Time
}

// GetSiweMessage returns the EIP-4361 message that the wallet must sign. The server stores its hash
// and accepts exactly this text, once.
func (h *authHandler) GetSiweMessage(ctx context.Context, request api.GetSiweMessageRequestObject) (api.GetSiweMessageResponseObject, error) {
	wallet, err := market.ParseAddress("address", request.Params.Address)
	if err != nil {
		return nil, err
	}
	now := h.now().Truncate(time.Second)
	nonce, expires := randomText(nonceSize), now.Add(market.NonceLifetime)
	message := h.siweMessage(wallet, nonce, now, expires)
	err = h.store.SaveChallenge(ctx, store.Challenge{
		Hash: sha256.Sum256([]byte(message)), Purpose: store.PurposeLogin, Wallet: wallet, ExpiresAt: expires,
	})
	if err != nil {
		return nil, err
	}
	return api.GetSiweMessage200JSONResponse{Body: api.SiweMessage{Message: message, Nonce: nonce, ExpiresAt: market.TimeOf(expires)}}, nil
}

func (h *authHandler) siweMessage(wallet common.Address, nonce string, issued, expires time.Time) string {
	return fmt.Sprintf(`%s wants you to sign in with your Ethereum account:
%s

Sign in to Task Market.

URI: %s
Version: 1
Chain ID: %d
Nonce: %s
Issued At: %s
Expiration Time: %s`, h.base.Host, wallet.Hex(), h.base, h.chainID, nonce,
		market.FormatTime(issued), market.FormatTime(expires))
}

// LoginWithEthereum opens a session for the wallet that signed the message. Attempts without a valid proof,
// checks of contract wallets, and first sign-ins count against the limit of the client's network. Attempts
// with a valid proof count against the limit of the wallet.
func (h *authHandler) LoginWithEthereum(ctx context.Context, request api.LoginWithEthereumRequestObject) (api.LoginWithEthereumResponseObject, error) {
	wallet, err := walletOf(request.Body.Message)
	if err != nil {
		return nil, refusedLogin(ctx, err)
	}
	expected := store.Challenge{Hash: sha256.Sum256([]byte(request.Body.Message)), Purpose: store.PurposeLogin, Wallet: wallet}
	if err := h.checkMessage(ctx, expected, request.Body.Message, request.Body.Signature); err != nil {
		return nil, refusedLogin(ctx, err)
	}
	// A signed message can be sent again by another client, but only its first use counts.
	if err := h.store.CheckChallenge(ctx, expected); err != nil {
		return nil, refusedLogin(ctx, err)
	}
	if err := gate.ChargeSignIn(ctx, wallet); err != nil {
		return nil, err
	}
	exists, err := h.store.HasHuman(ctx, wallet)
	if err != nil {
		return nil, err
	}
	if !exists {
		if err := gate.Charge(ctx); err != nil {
			return nil, err
		}
	}
	if err := h.admitWallet(ctx, wallet); err != nil {
		return nil, err
	}
	token, human, opened, err := h.signIn(ctx, wallet, expected.Hash)
	if err != nil {
		return nil, refusedLogin(ctx, err)
	}
	position, err := h.eventsAfter(ctx, human.ID, opened)
	if err != nil {
		return nil, err
	}
	account, err := h.humanAccount(ctx, human)
	if err != nil {
		return nil, err
	}
	return api.LoginWithEthereum200JSONResponse{
		Body:    api.Login{Human: account, CSRFToken: opened.CSRF, EventsAfter: position},
		Headers: api.LoginWithEthereum200ResponseHeaders{SetCookie: h.sessions.Cookie(token)},
	}, nil
}

// admitWallet returns an error if the wallet is on the operator's sanctions list and has no account. An
// existing account can still sign in, because its money must stay reachable.
func (h *authHandler) admitWallet(ctx context.Context, wallet common.Address) error {
	listed := h.screen.CheckWallet(wallet)
	if listed == nil {
		return nil
	}
	exists, err := h.store.HasHuman(ctx, wallet)
	if err != nil || exists {
		return err
	}
	return listed
}

// walletOf reads the wallet address from its line in the message. The rest needs no parsing: the
// hash of the whole message must match a message that the server issued.
func walletOf(message string) (common.Address, error) {
	lines := strings.SplitN(message, "\n", 3)
	if len(lines) == 3 {
		if wallet, err := market.ParseAddress("message", lines[1]); err == nil {
			return wallet, nil
		}
	}
	return common.Address{}, market.Errorf(market.KindChallengeMismatch, "the message was not issued by this service")
}

// refusedLogin counts an invalid proof of wallet ownership against the limit of the client's network,
// and maps it to 401. Above the limit it returns KindRateLimited. It returns other errors unchanged.
func refusedLogin(ctx context.Context, err error) error {
	err = charged(ctx, err)
	if !gate.IsProofFault(err) {
		return err
	}
	return &market.Error{
		Kind: market.KindUnauthorized, Message: "the message was not signed by this wallet, was not issued by this service, has already been used or has expired",
		Hint: "sign in again, and sign exactly the message that this service issues", Cause: err,
	}
}

// signIn consumes the message and opens a session. A new human gets a random username.
func (h *authHandler) signIn(ctx context.Context, wallet common.Address, message common.Hash) (string, market.Human, gate.Session, error) {
	caller := gate.CallerOf(ctx)
	token, opened, err := h.sessions.Issue(wallet)
	if err != nil {
		return "", market.Human{}, gate.Session{}, err
	}
	for try := 1; ; try++ {
		newcomer, err := h.newcomer(wallet)
		if err != nil {
			return "", market.Human{}, gate.Session{}, err
		}
		human, err := h.store.SignIn(ctx, message, newcomer, store.Session{
			IDHash: opened.IDHash, ExpiresAt: opened.ExpiresAt, Device: caller.Device, Network: caller.Recorded,
		})
		if market.KindOf(err) != market.KindUsernameTaken || try == newcomerTries {
			return token, human, opened, err
		}
	}
}

func (h *authHandler) newcomer(wallet common.Address) (market.Human, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return market.Human{}, err
	}
	var digits [4]byte
	rand.Read(digits[:]) // never returns an error; it crashes the program instead
	username := fmt.Sprintf("human-%x", digits)
	return market.Human{
		ID: id, Username: username, Name: username, Wallet: wallet, Remote: true,
		VerificationCode: newCode(), CodeExpiresAt: h.now().Add(market.CodeLifetime),
	}, nil
}

// GetSession returns the signed-in human and the CSRF token that unsafe methods require.
func (h *authHandler) GetSession(ctx context.Context, _ api.GetSessionRequestObject) (api.GetSessionResponseObject, error) {
	caller := gate.CallerOf(ctx)
	position, err := h.eventsAfter(ctx, caller.Principal.ID, *caller.Session)
	if err != nil {
		return nil, err
	}
	human, err := h.store.Human(ctx, caller.Principal.ID)
	if err != nil {
		return nil, err
	}
	account, err := h.humanAccount(ctx, human)
	if err != nil {
		return nil, err
	}
	return api.GetSession200JSONResponse{Body: api.CurrentSession{
		Human: account, CSRFToken: caller.Session.CSRF, ExpiresAt: market.TimeOf(caller.Session.ExpiresAt), EventsAfter: position,
	}}, nil
}

// eventsAfter returns the current end of the event log. Call it before reading the data for a
// response, so that a change during the read is delivered as an event after this position.
func (h *authHandler) eventsAfter(ctx context.Context, humanID uuid.UUID, of gate.Session) (api.EventID, error) {
	now, err := h.store.Events(ctx, store.EventQuery{UserID: humanID, Credential: of.IDHash, Limit: 1})
	return now.Next.String(), err
}

// Logout ends the session and invalidates its token.
func (h *authHandler) Logout(ctx context.Context, _ api.LogoutRequestObject) (api.LogoutResponseObject, error) {
	if err := h.store.SignOut(ctx, gate.CallerOf(ctx).Session.IDHash); err != nil {
		return nil, err
	}
	return api.Logout200JSONResponse{
		Body:    api.Logout{Message: "You are signed out."},
		Headers: api.Logout200ResponseHeaders{SetCookie: h.sessions.Cookie("")},
	}, nil
}

// ListSessions returns the signed-in human's sessions, the most recently used first.
func (h *authHandler) ListSessions(ctx context.Context, _ api.ListSessionsRequestObject) (api.ListSessionsResponseObject, error) {
	caller := gate.CallerOf(ctx)
	sessions, err := h.store.Sessions(ctx, caller.Principal.ID)
	if err != nil {
		return nil, err
	}
	current := store.SessionID(caller.Session.IDHash)
	return api.ListSessions200JSONResponse{Body: api.SessionList{
		Sessions: mapAll(sessions, func(s store.SessionRecord) api.SessionRecord { return toAPISessionRecord(s, current) }),
	}}, nil
}

func toAPISessionRecord(s store.SessionRecord, current uuid.UUID) api.SessionRecord {
	record := api.SessionRecord{
		ID: s.ID, IsCurrent: s.ID == current,
		Browser: api.SessionRecordBrowser(s.Device.Browser), System: api.SessionRecordSystem(s.Device.System),
		CreatedAt: market.TimeOf(s.CreatedAt), LastUsedAt: market.TimeOf(s.LastUsedAt), ExpiresAt: market.TimeOf(s.ExpiresAt),
	}
	if s.Network.IsValid() {
		record.Network = new(s.Network.String())
	}
	return record
}

// LogoutSession ends one of the signed-in human's sessions.
func (h *authHandler) LogoutSession(ctx context.Context, request api.LogoutSessionRequestObject) (api.LogoutSessionResponseObject, error) {
	if err := h.store.EndSession(ctx, gate.PrincipalOf(ctx).ID, request.SessionID); err != nil {
		return nil, err
	}
	return api.LogoutSession200JSONResponse{Body: api.Logout{Message: "The session has ended."}}, nil
}

// LogoutEverywhere ends all sessions of the signed-in human, including this one.
func (h *authHandler) LogoutEverywhere(ctx context.Context, _ api.LogoutEverywhereRequestObject) (api.LogoutEverywhereResponseObject, error) {
	if err := h.store.EndSessions(ctx, gate.PrincipalOf(ctx).ID); err != nil {
		return nil, err
	}
	return api.LogoutEverywhere200JSONResponse{
		Body:    api.Logout{Message: "You are signed out everywhere."},
		Headers: api.LogoutEverywhere200ResponseHeaders{SetCookie: h.sessions.Cookie("")},
	}, nil
}
