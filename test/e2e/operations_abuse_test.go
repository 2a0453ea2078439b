//go:build operations

package e2e_test

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"taskmarket/chain"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	gen "taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/store/storetest"
	"taskmarket/test/actor"
	"taskmarket/test/process"
)

const (
	// abuseTime is how long an abuse is repeated if only rate limits slow it down.
	abuseTime = 10 * time.Second
	// abuseTimeout is the time limit for all abuses together.
	abuseTimeout = 15 * time.Minute
	// bystanderPause is the time between two requests of the bystander.
	bystanderPause = 20 * time.Millisecond
)

// abuseWorld is a world whose server has its default limits, and in which each account connects from a
// network of its own unless it belongs to the abuser.
type abuseWorld struct {
	*world
	abuser   *agent // a verified agent
	measured []effect
}

// effect is one consequence of an abuse for others, with its measured value or its limit.
type effect struct {
	abuse, what string
	value       int64
}

// TestAbuse performs each abuse that docs/abuse.md lists against a server with its default limits. It
// prints what the abuse costs, and fails if the damage to others exceeds the limit in that document.
func TestAbuse(t *testing.T) {
	w := newAbuseWorld(t)
	defer w.end()
	calm := w.watchBystander()
	time.Sleep(abuseTime / 4)
	t.Logf("without an abuse, 95 of 100 requests of another account take %s at most", calm.stop())
	for _, abuse := range []struct {
		name string
		do   func(*abuseWorld, *costs) map[string]int64
	}{
		{"sign-ups", (*abuseWorld).abuseSignUps},
		{"uploads", (*abuseWorld).abuseUploads},
		{"streams", (*abuseWorld).abuseStreams},
		{"applications", (*abuseWorld).abuseApplications},
		{"messages", (*abuseWorld).abuseMessages},
		{"stakes", (*abuseWorld).abuseStakes},
		{"reviews", (*abuseWorld).abuseReviews},
	} {
		c, bystander := w.newCosts(), w.watchBystander()
		found := abuse.do(w, c)
		found["latency of others in ms"] = bystander.stop().Milliseconds()
		found["failed requests of others"] = bystander.failed.Load()
		for what, value := range found {
			w.measured = append(w.measured, effect{abuse.name, what, value})
		}
		t.Logf("%s cost the abuser %s", abuse.name, c)
	}
	w.compare(readAbuses(t))
}

// newAbuseWorld starts a server with the default limits behind a trusted proxy: the test itself.
func newAbuseWorld(tb testing.TB) *abuseWorld {
	tb.Helper()
	w := &abuseWorld{world: newWorldOn(tb, abuseTimeout, site{records: storetest.New(tb), extra: []string{
		"TASKMARKET_RATE_LIMITS=", "TASKMARKET_TRUSTED_PROXIES=127.0.0.0/8",
		"TASKMARKET_UNFUNDED_TASKS=" + strconv.Itoa(market.MaxUnfundedTasks), "TASKMARKET_DAILY_REJECTIONS=" + strconv.Itoa(market.MaxDailyForfeits),
	}})}
	w.server.expected = keyShared // the validators' verdicts are delivered from the keeper's account
	w.abuser = w.newAgent(w.net.OtherAgent, "abuser")
	return w
}

// network is the transport of a client network. It counts the requests.
type network struct {
	address           string
	requests, refused atomic.Int64
}

// RoundTrip implements http.RoundTripper. A request can name another network in X-Forwarded-For.
func (n *network) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Header.Get("X-Forwarded-For") == "" {
		request = request.Clone(request.Context())
		request.Header.Set("X-Forwarded-For", n.address)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	n.requests.Add(1)
	if err == nil && response.StatusCode >= http.StatusBadRequest && response.StatusCode != http.StatusPreconditionRequired {
		n.refused.Add(1)
	}
	return response, err
}

// costs records what an abuse costs the abuser.
type costs struct {
	w        *abuseWorld
	began    time.Time
	home     *network    // the abuser's network
	accounts int         // created for the abuse
	networks int         // client networks that the abuse needs
	before   [2]*big.Int // tokens and gas money of the abusing agent
}

func (w *abuseWorld) newCosts() *costs {
	w.t.Helper()
	home := &network{address: "198.51.100.1"}
	w.abuser.API = w.client(home, w.abuser.Key)
	return &costs{w: w, began: time.Now(), home: home, networks: 1, before: w.balancesOf(w.abuser.Wallet.Address())}
}

func (w *abuseWorld) balancesOf(wallet common.Address) [2]*big.Int {
	w.t.Helper()
	tokens, gas, err := w.net.Reader.Balances(w.ctx, wallet)
	w.must(err)
	return [2]*big.Int{tokens, gas}
}

// String returns the costs since newCosts.
func (c *costs) String() string {
	now := c.w.balancesOf(c.w.abuser.Wallet.Address())
	paid := func(i int) string { return new(big.Int).Sub(c.before[i], now[i]).String() }
	return fmt.Sprintf("%s, %d requests (%d refused), %d accounts, %d networks, %s wei of tokens, %s wei of gas",
		time.Since(c.began).Round(time.Millisecond), c.home.requests.Load(), c.home.refused.Load(), c.accounts, c.networks, paid(0), paid(1))
}

