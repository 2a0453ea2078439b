package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/client"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// runExample is the environment variable that makes the test binary run the package's example. The
// command-line tests run it in the development environment.
const runExample = "TASKMARKET_RUN_EXAMPLE"

func TestMain(m *testing.M) {
	if os.Getenv(runExample) != "" {
		Example()
		return
	}
	os.Exit(m.Run())
}

// object is a decoded JSON object that a test can change.
type object = map[string]any

// text returns a string property, or "" if it is not a string.
func text(o object, member string) string {
	value, _ := o[member].(string)
	return value
}

// fakeAPI implements the part of the API that the client's flows need. Like the real API, it trusts
// the chain: a task is funded when a receipt shows it.
type fakeAPI struct {
	net *chaintest.Net
	lie func(path string, answer object) // falsifies a response before it is sent

	mu       sync.Mutex
	tasks    map[string]object
	requests map[string]string // task ID by idempotency key
	apps     []object
	files    []object
	confirm  func(hash common.Hash) // if set, called before the first confirmation
	stale    int                    // number of new records that are created as not fundable

	refuseCreate  market.Kind   // error code for every request to create a task; empty: none
	creations     int           // number of requests to create a task
	refuseConfirm []market.Kind // error codes for the next confirmation requests
}

func newFakeAPI(net *chaintest.Net) *fakeAPI {
	return &fakeAPI{net: net, lie: func(string, object) {}, tasks: map[string]object{}, requests: map[string]string{}}
}

func (f *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var body object
	if r.ContentLength > 0 && json.NewDecoder(r.Body).Decode(&body) != nil {
		refuse(http.StatusBadRequest, "invalid_request")(w, r)
		return
	}
	answer, err := f.route(r, strings.Split(strings.Trim(strings.TrimPrefix(r.URL.Path, "/api/v1"), "/"), "/"), body)
	if err != nil {
		refuse(http.StatusBadRequest, err.Error())(w, r)
		return
	}
	answer = maps.Clone(answer)
	f.lie(strings.TrimPrefix(r.URL.Path, "/api/v1"), answer)
	text, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	status := http.StatusOK
	if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/tasks/") {
		status = http.StatusCreated
	}
	respond(status, string(text))(w, r)
}

// route handles a request. A returned error becomes the error code in the response.
func (f *fakeAPI) route(r *http.Request, path []string, body object) (object, error) {
	if path[0] == "config" {
		return f.config(), nil
	}
	if len(path) == 1 && r.Method == http.MethodGet {
		return object{"tasks": slices.Collect(maps.Values(f.tasks)), "page": 1, "page_size": 100, "total": len(f.tasks)}, nil
	}
	if len(path) == 1 {
		f.creations++
		if f.refuseCreate != "" {
			return nil, errors.New(string(f.refuseCreate))
		}
		return f.create(r.Header.Get("Idempotency-Key"), body), nil
	}
	task, ok := f.tasks[path[1]]
	switch {
	case !ok:
		return nil, errors.New("not_found")
	case len(path) == 2:
		return task, nil
	case strings.HasPrefix(path[2], "confirm"):
		return f.confirmed(r.Context(), task, common.HexToHash(text(body, "tx_hash")))
	case path[2] == "files":
		return object{"files": f.files, "page": 1, "page_size": 100, "total": len(f.files)}, nil
	case path[2] == "applications" && len(path) == 3:
		return object{"applications": f.apps, "page": 1, "page_size": 100, "total": len(f.apps)}, nil
	}
	return f.propose(task, path[2:])
}

func (f *fakeAPI) config() object {
	d := f.net.Deployment
	return object{
		"chain_id": d.ChainID, "escrow_address": d.Escrow.Hex(), "application_staking_address": d.Staking.Hex(),
		"treasury_address": d.Treasury.Hex(), "token": object{"address": d.Token.Hex()},
		"permit_domain": object{"name": "Task Token", "version": "1", "chainId": d.ChainID, "verifyingContract": d.Token.Hex()},
	}
}

