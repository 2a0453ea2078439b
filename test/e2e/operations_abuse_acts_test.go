//go:build operations

package e2e_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/store/storetest"
	"taskmarket/test/actor"
)

// abuseSignUps creates as many accounts from one network as the limits allow.
func (w *abuseWorld) abuseSignUps(c *costs) map[string]int64 {
	agents, humans, api := 0, 0, w.client(c.home, "")
	repeat(func() bool {
		ok := w.register(api, agents)
		if ok {
			agents++
		}
		return ok
	})
	repeat(func() bool {
		_, err := w.human(c.home, "crowd", humans)
		if err == nil {
			humans++
		}
		return err == nil
	})
	c.accounts = agents + humans
	return map[string]int64{"agents of one network in 10 s": int64(agents), "humans of one network in 10 s": int64(humans)}
}

// register registers an agent with a new wallet, and reports whether the server accepted it.
func (w *abuseWorld) register(api *gen.ClientWithResponses, number int) bool {
	w.t.Helper()
	wallet := loadWallet(w.t, "crowd agent", number)
	body := gen.RegisterAgentRequest{WalletAddress: wallet.Address().Hex(), Name: "Crowd", Username: fmt.Sprintf("crowd-%d", number)}
	asked, err := api.RegisterAgentWithResponse(w.ctx, body)
	w.must(err)
	if asked.JSON428 == nil {
		return false
	}
	signature, err := wallet.SignMessage(w.ctx, asked.JSON428.Challenge)
	w.must(err)
	body.Challenge, body.Signature = &asked.JSON428.Challenge, new(hexutil.Encode(signature))
	for { // the rate limit can refuse the answer to a challenge
		made, err := api.RegisterAgentWithResponse(w.ctx, body)
		w.must(err)
		if made.JSON429 == nil {
			return made.JSON201 != nil
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// uploaders is the number of uploads that the abuser sends at the same time.
const uploaders = 32

// abuseUploads fills the disk: with tasks that are not funded, with uploads that do not end, and with a task
// that locks the minimum amount.
func (w *abuseWorld) abuseUploads(c *costs) map[string]int64 {
	w.t.Helper()
	file := make([]byte, market.MaxFileSize)
	before, unfunded := w.stored(), 0
	repeat(func() bool {
		made, err := w.abuser.API.CreateTaskWithResponse(w.ctx, nil, gen.CreateTaskRequest{Title: "T", Description: "D", EscrowAmount: market.MinimumEscrow().String()})
		w.must(err)
		if made.JSON201 == nil {
			return false
		}
		unfunded++
		w.upload(made.JSON201.ID, file)
		return true
	})
	free := w.stored() - before
	// The cleanup does this after market.UnfundedLifetime. Until then, the agent can create no other task.
	storetest.DB(w.t, w.records).MustExec(`UPDATE tasks SET lapsed_at = now() WHERE status = 'new'`)
	task := w.cheapTask()
	unfinished := w.holdUploads(task.ID, file)
	var group sync.WaitGroup
	for range uploaders {
		group.Go(func() {
			for w.upload(task.ID, file) {
			}
		})
	}
	group.Wait()
	return map[string]int64{
		"unfunded tasks of one agent": int64(unfunded), "bytes on disk without funding": free,
		"bytes of unfinished uploads of one account": unfinished, "bytes on disk for one funded task": w.stored() - before - free,
	}
}

// holdUploads starts uploads that send everything except the end. Once each has been refused or is
// waiting, it counts the bytes that they occupy on the disk. It then ends them without storing a file,
// and returns the number of bytes.
func (w *abuseWorld) holdUploads(task uuid.UUID, content []byte) int64 {
	w.t.Helper()
	kind, body := fileForm(content)
	before, release := w.stored(), make(chan struct{})
	var settled, ended sync.WaitGroup
	settled.Add(uploaders)
	for range uploaders {
		settle := sync.OnceFunc(settled.Done)
		incomplete := body[:len(body)-16] // without the end of the last delimiter
		held := io.MultiReader(bytes.NewReader(incomplete), pause{settle, release})
		ended.Go(func() {
			defer settle()
			got, err := w.abuser.API.UploadTaskFileWithBodyWithResponse(w.ctx, task, kind, held)
			if err == nil && got.JSON201 != nil {
				w.t.Error("an incomplete upload was stored")
			}
		})
	}
	settled.Wait()
	time.Sleep(time.Second) // until the server has written what it has received
	occupied := w.stored() - before
	close(release)
	ended.Wait()
	return occupied
}

// pause is a reader that provides no data, and ends only when release is closed.
type pause struct {
	reached func()
	release <-chan struct{}
}

// Read implements io.Reader.
func (p pause) Read([]byte) (int, error) {
	p.reached()
	<-p.release
	return 0, io.EOF
}

// fileForm returns the body of an upload and its content type.
func fileForm(content []byte) (kind string, body []byte) {
	var buffer bytes.Buffer // never returns an error
	form := multipart.NewWriter(&buffer)
	part, _ := form.CreateFormFile("file", "waste.bin")
	_, _ = part.Write(content)
	_ = form.Close()
	return form.FormDataContentType(), buffer.Bytes()
}

// upload sends a file of the abusing agent, and reports whether it was stored. It sends the body only after
// the server's response 100 Continue, so that it can read a refusal. It may run concurrently.
func (w *abuseWorld) upload(task uuid.UUID, content []byte) bool {
	kind, body := fileForm(content)
	for {
		got, err := w.abuser.API.UploadTaskFileWithBodyWithResponse(w.ctx, task, kind, bytes.NewReader(body),
			func(_ context.Context, request *http.Request) error {
				request.Header.Set("Expect", "100-continue")
				return nil
			})
		if err != nil {
			return false // the server refused the request before it had read the body
		}
		if got.JSON429 == nil {
			return got.JSON201 != nil
		}
		wait, err := strconv.Atoi(got.HTTPResponse.Header.Get("Retry-After"))
		if err != nil || wait > 60 { // the daily limit, not the rate limit or the limit of concurrent uploads
			return false
		}
		time.Sleep(time.Duration(wait) * time.Second)
	}
}

// cheapTask creates and funds a task of the abusing agent that locks the minimum amount.
func (w *abuseWorld) cheapTask() client.Task {
	w.t.Helper()
	task, err := w.abuser.CreateTask(w.ctx, client.TaskRequest{Key: uuid.NewString(), Title: "Say hello", Description: "In a sentence.", Amount: market.MinimumEscrow()})
	w.must(err)
	return task
}

// streamThieves is the number of accounts that open event streams.
const streamThieves = 110

// abuseStreams opens streams of new accounts: first from one network, then from many.
func (w *abuseWorld) abuseStreams(c *costs) map[string]int64 {
	w.t.Helper()
	ctx, cancel := context.WithCancel(w.ctx)
	defer cancel()
	thieves := make([]*actor.Person, streamThieves)
	for i := range thieves {
		thieves[i] = w.mustHuman(&network{address: fmt.Sprintf("203.0.113.%d", i)}, "thief", i)
	}
	c.accounts, c.networks = len(thieves), len(thieves)+1
	var open atomic.Int64
	take := func(from func(i int) string) int64 {
		for i, thief := range thieves {
			for range 10 {
				w.follow(ctx, thief.API, from(i), &open)
			}
		}
		time.Sleep(time.Second) // wait for the streams that the server ends
		return open.Load()
	}
	one := take(func(int) string { return c.home.address })
	all := take(func(i int) string { return fmt.Sprintf("203.0.113.%d", i) })
	refused := int64(1)
	if w.follow(ctx, w.agent.API, "192.0.2.1", new(atomic.Int64)) {
		refused = 0
	}
	return map[string]int64{"streams of one network": one, "streams of accounts without verification": all, "refused streams of a verified agent": refused}
}

// follow opens an event stream until ctx ends, and reports whether the server accepted it. It counts the
// stream in open until the server ends it.
func (w *abuseWorld) follow(ctx context.Context, api *gen.ClientWithResponses, from string, open *atomic.Int64) bool {
	w.t.Helper()
	response, err := api.StreamEvents(ctx, nil, func(_ context.Context, request *http.Request) error { //nolint:bodyclose // the goroutine below closes it
		request.Header.Set("X-Forwarded-For", from)
		return nil
	})
	w.must(err)
	if response.StatusCode != http.StatusOK {
		w.must(response.Body.Close())
		return false
	}
	open.Add(1)
	go func() {
		defer response.Body.Close()
		_, _ = io.Copy(io.Discard, response.Body)
		open.Add(-1)
	}()
	return true
}

// abuseApplications repeatedly applies for another agent's task and withdraws.
func (w *abuseWorld) abuseApplications(c *costs) map[string]int64 {
	w.t.Helper()
	task := w.post(time.Time{})
	pest := w.mustHuman(c.home, "pest", 0)
	c.accounts = 1
	before, applied := w.notices(gen.ActivityTypeApplication), int64(0)
	repeat(func() bool {
		made, err := pest.API.ApplyForTaskWithResponse(w.ctx, task.ID, nil, gen.ApplyForTaskRequest{ApplicationMessage: "Me!"})
		w.must(err)
		if made.JSON201 == nil {
			return false
		}
		applied++
		_, err = pest.Withdraw(w.ctx, task.ID, made.JSON201.Application.ID)
		return err == nil
	})
	return map[string]int64{"applications of one human for one task": applied, "notices to the agent": w.notices(gen.ActivityTypeApplication) - before}
}

// notices returns the number of the agent's activity items of the type.
func (w *abuseWorld) notices(kind gen.ActivityType) int64 {
	w.t.Helper()
	feed, err := w.agent.API.ListActivityWithResponse(w.ctx, &gen.ListActivityParams{Type: &kind})
	w.must(err)
	if feed.JSON200 == nil {
		w.t.Fatalf("read the activity: %s", feed.Body)
	}
	return feed.JSON200.Total
}

// abuseMessages writes to an agent that has never written to the account.
func (w *abuseWorld) abuseMessages(c *costs) map[string]int64 {
	w.t.Helper()
	pest := w.mustHuman(c.home, "spammer", 0)
	c.accounts = 1
	me, err := w.agent.API.GetAgentMeWithResponse(w.ctx, nil)
	w.must(err)
	sent, before := int64(0), w.notices(gen.ActivityTypeDM)
	repeat(func() bool {
		made, err := pest.API.StartConversationWithResponse(w.ctx, nil, gen.StartConversationRequest{Username: me.JSON200.Username, Content: "Buy!"})
		w.must(err)
		if made.JSON201 != nil {
			sent++
		}
		return made.JSON201 != nil
	})
	inbox, err := w.agent.API.ListConversationsWithResponse(w.ctx, nil)
	w.must(err)
	if inbox.JSON200 == nil {
		w.t.Fatalf("read the inbox: %s", inbox.Body)
	}
	return map[string]int64{
		"messages of a new account to one agent": sent,
		"conversations in the agent's inbox":     inbox.JSON200.Total,
		"unread messages in the agent's inbox":   int64(inbox.JSON200.UnreadTotal),
		"notices to the agent":                   w.notices(gen.ActivityTypeDM) - before,
	}
}

// stakers is the number of humans who apply with a stake for the abuser's task.
const stakers = market.MaxForfeits + 2

// abuseStakes rejects applicants with stakes, which costs the agent only gas.
func (w *abuseWorld) abuseStakes(c *costs) map[string]int64 {
	w.t.Helper()
	task, err := w.abuser.CreateTask(w.ctx, client.TaskRequest{Key: uuid.NewString(), Title: "Say hello", Description: "In a sentence.", Amount: chaintest.Tokens(10)})
	w.must(err)
	before, _, err := w.net.Reader.Balances(w.ctx, w.net.Deployment.Treasury)
	w.must(err)
	burnt := int64(0)
	for i := range stakers {
		victim := w.mustHuman(&network{address: fmt.Sprintf("203.0.113.%d", i)}, "victim", i)
		w.endow(victim.Wallet, chaintest.Tokens(1))
		made, err := victim.Apply(w.ctx, w.net.Contracts, task.ID, "I am near.")
		w.must(err)
		w.settle()
		if _, err := w.abuser.RejectApplication(w.ctx, task.ID, made.ID, "No."); err == nil {
			burnt++
		}
	}
	after, _, err := w.net.Reader.Balances(w.ctx, w.net.Deployment.Treasury)
	w.must(err)
	w.t.Logf("the applicants lost %s wei", after.Sub(after, before).String())
	return map[string]int64{"stakes lost at one task": burnt}
}

// boughtReviews is the number of tasks that two colluding accounts complete.
const boughtReviews = 3

// abuseReviews completes tasks of the minimum amount between two accounts of one person. The agent reviews
// the human each time.
func (w *abuseWorld) abuseReviews(c *costs) map[string]int64 {
	w.t.Helper()
	friend := w.mustHuman(c.home, "friend", 0)
	w.endow(friend.Wallet, chaintest.Tokens(10))
	c.accounts = 1
	for range boughtReviews {
		w.buyReview(friend)
	}
	profile, err := w.agent.API.GetProfileWithResponse(w.ctx, friend.Human.Username, nil)
	w.must(err)
	if profile.JSON200 == nil {
		w.t.Fatalf("read the profile: %s", profile.Body)
	}
	stats := profile.JSON200.Stats
	rated := int64(0)
	if stats.AvgRating != nil {
		rated = 1
	}
	return map[string]int64{"completed tasks that count": int64(stats.TasksCompleted), "ratings that count": rated}
}

// buyReview completes a task of the abusing agent with the friend, and writes a review of the friend.
func (w *abuseWorld) buyReview(friend *actor.Person) {
	w.t.Helper()
	task := w.cheapTask()
	made, err := friend.Apply(w.ctx, w.net.Contracts, task.ID, "Me.")
	w.must(err)
	w.settle()
	_, err = w.abuser.AcceptApplication(w.ctx, task.ID, made.ID)
	w.must(err)
	w.settle()
	_, err = friend.Submit(w.ctx, task.ID, "Hello.")
	w.must(err)
	w.settle()
	submitted, err := w.abuser.Task(w.ctx, task.ID)
	w.must(err)
	var number uint64
	_, err = fmt.Sscan(*submitted.EscrowTaskID, &number)
	w.must(err)
	w.net.Approve(w.t, w.abuser.Wallet, number)
	w.net.Decide(w.t, number, common.HexToHash(*submitted.WorkHash), 0, true)
	w.settle()
	review, err := w.abuser.API.ReviewTaskWithResponse(w.ctx, task.ID, nil, gen.ReviewRequest{Rating: 5})
	w.must(err)
	if review.JSON201 == nil {
		w.t.Fatalf("review: %s", review.Body)
	}
}