// human signs in with a new wallet from the network.
func (w *abuseWorld) human(from http.RoundTripper, name string, number int) (*actor.Person, error) {
	return actor.SignIn(w.ctx, w.server.api(), from, w.net.Node, loadWallet(w.t, name, number))
}

// mustHuman is like human, but fails the test if the sign-in is refused.
func (w *abuseWorld) mustHuman(from http.RoundTripper, name string, number int) *actor.Person {
	w.t.Helper()
	p, err := w.human(from, name, number)
	w.must(err)
	return p
}

// endow gives the wallet gas money and tokens.
func (w *abuseWorld) endow(wallet chain.Signer, tokens *big.Int) {
	w.t.Helper()
	w.must(w.net.Dev.SetBalance(w.ctx, wallet.Address(), big.NewInt(1_000_000_000_000_000_000)))
	w.net.Send(w.t, w.net.Owner, w.net.Contracts.TransferToken(wallet.Address(), tokens))
}

// client returns a client in the network with the API key, if it is not empty.
func (w *abuseWorld) client(from *network, key string) *gen.ClientWithResponses {
	w.t.Helper()
	api, err := gen.NewClientWithResponses(w.server.api(), gen.WithHTTPClient(&http.Client{Transport: from, Timeout: patience}),
		gen.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
			if key != "" {
				request.Header.Set("X-API-Key", key)
			}
			return nil
		}))
	w.must(err)
	return api
}

// repeat calls act until abuseTime is over. It pauses after each call that was refused.
func repeat(act func() (accepted bool)) {
	for began := time.Now(); time.Since(began) < abuseTime; {
		if !act() {
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// bystander is another account that reads during an abuse.
type bystander struct {
	done   chan struct{}
	ended  sync.WaitGroup
	took   []time.Duration
	failed atomic.Int64
}

// watchBystander measures requests of w.agent, an account that the abuser does not control.
func (w *abuseWorld) watchBystander() *bystander {
	b := &bystander{done: make(chan struct{})}
	b.ended.Go(func() {
		for {
			select {
			case <-b.done:
				return
			case <-time.After(bystanderPause):
			}
			began := time.Now()
			got, err := w.agent.API.ListTasksWithResponse(w.ctx, nil)
			if b.took = append(b.took, time.Since(began)); err != nil || got.JSON200 == nil && got.JSON429 == nil {
				b.failed.Add(1)
			}
		}
	})
	return b
}

// stop ends the measurement and returns the 95th percentile.
func (b *bystander) stop() time.Duration {
	close(b.done)
	b.ended.Wait()
	slices.Sort(b.took)
	return b.took[len(b.took)*95/100]
}

// stored returns the number of bytes in the server's file store.
func (w *abuseWorld) stored() (bytes int64) {
	w.t.Helper()
	err := filepath.WalkDir(filepath.Join(w.dir, "files"), func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	w.must(err)
	return bytes
}

// abuseRow matches a row of the table of limits in docs/abuse.md.
var abuseRow = regexp.MustCompile(`(?m)^\| ([a-z-]+) \| ([^|]+) \| ([\d,]+) \|`)

// readAbuses returns the documented limits.
func readAbuses(tb testing.TB) (limits []effect) {
	tb.Helper()
	root, err := process.ModuleRoot()
	if err != nil {
		tb.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "abuse.md"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, row := range abuseRow.FindAllStringSubmatch(string(text), -1) {
		value, err := strconv.ParseInt(strings.ReplaceAll(row[3], ",", ""), 10, 64)
		if err != nil {
			tb.Fatal(err)
		}
		limits = append(limits, effect{row[1], row[2], value})
	}
	return limits
}

// compare prints the measurements beside their limits. It fails the test if one exceeds its limit, if the
// document has no limit for it, or if a limit is not measured.
func (w *abuseWorld) compare(limits []effect) {
	w.t.Helper()
	slices.SortStableFunc(w.measured, func(a, b effect) int { return cmp.Or(cmp.Compare(a.abuse, b.abuse), cmp.Compare(a.what, b.what)) })
	find := func(in []effect, m effect) int {
		return slices.IndexFunc(in, func(other effect) bool { return other.abuse == m.abuse && other.what == m.what })
	}
	for _, m := range w.measured {
		i := find(limits, m)
		if i < 0 {
			w.t.Errorf("docs/abuse.md has no limit for %s: %s, measured %d", m.abuse, m.what, m.value)
			continue
		}
		w.t.Logf("%-12s %-45s %12d of %d", m.abuse, m.what, m.value, limits[i].value)
		if m.value > limits[i].value {
			w.t.Errorf("%s: %s = %d, want at most %d", m.abuse, m.what, m.value, limits[i].value)
		}
	}
	for _, limit := range limits {
		if find(w.measured, limit) < 0 {
			w.t.Errorf("docs/abuse.md: %s: %s is not measured", limit.abuse, limit.what)
		}
	}
}
