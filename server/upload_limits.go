package server

import (
	"fmt"
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

// uploads counts the uploads that this process is receiving. An upload occupies memory and disk space before
// the limits in the database count it, and can last for minutes.
type uploads struct {
	most int // for all accounts together

	mu       sync.Mutex
	total    int
	accounts map[uuid.UUID]int
}

func newUploads(most int) *uploads {
	return &uploads{most: most, accounts: make(map[uuid.UUID]int)}
}

// enter counts an upload of the account until leave is called. It returns KindRateLimited if the account has
// too many uploads, and KindUnavailable if this process has too many.
func (u *uploads) enter(account uuid.UUID) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case u.accounts[account] >= maxUploadsEach:
		return &market.Error{
			Kind: market.KindRateLimited, Message: fmt.Sprintf("you can upload at most %d files at the same time", maxUploadsEach),
			Hint: "wait until one of your uploads has ended", RetryAfter: uploadRetry,
		}
	case u.total >= u.most:
		return &market.Error{
			Kind: market.KindUnavailable, Message: "this server cannot receive more files at the moment",
			Hint: "upload the file later, or share a link", RetryAfter: uploadRetry,
		}
	}
	u.total++
	u.accounts[account]++
	return nil
}

// leave ends an upload for which enter returned nil.
func (u *uploads) leave(account uuid.UUID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.total--
	if u.accounts[account]--; u.accounts[account] == 0 {
		delete(u.accounts, account)
	}
}
