package simulation_test

import (
	"crypto/ecdsa"
	"fmt"
	"log/slog"
	"math/big"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store/storetest"
	"taskmarket/test/simulation/evm"
)

const (
	feeBasisPoints = 500
	instances      = 2
)

// start is the virtual time at which every history begins: the first instant in a bubble of
// testing/synctest.
var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// quiet discards the log: most histories contain hundreds of expected warnings.
var quiet = slog.New(slog.DiscardHandler)

// person is a user with a wallet.
type person struct {
	kind   market.PrincipalKind
	wallet *chain.KeySigner
	key    string // API key, for agents
}

// base is the common start of all histories: a chain with the contracts and funded accounts, and a
// database with the users.
type base struct {
	chain      *evm.Chain
	deployment market.Deployment
	contracts  *chain.Contracts
	database   string   // URL of the database
	sessions   sessions // for the stores
	observing  sessions // for the checks

	owner, keeper              *chain.KeySigner
	agents, humans, validators []*person

	mu   sync.Mutex
	seen map[string]int // how often each kind of event happened in the history
	last common.Hash    // digest of the last history that passed
}

// newBase deploys the contracts and creates the users.
func newBase(t *testing.T) *base {
	t.Helper()
	b := &base{seen: make(map[string]int), owner: walletOf("owner"), keeper: walletOf("keeper")}
	for i := range 3 {
		b.humans = append(b.humans, &person{kind: market.PrincipalHuman, wallet: walletOf(fmt.Sprint("human ", i))})
		b.validators = append(b.validators, &person{kind: market.PrincipalHuman, wallet: walletOf(fmt.Sprint("validator ", i))})
	}
	for i := range 2 {
		b.agents = append(b.agents, &person{kind: market.PrincipalAgent, wallet: walletOf(fmt.Sprint("agent ", i)), key: gate.NewAPIKey()})
	}
	b.deploy(t)
	b.createUsers(t)
	return b
}

// count records that something happened in the history. Faults are counted when they take effect.
func (b *base) count(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen[what]++
}

// walletOf returns a wallet whose key is derived from a name.
func walletOf(name string) *chain.KeySigner { return chain.NewKeySigner(keyOf(name)) }

func keyOf(name string) *ecdsa.PrivateKey {
	key, err := crypto.ToECDSA(crypto.Keccak256([]byte(name)))
	if err != nil {
		panic(err) // impossible for the names in this package
	}
	return key
}

func (b *base) people() []*person {
	return append(append(append([]*person(nil), b.agents...), b.humans...), b.validators...)
}

func tokens(n int64) *big.Int { return new(big.Int).Mul(big.NewInt(n), big.NewInt(1e18)) }

// deploy creates the chain, deploys the contracts, and gives every person tokens that the contracts are
// approved to transfer.
func (b *base) deploy(t *testing.T) {
	t.Helper()
	accounts := []common.Address{b.owner.Address(), b.keeper.Address()}
	var panel []common.Address
	for _, p := range b.people() {
		accounts = append(accounts, p.wallet.Address())
	}
	for _, p := range b.validators {
		panel = append(panel, p.wallet.Address())
	}
	var err error
	b.chain, err = evm.New(uint64(start.Add(-time.Hour).Unix()), tokens(1_000_000), accounts...)
	must(t, err)
	node := b.dial(t, &miner{chain: b.chain})
	b.deployment, err = send.Deploy(t.Context(), node, b.owner, send.DeployParams{
		Name: "Task Token", Symbol: "TASK", Supply: tokens(1_000_000), Holder: b.owner.Address(),
		Owner: b.owner.Address(), Guardian: b.owner.Address(), FeeBasisPoints: feeBasisPoints,
		Validators: panel, Quorum: 2, RewardSigner: b.owner.Address(), DailyBudget: tokens(100),
	})
	must(t, err)
	b.contracts = chain.NewContracts(b.deployment)
	owner := send.NewSender(node, b.owner)
	for _, p := range b.people() {
		own := send.NewSender(node, p.wallet)
		for _, spender := range []common.Address{b.deployment.Escrow, b.deployment.Staking} {
			_, err = own.Send(t.Context(), b.contracts.ApproveToken(spender, tokens(1_000_000)))
			must(t, err)
		}
		_, err = owner.Send(t.Context(), b.contracts.TransferToken(p.wallet.Address(), tokens(1_000)))
		must(t, err)
	}
}

