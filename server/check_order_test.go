package server_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"taskmarket/server"
	"taskmarket/server/gate"
	"taskmarket/store/storetest"
)

// probe is a request to which a test can add faults.
type probe struct {
	request
	on      *rig // the server that receives the request
	headers map[string]string
}

// fault is a change that makes a request invalid.
type fault struct {
	want string // the expected outcome, as in the authorisation table
	put  func(*probe)
}

// checksInOrder sends, for every operation, a request with all faults that the operation checks.
// The response must report the first fault in the documented order. The test then removes that
// fault and repeats the request until no fault is left. The last two checks, ownership and status,
// are covered by the authorisation table.
func (s *scene) checksInOrder(t *testing.T) {
	t.Helper()
	spent := s.replica(oneAnHour(t))
	asked, people := 0, 0
	for _, d := range operations(t) {
		for _, as := range d.callers() {
			people++
			faults := s.faults(d, as, spent)
			if first := limitAmong(faults); first >= 0 { // consume the one request that the limit allows
				s.wantFault(d, as, faults[first+1:], faults[first+1].want, people, spent)
			}
			for i, f := range faults {
				s.wantFault(d, as, faults[i:], f.want, people, s.rig)
				if asked++; f.want == "429" {
					s.forgetLimits()
				}
			}
		}
	}
	t.Logf("%d requests for %d callers of operations", asked, people)
}

// forgetLimits resets the rate limits that servers share in the database.
func (s *scene) forgetLimits() {
	s.t.Helper()
	if _, err := storetest.DB(s.t, s.records).Exec(`DELETE FROM rate_limits`); err != nil {
		s.t.Fatal(err)
	}
}

// oneAnHour limits every operation to one request per hour and client, and stops the clock.
// The address is read from X-Forwarded-For, so each caller can use a separate one.
func oneAnHour(t *testing.T) option {
	t.Helper()
	now := time.Now()
	return func(o *server.Options) {
		o.Now = func() time.Time { return now }
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		for _, d := range operations(t) {
			o.Limits[d.id] = gate.Limit{Count: 1, Period: time.Hour, Burst: 1}
		}
	}
}

func limitAmong(faults []fault) int {
	for i, f := range faults {
		if f.want == "429" {
			return i
		}
	}
	return -1
}

// wantFault sends a request with the faults and requires the outcome want.
func (s *scene) wantFault(d documented, as caller, faults []fault, want string, person int, on *rig) {
	s.t.Helper()
	p := probe{request: s.good(d), on: on, headers: s.headersOf(as)}
	p.headers["X-Forwarded-For"] = fmt.Sprintf("203.0.113.%d", person)
	var names []string
	for i := len(faults) - 1; i >= 0; i-- {
		faults[i].put(&p)
		names = append(names, faults[i].want)
	}
	if p.body != "" {
		p.headers["Content-Type"] = p.kind
	}
	var headers []string
	for name, value := range p.headers {
		headers = append(headers, name, value)
	}
	got, outcome := p.on.do(p.method, p.path+p.query, p.body, headers...), outcomes[want]
	if got.status != outcome.status || p.method != http.MethodHead && errorOf(s.t, got.body) != outcome.code {
		s.t.Errorf("%s as %s with the faults %v = %d %.200s, want %s", d.id, as, names, got.status, got.body, want)
	}
}

// headersOf returns the headers with valid credentials of the caller.
func (s *scene) headersOf(as caller) map[string]string {
	var list []string
	switch as {
	case agentCaller:
		list = s.credentials(s.owner)
	case humanCaller:
		list = s.credentials(s.assigned)
	case noCaller:
	}
	headers := make(map[string]string)
	for i := 0; i < len(list); i += 2 {
		headers[list[i]] = list[i+1]
	}
	return headers
}

// faults returns every fault that the operation checks, in the order of the checks.
func (s *scene) faults(d documented, as caller, spent *rig) []fault {
	all := []fault{
		{"404", func(p *probe) { p.path += "/no/such/path" }},
		{"405", func(p *probe) { p.method = http.MethodDelete }},
	}
	all = append(all, s.faultsOfCaller(d, as)...)
	all = append(all, fault{"429", func(p *probe) { p.on = spent }})
	if as == agentCaller && d.op.Extensions["x-unverified"] != "allowed" {
		all = append(all, fault{"403v", func(p *probe) { p.headers["X-API-Key"] = s.unverified.key }})
	}
	all = append(all, faultsOfBody(d)...)
	if strings.Contains(d.template, "{") || d.id == "startConversation" {
		all = append(all, fault{"404", func(p *probe) {
			good := s.request(d, "unknown")
			p.path, p.body = good.path, good.body
		}})
	}
	return all
}

// faultsOfCaller returns the faults in the caller's credentials.
func (s *scene) faultsOfCaller(d documented, as caller) []fault {
	var all []fault
	if as != noCaller {
		both := fault{"400k", func(p *probe) { p.headers["X-API-Key"], p.headers["Cookie"] = s.revoked, s.ended[1] }}
		invalid := fault{"401", func(p *probe) {
			if as == agentCaller {
				p.headers["X-API-Key"] = s.revoked
			} else {
				p.headers["Cookie"] = s.ended[1]
			}
		}}
		all = append(all, both, invalid)
	}
	if as == humanCaller && d.unsafe() {
		all = append(all, fault{"403c", func(p *probe) { delete(p.headers, "X-CSRF-Token") }})
	}
	if d.id == "loginWithEthereum" {
		all = append(all, fault{"403c", func(p *probe) { p.headers["Origin"] = "https://elsewhere.example" }})
	}
	return all
}

// tooLarge is a body above every limit. With Expect: 100-continue, it is sent only if the server asks for it.
var tooLarge = strings.Repeat("x", 30<<20)

// blanks contains a request body with a blank text for each operation that rejects such texts.
var blanks = map[string]string{
	"createTask":        `{"title":" ","description":"D","escrow_amount":"10000000000000000"}`,
	"registerAgent":     `{"wallet_address":"0x00000000000000000000000000000000000000a1","name":" ","username":"new-agent"}`,
	"changeHumanMe":     `{"display_name":" "}`,
	"disputeTask":       `{"reason":" "}`,
	"answerDispute":     `{"response":" "}`,
	"postTaskMessage":   `{"content":" "}`,
	"postDirectMessage": `{"content":" "}`,
	"startConversation": `{"username":"no-such-user","content":" "}`,
	"reviewTask":        `{"rating":5,"comment":" "}`,
	"postVerdict":       strings.Replace(bodies["postVerdict"], "Yes.", " ", 1),
}

// faultsOfBody returns the faults in the body and in the query string.
func faultsOfBody(d documented) []fault {
	var all []fault
	if d.unsafe() {
		all = append(all,
			fault{"413", func(p *probe) { p.body, p.headers["Expect"] = tooLarge, "100-continue" }},
			fault{"415", func(p *probe) { p.kind, p.body = "text/plain", "x" }},
			fault{"400", func(p *probe) { p.kind, p.body = d.media(), "{" }},
		)
	}
	all = append(all, fault{"400", func(p *probe) { p.query = "?no_such_parameter=1" }})
	if blank, ok := blanks[d.id]; ok {
		all = append(all, fault{"400", func(p *probe) { p.body = blank }})
	}
	return all
}
