package server

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"taskmarket/market"
)

const (
	// maxUploadsEach is the maximum number of concurrent uploads of one account in this process. It permits
	// an account to send all its files for a task at once. That many files take less than the disk space
	// that is kept free by default.
	maxUploadsEach = market.MaxFilesPerTask + 4
	// defaultMaxUploads is the default of Options.MaxUploads: eight accounts can upload their maximum at
	// the same time.
	defaultMaxUploads = 8 * maxUploadsEach
	// uploadRetry is the Retry-After when one of these limits is reached.
	uploadRetry = 5 * time.Second
)

// uploads are the uploads that this process is receiving. An upload occupies memory and disk space before the
// limits in the database count it, and can last for minutes.
type uploads struct {
	limit int // for all accounts together

	mu       sync.Mutex
	open     []*upload // oldest first
	accounts map[uuid.UUID]int
}

// upload is an upload of an account.
type upload struct {
	account  uuid.UUID
	end      func() // makes the reads of the body fail
	received bool   // whether the body has been read, so that the upload no longer waits for its client
	evicted  bool   // whether the upload was ended to make room for another account's
}

func newUploads(limit int) *uploads {
	return &uploads{limit: limit, accounts: make(map[uuid.UUID]int)}
}

// enter counts an upload of the account until leave is called. end must make the reads of the upload's body
// fail. enter returns KindRateLimited if the account has too many uploads, and KindUnavailable if this process
// has too many and none of them can be ended (see makeRoom).
func (u *uploads) enter(account uuid.UUID, end func()) (*upload, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case u.accounts[account] >= maxUploadsEach:
		return nil, &market.Error{
			Kind: market.KindRateLimited, Message: fmt.Sprintf("you can upload at most %d files at the same time", maxUploadsEach),
			Hint: "wait until one of your uploads has ended", RetryAfter: uploadRetry,
		}
	case len(u.open) >= u.limit && !u.makeRoom(account):
		return nil, &market.Error{
			Kind: market.KindUnavailable, Message: "this server cannot receive more files at the moment",
			Hint: "upload the file later, or share a link", RetryAfter: uploadRetry,
		}
	}
	one := &upload{account: account, end: end}
	u.open = append(u.open, one)
	u.accounts[account]++
	return one, nil
}

// makeRoom ends the oldest upload of the account with the most uploads, so that slow uploads of a few accounts
// cannot keep out others. It returns false instead if, with the new upload, the newcomer would have at least as
// many uploads as that account.
func (u *uploads) makeRoom(newcomer uuid.UUID) bool {
	var largest *upload
	for _, one := range u.open {
		if !one.received && (largest == nil || u.accounts[one.account] > u.accounts[largest.account]) {
			largest = one
		}
	}
	if largest == nil || u.accounts[newcomer]+1 >= u.accounts[largest.account] {
		return false
	}
	u.remove(largest)
	largest.evicted = true
	largest.end()
	return true
}

// finishBody notes that the body of the upload has been read, or that a read has failed. It returns
// KindUnavailable if the upload was ended by makeRoom.
func (u *uploads) finishBody(one *upload) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	one.received = true
	if !one.evicted {
		return nil
	}
	return &market.Error{
		Kind: market.KindUnavailable, Message: "this server ended the upload to receive a file of another account",
		Hint: "upload the file again, and fewer files at the same time", RetryAfter: uploadRetry,
	}
}

// leave removes an upload, unless it was ended by makeRoom.
func (u *uploads) leave(one *upload) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !one.evicted {
		u.remove(one)
	}
}

func (u *uploads) remove(one *upload) {
	u.open = slices.DeleteFunc(u.open, func(each *upload) bool { return each == one })
	if u.accounts[one.account]--; u.accounts[one.account] == 0 {
		delete(u.accounts, one.account)
	}
}