// dial returns a node with one provider.
func (b *base) dial(t *testing.T, transport http.RoundTripper) *rpc.Node {
	t.Helper()
	node, err := rpc.Dial(t.Context(), []string{"http://node.test"}, evm.ChainID, rpc.NodeOptions{
		Transport: func(string, http.RoundTripper) http.RoundTripper { return transport },
	})
	must(t, err)
	return node
}

// miner is an honest provider that mines each transaction at once.
type miner struct{ chain *evm.Chain }

// RoundTrip implements http.RoundTripper.
func (m *miner) RoundTrip(r *http.Request) (*http.Response, error) {
	return exchange(r, func(c *call) {
		c.result, c.err = viewOf(m.chain, m.chain.Head()).Call(c.Method, c.Params)
		if c.Method == "eth_sendRawTransaction" && c.err == nil {
			_, c.err = m.chain.Mine(m.chain.Head().Time()+1, nil)
		}
	})
}

// clock replaces PostgreSQL's clock: the schema simulation precedes pg_catalog in the search path. It
// also saves the initial rows, and defines the function that restores them.
const clock = `
	CREATE SCHEMA simulation;
	CREATE TABLE simulation.clock (at timestamptz NOT NULL);
	INSERT INTO simulation.clock VALUES ('2000-01-01T00:00:00Z');
	CREATE FUNCTION simulation.now() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT at FROM simulation.clock';
	CREATE FUNCTION simulation.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql AS 'SELECT at FROM simulation.clock';
	DO $$
	DECLARE c record;
	BEGIN
		FOR c IN SELECT table_name, column_name FROM information_schema.columns
		         WHERE table_schema = 'public' AND column_default = 'now()'
		LOOP
			EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET DEFAULT simulation.now()', c.table_name, c.column_name);
		END LOOP;
	END $$;

	-- The rows of the start, and a function that restores them.
	CREATE TABLE simulation.saved (name text PRIMARY KEY, columns text);
	DO $$
	DECLARE t record; filled boolean;
	BEGIN
		FOR t IN SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'goose_db_version' LOOP
			EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', t.name) INTO filled;
			IF filled THEN
				EXECUTE format('CREATE TABLE simulation.%I AS TABLE public.%I', 'saved_' || t.name, t.name);
			END IF;
			INSERT INTO simulation.saved SELECT t.name, CASE WHEN filled THEN (
				SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
				WHERE table_schema = 'public' AND table_name = t.name AND is_generated = 'NEVER') END;
		END LOOP;
	END $$;
	CREATE TABLE simulation.sequences AS
		SELECT format('%I.%I', schemaname, sequencename)::regclass AS name, coalesce(last_value, start_value) AS value, last_value IS NOT NULL AS called
		FROM pg_sequences WHERE schemaname = 'public';
	CREATE FUNCTION simulation.restore() RETURNS void LANGUAGE plpgsql AS $$
	DECLARE t record;
	BEGIN
		SET LOCAL session_replication_role = replica; -- no triggers and no checks of foreign keys
		UPDATE simulation.clock SET at = '2000-01-01T00:00:00Z';
		FOR t IN SELECT * FROM simulation.saved LOOP
			EXECUTE format('DELETE FROM public.%I', t.name);
			IF t.columns IS NOT NULL THEN
				EXECUTE format('INSERT INTO public.%1$I (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM simulation.%3$I',
					t.name, t.columns, 'saved_' || t.name);
			END IF;
		END LOOP;
		PERFORM setval(name, value, called) FROM simulation.sequences;
	END $$`

// settings select the simulation's now() and clock_timestamp(), and make statements fast.
const settings = "&search_path=public,simulation,pg_catalog&synchronous_commit=off&plan_cache_mode=force_generic_plan&jit=off"

// createUsers creates the database with the users.
func (b *base) createUsers(t *testing.T) {
	t.Helper()
	records := storetest.NewFor(t, b.deployment)
	db := storetest.DB(t, records)
	b.database = storetest.URL(t, records) + settings
	for i, p := range b.agents {
		agent := storetest.Agent(t, records, func(a *market.Agent) { a.Username, a.Wallet = fmt.Sprint("agent-", i), p.wallet.Address() })
		hash, _ := gate.HashAPIKey(p.key)
		_, err := db.Exec(`UPDATE agents SET key_hash = $2 WHERE id = $1`, agent.ID, hash)
		must(t, err)
	}
	for i, p := range append(append([]*person(nil), b.humans...), b.validators...) {
		storetest.Human(t, records, func(h *market.Human) { h.Username, h.Wallet = fmt.Sprint("human-", i), p.wallet.Address() })
	}
	_, err := db.Exec(clock)
	must(t, err)
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
