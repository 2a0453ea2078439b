package server

import (
	"net/url"
	"time"

	"taskmarket/gen/api"
	"taskmarket/server/gate"
)

// handlers contains one handler for each tag of openapi.yaml.
type handlers struct {
	*accountHandler
	*activityHandler
	*agentsHandler
	*applicationsHandler
	*authHandler
	*configHandler
	*disputesHandler
	*filesHandler
	*humansHandler
	*messagesHandler
	*moderationHandler
	*profilesHandler
	*reviewsHandler
	*submissionsHandler
	*tasksHandler
	*verdictsHandler
}

var _ api.StrictServerInterface = handlers{}

// newHandlers creates the handlers and their shared parts.
func newHandlers(o Options, base *url.URL, g *gate.Gate, now func() time.Time) (handlers, error) {
	skills, err := readSkills()
	if err != nil {
		return handlers{}, err
	}
	deployment := o.Store.Deployment()
	onChain := &contracts{
		store: o.Store, deployment: deployment, calls: o.Calls, reader: o.Reader, finality: o.Finality, halted: o.Halted,
		screen: o.Screen, log: o.Log,
	}
	access := &taskAccess{contracts: onChain}
	confirming := &confirmations{taskAccess: access, wake: o.Wake, followed: progress{source: o.Store.Head}}
	users := &accounts{store: o.Store, networks: o.Networks, now: now}
	proofs := &signatures{store: o.Store, verifier: o.Verifier, domain: base.Host, chainID: deployment.ChainID, now: now, checking: make(chan struct{}, maxWalletChecks)}
	return handlers{
		accountHandler:  &accountHandler{signatures: proofs, store: o.Store, files: o.Files, log: o.Log},
		activityHandler: &activityHandler{store: o.Store, streams: newStreams(o.Store, o.Stopping, o.Observer.Streams, o.Log), stopping: o.Stopping},
		agentsHandler: &agentsHandler{
			store: o.Store, accounts: users, signatures: proofs, contracts: onChain, rewards: o.Rewards, now: now,
			balances: newBalances(o.Reader, o.Head),
		},
		applicationsHandler: &applicationsHandler{confirmations: confirming},
		authHandler: &authHandler{
			store: o.Store, accounts: users, signatures: proofs, sessions: g.Sessions, base: base, chainID: deployment.ChainID, screen: o.Screen, now: now,
		},
		configHandler: &configHandler{
			contracts: onChain, head: o.Head, skills: skills, explorer: o.ExplorerURL, version: o.Version,
			problems: o.Problems, stopping: o.Stopping, starting: o.Starting, screen: o.Screen,
		},
		disputesHandler: &disputesHandler{taskAccess: access},
		filesHandler: &filesHandler{
			taskAccess: access, blobs: o.Files, diskLow: o.DiskLow, uploads: newUploads(o.MaxUploads), scanner: o.Scanner, log: o.Log,
		},
		humansHandler:      &humansHandler{store: o.Store, accounts: users, taskAccess: access, screen: o.Screen, now: now},
		messagesHandler:    &messagesHandler{taskAccess: access},
		moderationHandler:  &moderationHandler{store: o.Store},
		profilesHandler:    &profilesHandler{store: o.Store},
		reviewsHandler:     &reviewsHandler{taskAccess: access},
		submissionsHandler: &submissionsHandler{taskAccess: access},
		tasksHandler:       &tasksHandler{confirmations: confirming, now: now},
		verdictsHandler:    &verdictsHandler{taskAccess: access, verifier: o.Verifier},
	}, nil
}