func (f *fakeAPI) create(key string, body object) object {
	if id, again := f.requests[key]; again && key != "" {
		return f.tasks[id]
	}
	id := uuid.New()
	amount, err := market.ParseWei(text(body, "escrow_amount"))
	if err != nil {
		panic(err)
	}
	terms := market.Terms{
		TaskID: id, Agent: f.net.Agent.Address(), Amount: amount, FeeBasisPoints: chaintest.FeeBasisPoints,
		Title: text(body, "title"), Description: text(body, "description"),
	}
	task := object{
		"id": id.String(), "status": "new", "fundable": f.stale == 0, "title": terms.Title, "description": terms.Description,
		"escrow_amount": amount.String(), "fee_basis_points": chaintest.FeeBasisPoints,
		"agent_wallet_address": f.net.Agent.Address().Hex(), "chain_id": f.net.Deployment.ChainID,
		"escrow_address": f.net.Deployment.Escrow.Hex(),
	}
	if written := text(body, "deadline"); written != "" {
		deadline, err := time.Parse(time.RFC3339, written)
		if err != nil {
			panic(err)
		}
		terms.Deadline, task["deadline"] = &deadline, written
	}
	f.stale = max(0, f.stale-1)
	task["terms_hash"] = terms.Hash().Hex()
	f.tasks[id.String()], f.requests[key] = task, id.String()
	return task
}

// confirmed updates the task from the logs in the transaction's receipt.
func (f *fakeAPI) confirmed(ctx context.Context, task object, hash common.Hash) (object, error) {
	if hook := f.confirm; hook != nil {
		f.confirm = nil
		hook(hash)
	}
	if len(f.refuseConfirm) > 0 {
		code := f.refuseConfirm[0]
		f.refuseConfirm = f.refuseConfirm[1:]
		return nil, errors.New(string(code))
	}
	receipt, err := f.net.Dev.Client().TransactionReceipt(ctx, hash)
	if errors.Is(err, ethereum.NotFound) {
		return nil, errors.New("tx_not_found")
	}
	if err != nil {
		return nil, err
	}
	for _, log := range receipt.Logs {
		event, err := f.net.Contracts.Decode(*log)
		switch {
		case err != nil:
		case event.Kind == market.EventTaskTerms && event.Hash.Hex() == task["terms_hash"]:
			task["status"], task["escrow_task_id"] = "funded", strconv.FormatUint(event.TaskID, 10)
			task["escrow_creation_tx_hash"] = hash.Hex()
		case event.Kind == market.EventTaskCreated:
			task["status"] = "active"
		}
	}
	if task["status"] == "new" {
		return nil, errors.New("tx_mismatch")
	}
	return task, nil
}

// propose returns the call for an action. Because this API does not follow the chain, it
// immediately shows the task as if the call were mined.
func (f *fakeAPI) propose(task object, action []string) (object, error) {
	id, err := strconv.ParseUint(text(task, "escrow_task_id"), 10, 64)
	if err != nil {
		return nil, err
	}
	calls, escrow := f.net.Contracts, f.net.Deployment.Escrow
	answer := object{"chain_id": f.net.Deployment.ChainID, "value": "0", "simulated": true}
	var call chain.Call
	var member string
	switch name := action[len(action)-1]; name {
	case "approve":
		call, member = calls.ApproveTask(escrow, id), "approve_task_calldata"
		task["agent_approved_at"] = "2030-01-01T00:00:00Z"
	case "dispute":
		call, member = calls.DisputeTask(escrow, id), "dispute_task_calldata"
		task["status"] = "disputed"
	case "cancel":
		call, member = calls.CancelTask(escrow, id), "cancel_task_calldata"
		task["status"] = "cancelled"
	case "accept", "reject":
		application := f.apps[slices.IndexFunc(f.apps, func(a object) bool { return a["id"] == action[1] })]
		stake, err := strconv.ParseUint(text(application, "onchain_application_id"), 10, 64)
		if err != nil {
			return nil, err
		}
		call, member = calls.AcceptApplication(escrow, id, stake), "accept_application_calldata"
		if name == "reject" {
			call, member = calls.RejectApplication(stake), "reject_application_calldata"
			answer["application"] = maps.Clone(application)
			application["status"] = "rejected"
		}
	}
	answer["to"], answer[member] = call.To.Hex(), "0x"+common.Bytes2Hex(call.Data)
	return answer, nil
}

