package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/gen/client"
)

// callerCount is the number of agents that send requests. Each request under load is sent by a random one.
const callerCount = 16

// caller is an agent whose API key is known.
type caller struct {
	id       uuid.UUID
	key      string
	assigned []uuid.UUID // tasks with an assigned human
}

// register registers the callers through the API.
func (s *service) register(ctx context.Context) error {
	api, err := client.NewClientWithResponses(s.url)
	if err != nil {
		return fmt.Errorf("create an API client: %w", err)
	}
	for i := range uint64(callerCount) {
		digest := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("caller"), i))
		key, err := crypto.ToECDSA(digest[:])
		if err != nil {
			return fmt.Errorf("create caller %d: %w", i, err)
		}
		registered, err := registerAgent(ctx, api, chain.NewKeySigner(key), fmt.Sprintf("caller-%d", i))
		if err != nil {
			return fmt.Errorf("register caller %d: %w", i, err)
		}
		s.callers = append(s.callers, registered)
	}
	return nil
}

func registerAgent(ctx context.Context, api *client.ClientWithResponses, signer *chain.KeySigner, username string) (caller, error) {
	body := client.RegisterAgentRequest{WalletAddress: signer.Address().Hex(), Name: username, Username: username}
	challenge, err := api.RegisterAgentWithResponse(ctx, body)
	if err != nil {
		return caller{}, err
	}
	if challenge.JSON428 == nil {
		return caller{}, fmt.Errorf("request a challenge: %s: %s", challenge.Status(), challenge.Body)
	}
	signature, err := signer.SignMessage(ctx, challenge.JSON428.Challenge)
	if err != nil {
		return caller{}, err
	}
	text := fmt.Sprintf("0x%x", signature)
	body.Challenge, body.Signature = &challenge.JSON428.Challenge, &text
	registered, err := api.RegisterAgentWithResponse(ctx, body)
	if err != nil {
		return caller{}, err
	}
	if registered.JSON201 == nil {
		return caller{}, fmt.Errorf("respond to the challenge: %s: %s", registered.Status(), registered.Body)
	}
	return caller{id: registered.JSON201.AgentID, key: registered.JSON201.APIKey}, nil
}

// message is an HTTP request to a server.
type message struct {
	method string
	url    string
	key    string // API key; empty for a public operation
	body   string // JSON; empty for none
}

// send sends a request and reads the whole response. It returns an error only if the exchange fails.
func (s *service) send(ctx context.Context, m message) (status int, err error) {
	request, err := http.NewRequestWithContext(ctx, m.method, m.url, strings.NewReader(m.body))
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w", m.method, m.url, err)
	}
	if m.key != "" {
		request.Header.Set("X-API-Key", m.key)
	}
	if m.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := s.web.Do(request)
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w", m.method, m.url, err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return 0, fmt.Errorf("%s %s: %w", m.method, m.url, err)
	}
	return response.StatusCode, nil
}
