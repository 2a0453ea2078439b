package market_test

import (
	"testing"

	"pgregory.net/rapid"

	"taskmarket/market"
)

func TestFolderOfAConversation(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		side     market.Membership
		folder   market.Folder
		notifies bool
		confirms bool
	}{
		{market.Membership{}, market.FolderInbox, true, true},
		{market.Membership{Muted: true}, market.FolderInbox, false, true},
		{market.Membership{Requested: true}, market.FolderRequests, false, false},
		{market.Membership{Requested: true, Muted: true}, market.FolderRequests, false, false},
		{market.Membership{Blocked: true}, market.FolderBlocked, false, false},
		{market.Membership{Requested: true, Blocked: true}, market.FolderBlocked, false, false},
	} {
		m := test.side
		if m.Folder() != test.folder || m.Notifies() != test.notifies || m.ConfirmsReading() != test.confirms {
			t.Errorf("%+v is in %s, notifies: %t, confirms: %t; want %s, %t, %t",
				m, m.Folder(), m.Notifies(), m.ConfirmsReading(), test.folder, test.notifies, test.confirms)
		}
	}
}

func TestActsOnAConversation(t *testing.T) {
	t.Parallel()
	request, blocked := market.Membership{Requested: true}, market.Membership{Requested: true, Blocked: true}
	for name, test := range map[string]struct {
		side market.Membership
		act  func(*market.Membership) error
		want market.Membership
		kind market.Kind
	}{
		"accept":                   {request, (*market.Membership).Accept, market.Membership{}, ""},
		"accept an accepted one":   {market.Membership{Muted: true}, (*market.Membership).Accept, market.Membership{Muted: true}, ""},
		"accept a blocked one":     {blocked, (*market.Membership).Accept, blocked, market.KindWrongStatus},
		"answer":                   {request, (*market.Membership).Send, market.Membership{}, ""},
		"write to a blocked user":  {blocked, (*market.Membership).Send, blocked, market.KindWrongStatus},
		"block a request":          {request, (*market.Membership).Block, blocked, ""},
		"unblock a request":        {blocked, (*market.Membership).Unblock, request, ""},
		"mute":                     {market.Membership{}, (*market.Membership).Mute, market.Membership{Muted: true}, ""},
		"unmute":                   {market.Membership{Muted: true, Blocked: true}, (*market.Membership).Unmute, market.Membership{Blocked: true}, ""},
		"unblock an unblocked one": {market.Membership{}, (*market.Membership).Unblock, market.Membership{}, ""},
	} {
		side := test.side
		for range 2 { // repeating an act changes nothing
			if kind := market.KindOf(test.act(&side)); kind != test.kind || side != test.want {
				t.Errorf("%s: %+v, error %q; want %+v, error %q", name, side, kind, test.want, test.kind)
			}
		}
	}
}

func TestReceivedMessages(t *testing.T) {
	t.Parallel()
	stranger, hired, applied := market.Acquaintance{}, market.Acquaintance{Hired: true}, market.Acquaintance{Applied: true}
	for name, test := range map[string]struct {
		side    market.Membership
		sender  market.Acquaintance
		written int
		folder  market.Folder
		kind    market.Kind
	}{
		"in the inbox":                  {market.Membership{}, stranger, 1000, market.FolderInbox, ""},
		"muted":                         {market.Membership{Muted: true}, stranger, 1000, market.FolderInbox, ""},
		"the third of a request":        {market.Membership{Requested: true}, stranger, 2, market.FolderRequests, ""},
		"the fourth of a request":       {market.Membership{Requested: true}, stranger, 3, market.FolderRequests, market.KindForbidden},
		"after the hire":                {market.Membership{Requested: true}, hired, 3, market.FolderInbox, ""},
		"after an application":          {market.Membership{Requested: true}, applied, 3, market.FolderInbox, ""},
		"blocked":                       {market.Membership{Blocked: true}, stranger, 0, market.FolderBlocked, market.KindForbidden},
		"blocked, although known":       {market.Membership{Blocked: true}, hired, 0, market.FolderBlocked, market.KindForbidden},
		"blocked request, though known": {market.Membership{Requested: true, Blocked: true}, hired, 3, market.FolderBlocked, market.KindForbidden},
	} {
		side := test.side
		err := side.Receive(test.sender, test.written)
		if market.KindOf(err) != test.kind || side.Folder() != test.folder {
			t.Errorf("%s: Receive() = %v, folder %s; want %q, folder %s", name, err, side.Folder(), test.kind, test.folder)
		}
	}
}

// No sequence of acts notifies a member of messages in a request, or in a blocked or muted conversation.
func TestOnlyAcceptedConversationsNotify(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := market.Membership{Requested: rapid.Bool().Draw(t, "requested")}
		accepted, written := !m.Requested, 0
		acts := map[string]func(*market.Membership) error{
			"accept": (*market.Membership).Accept, "send": (*market.Membership).Send,
			"mute": (*market.Membership).Mute, "unmute": (*market.Membership).Unmute,
			"block": (*market.Membership).Block, "unblock": (*market.Membership).Unblock,
			"receive": func(m *market.Membership) error { return m.Receive(market.Acquaintance{}, written) },
		}
		for range rapid.IntRange(1, 30).Draw(t, "acts") {
			act := rapid.SampledFrom([]string{"accept", "send", "mute", "unmute", "block", "unblock", "receive"}).Draw(t, "act")
			err := acts[act](&m)
			switch {
			case err != nil && act == "receive" && !m.Blocked && (accepted || written < market.MaxRequestMessages):
				t.Fatalf("%+v refuses message %d: %v", m, written+1, err)
			case err != nil && act != "receive" && !m.Blocked:
				t.Fatalf("%+v refuses %s: %v", m, act, err)
			case err == nil && act == "receive":
				written++
			case err == nil && (act == "accept" || act == "send"):
				accepted = true
			}
			if m.Notifies() && (!accepted || m.Blocked || m.Muted) {
				t.Fatalf("%+v notifies; accepted: %t", m, accepted)
			}
			if !accepted && written > market.MaxRequestMessages {
				t.Fatalf("%d messages before the acceptance", written)
			}
		}
	})
}