// world consists of a chain, a fake API and an agent's options for both.
type world struct {
	*chaintest.Net
	api     *fakeAPI
	options client.Options
}

// newWorld starts a chain whose finalized block is two blocks behind the head.
func newWorld(t *testing.T) *world {
	t.Helper()
	net := chaintest.New(t, devnet.Options{})
	w := &world{Net: net, api: newFakeAPI(net)}
	w.options = client.Options{
		BaseURL: serve(t, w.api), APIKey: "tmk_secret", RPCURL: net.Dev.URL(), Signer: net.Agent,
		Flows: client.FileFlows(t.TempDir()), MineTimeout: 20 * time.Second,
	}
	return w
}

func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// client creates a client for the world; change modifies its options.
func (w *world) client(t *testing.T, change ...func(*client.Options)) *client.Client {
	t.Helper()
	options := w.options
	for _, c := range change {
		c(&options)
	}
	c, err := client.New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// posted returns the terms hashes of all paid tasks, in the order of payment.
func (w *world) posted(t *testing.T) []common.Hash {
	t.Helper()
	logs, err := w.Dev.Client().FilterLogs(t.Context(), ethereum.FilterQuery{Addresses: []common.Address{w.Deployment.Escrow}})
	if err != nil {
		t.Fatal(err)
	}
	var hashes []common.Hash
	for _, log := range logs {
		event, err := w.Contracts.Decode(log)
		if err != nil {
			t.Fatal(err)
		}
		if event.Kind == market.EventTaskTerms {
			hashes = append(hashes, event.Hash)
		}
	}
	return hashes
}

// nonce returns the number of transactions that the agent has sent.
func (w *world) nonce(t *testing.T) uint64 {
	t.Helper()
	nonce, err := w.Dev.Client().PendingNonceAt(t.Context(), w.Agent.Address())
	if err != nil {
		t.Fatal(err)
	}
	return nonce
}

// setFee returns the owner's call that changes the platform's fee.
func (w *world) setFee(basisPoints uint16) chain.Call {
	return chain.Call{To: w.Deployment.Escrow, Data: contracts.NewEscrow().PackSetPlatformFee(basisPoints)}
}

func request(title string) client.TaskRequest {
	deadline := time.Date(2031, 1, 2, 3, 4, 5, 600_000_000, time.FixedZone("", 3600))
	return client.TaskRequest{
		Key: title, Title: title, Description: "Ten photos of the harbour.", Amount: chaintest.Tokens(1),
		Deadline: &deadline, Skills: []string{"photography"}, Location: "Lisbon", Remote: true,
	}
}

// held returns the escrow's view of a task.
func (w *world) held(t *testing.T, id uint64) contracts.IEscrowTaskView {
	t.Helper()
	escrow := contracts.NewEscrow()
	return read(t, w, w.Deployment.Escrow, escrow.PackGetTask(new(big.Int).SetUint64(id)), escrow.UnpackGetTask)
}

func (w *world) stake(t *testing.T, id uint64) contracts.IApplicationStakingStakeView {
	t.Helper()
	staking := contracts.NewApplicationStaking()
	return read(t, w, w.Deployment.Staking, staking.PackGetStake(new(big.Int).SetUint64(id)), staking.UnpackGetStake)
}

func read[T any](t *testing.T, w *world, to common.Address, data []byte, unpack func([]byte) (T, error)) T {
	t.Helper()
	answer, err := w.Dev.Client().CallContract(t.Context(), ethereum.CallMsg{To: &to, Data: data}, nil)
	if err != nil {
		t.Fatal(err)
	}
	value, err := unpack(answer)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// unsent runs an action that is killed after its transaction was signed and saved, but before it
// was sent.
func (w *world) unsent(t *testing.T, do func(*client.Client) error) {
	t.Helper()
	flows := &saved{FlowStore: w.options.Flows, fail: func(flow *client.Flow) error {
		if len(flow.Transactions) > 0 {
			return errKilled
		}
		return nil
	}}
	if err := do(w.client(t, func(o *client.Options) { o.Flows = flows })); !errors.Is(err, errKilled) {
		t.Fatalf("got error %v", err)
	}
}

// scene is a task with one application.
type scene struct {
	task        client.Task
	id, stake   uint64
	application uuid.UUID
}

func (w *world) scene(t *testing.T, title string, steps int) scene {
	t.Helper()
	var s scene
	s.task, s.id = w.created(t, title)
	s.application, s.stake = w.applied(t, s.id)
	if steps > 0 {
		w.Accept(t, w.Agent, s.id, s.stake)
	}
	if steps > 1 {
		w.submitted(t, s.task, s.id)
	}
	return s
}

// decided sets the application's status in the fake API.
func (w *world) decided(application uuid.UUID, status string) {
	w.api.mu.Lock()
	defer w.api.mu.Unlock()
	for _, a := range w.api.apps {
		if a["id"] == application.String() {
			a["status"] = status
		}
	}
}

// actionCase is one of the library's actions, applied to a scene.
type actionCase struct {
	name    market.Action
	steps   int // state of the task before the action; 0: open, 1: accepted, 2: submitted
	request func(scene) client.ActionRequest
	call    func(*world, scene) chain.Call // the call that the plan should contain
}

// do plans and executes the action.
func (a actionCase) do(ctx context.Context, c *client.Client, s scene) error {
	plan, err := c.Plan(ctx, a.request(s))
	if err != nil {
		return err
	}
	_, err = c.Execute(ctx, plan)
	return err
}

func actionCases() []actionCase {
	onTask := func(call func(*chain.Contracts, common.Address, uint64) chain.Call) func(*world, scene) chain.Call {
		return func(w *world, s scene) chain.Call { return call(w.Contracts, w.Deployment.Escrow, s.id) }
	}
	return []actionCase{
		{
			market.ActionAccept, 0, func(s scene) client.ActionRequest { return client.Accept(s.task.ID, s.application) },
			func(w *world, s scene) chain.Call {
				return w.Contracts.AcceptApplication(w.Deployment.Escrow, s.id, s.stake)
			},
		},
		{
			market.ActionReject, 0, func(s scene) client.ActionRequest {
				return client.Reject(s.task.ID, s.application, "No photos of yours.")
			},
			func(w *world, s scene) chain.Call { return w.Contracts.RejectApplication(s.stake) },
		},
		{
			market.ActionCancel, 0, func(s scene) client.ActionRequest { return client.Cancel(s.task.ID) }, onTask((*chain.Contracts).CancelTask),
		},
		{
			market.ActionApprove, 2, func(s scene) client.ActionRequest { return client.Approve(s.task.ID) }, onTask((*chain.Contracts).ApproveTask),
		},
		{
			market.ActionDispute, 2, func(s scene) client.ActionRequest { return client.Dispute(s.task.ID, "No photo shows the harbour.") },
			onTask((*chain.Contracts).DisputeTask),
		},
	}
}

func (s scene) secondApplication(t *testing.T, w *world) uuid.UUID {
	t.Helper()
	stake, _ := w.Apply(t, w.OtherHuman, s.id, chaintest.Tokens(1))
	other := uuid.New()
	w.api.mu.Lock()
	defer w.api.mu.Unlock()
	w.api.apps = append(w.api.apps, object{
		"id": other.String(), "status": "pending", "human_wallet": w.OtherHuman.Address().Hex(),
		"onchain_application_id": fmt.Sprint(stake),
	})
	return other
}
