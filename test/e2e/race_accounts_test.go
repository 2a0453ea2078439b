package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/chain"
	gen "taskmarket/gen/client"
)

// rivals is the number of different requests for one thing in a race, each with a separate
// challenge, which the racers share.
const rivals = 5

// TestRacesForAccounts: of many requests for one wallet's agent, one username, one key's successor
// or one post's code, one succeeds.
func TestRacesForAccounts(t *testing.T) {
	t.Parallel()
	a := newArena(t, 4)
	defer a.end()
	a.run("threat 27: register one wallet", a.raceForWallet)
	a.run("threat 27: register one username", a.raceForUsername)
	a.run("threat 25: rotate one key", a.raceToRotate)
	a.run("threat 64: verify two agents by one post", a.raceToVerify)
}

// newcomer returns a wallet without an account.
func (a *arena) newcomer() *chain.KeySigner {
	a.t.Helper()
	key, err := crypto.GenerateKey()
	a.must(err)
	return chain.NewKeySigner(key)
}

// signed returns the second step of a registration.
func (a *arena) signed(wallet *chain.KeySigner, username string) gen.RegisterAgentRequest {
	a.t.Helper()
	body := gen.RegisterAgentRequest{WalletAddress: wallet.Address().Hex(), Name: "A racer", Username: username}
	api, err := gen.NewClientWithResponses(a.server.api())
	a.must(err)
	asked, err := api.RegisterAgentWithResponse(a.ctx, body)
	a.must(err)
	if asked.JSON428 == nil {
		a.t.Fatalf("register %s, step 1: %s", username, asked.Body)
	}
	signature, err := wallet.SignMessage(a.ctx, asked.JSON428.Challenge)
	a.must(err)
	body.Challenge, body.Signature = &asked.JSON428.Challenge, new(hexutil.Encode(signature))
	return body
}

func (a *arena) raceForWallet(round int) {
	wallet := a.newcomer()
	a.raceToRegister("wallet_already_registered", func(rival int) gen.RegisterAgentRequest {
		return a.signed(wallet, fmt.Sprintf("wallet-%d-%d", round, rival))
	})
}

// Usernames that differ only in case are equal.
func (a *arena) raceForUsername(round int) {
	a.raceToRegister("username_taken", func(rival int) gen.RegisterAgentRequest {
		spelling := [2]string{"username-%d", "Username-%d"}[rival%2]
		return a.signed(a.newcomer(), fmt.Sprintf(spelling, round))
	})
}

// raceToRegister has the racers complete the rivals' registrations, of which one can succeed. The
// others get an error that names the taken field, or that the challenge is used.
func (a *arena) raceToRegister(taken string, rival func(rival int) gen.RegisterAgentRequest) {
	a.t.Helper()
	bodies := make([]gen.RegisterAgentRequest, rivals)
	for i := range bodies {
		bodies[i] = rival(i)
	}
	answers := a.race(func(n int) ask {
		return ask{op: "registerAgent", body: bodies[n%rivals], as: noCredentials}
	})
	a.wantOnly(answers, "201", "409 wallet_already_registered", "409 "+taken, "400 challenge_mismatch")
	winner := a.wantWinner(answers, http.StatusCreated)
	registered := read[gen.AgentRegistration](a, winner)
	for _, r := range a.replicas {
		me := get[gen.AgentAccount](a, r, ask{op: "getAgentMe", as: withKey(registered.APIKey)})
		if body := bodies[winner.racer%rivals]; me.Username != body.Username || me.WalletAddress != body.WalletAddress {
			a.t.Errorf("the winner is %s of %s, want %s of %s", me.Username, me.WalletAddress, body.Username, body.WalletAddress)
		}
	}
}

// registered registers an agent, without a race.
func (a *arena) registered(wallet *chain.KeySigner, username string) gen.AgentRegistration {
	a.t.Helper()
	return get[gen.AgentRegistration](a, a.server, ask{op: "registerAgent", body: a.signed(wallet, username), as: noCredentials})
}

// raceToRotate: from the one success on, both servers refuse the old key.
func (a *arena) raceToRotate(round int) {
	old := a.registered(a.newcomer(), fmt.Sprintf("rotate-%d", round)).APIKey
	answers := a.race(func(int) ask {
		return ask{op: "rotateAPIKey", as: withKey(old), then: func(got reply) error {
			if got.status != http.StatusOK {
				return nil
			}
			return a.refusedEverywhere(old)
		}}
	})
	a.wantOnly(answers, "200", "401 unauthorized")
	fresh := read[gen.APIKeyReplacement](a, a.wantWinner(answers, http.StatusOK)).APIKey
	for _, r := range a.replicas {
		get[gen.AgentAccount](a, r, ask{op: "getAgentMe", as: withKey(fresh)})
	}
}

// refusedEverywhere returns an error unless all servers refuse the key.
func (a *arena) refusedEverywhere(key string) error {
	for i, r := range a.replicas {
		got, err := a.askPatiently(r, ask{op: "getAgentMe", as: withKey(key)})
		if err != nil {
			return err
		}
		if got.status != http.StatusUnauthorized {
			return fmt.Errorf("server %d takes the old key: %s", i, got)
		}
	}
	return nil
}

// raceToVerify: a post with the codes of two agents verifies one.
func (a *arena) raceToVerify(round int) {
	var pair [2]gen.AgentRegistration
	for i := range pair {
		pair[i] = a.registered(a.newcomer(), fmt.Sprintf("verify-%d-%d", round, i))
	}
	post := a.social.Post(fmt.Sprintf("racer-%d", round), "We are "+pair[0].VerificationCode+" and "+pair[1].VerificationCode)
	answers := a.race(func(n int) ask {
		agent := pair[side(n)]
		return ask{
			op: "verifyAgent", path: []string{agent.AgentID.String()},
			body: gen.VerifyAgentRequest{PostURL: new(post)}, as: withKey(agent.APIKey),
		}
	})
	a.wantOnly(answers, "200", "409 social_account_taken")
	var verified int
	for i, agent := range pair {
		if get[gen.AgentAccount](a, a.server, ask{op: "getAgentMe", as: withKey(agent.APIKey)}).IsVerified {
			verified++
			for _, got := range answers {
				if won := got.status == http.StatusOK; won != (side(got.racer) == i) {
					a.t.Errorf("racer %d got %s, and agent %d is verified", got.racer, got, i)
				}
			}
		}
	}
	if verified != 1 {
		a.t.Errorf("one post verified %d agents: %v", verified, tally(answers))
	}
}
