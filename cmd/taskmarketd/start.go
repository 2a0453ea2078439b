package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"gocloud.dev/blob"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/store/schema"
)

// Pauses between attempts to reach the database, the chain and the blob store.
const (
	firstStartPause = 250 * time.Millisecond
	maxStartPause   = 5 * time.Second
)

// awaitDependencies waits until the database, the chain and the blob store can be reached and are
// valid, or until ctx ends. It returns an error only for an invalid configuration, which a retry
// cannot fix.
func (s *service) awaitDependencies(ctx context.Context) error {
	for pause := firstStartPause; ; pause = min(2*pause, maxStartPause) {
		err := errors.Join(s.connect(ctx), s.checkFiles(ctx))
		if err == nil {
			err = s.probe(ctx)
		}
		switch {
		case err == nil:
			s.started.Store(true)
			return nil
		case ctx.Err() != nil:
			return nil //nolint:nilerr // errors after cancellation are expected
		case errors.Is(err, errMisconfigured):
			return err
		}
		s.log.WarnContext(ctx, "cannot serve yet; will retry", slog.Any("err", err))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// errMisconfigured marks errors that only a change of the configuration can fix.
var errMisconfigured = errors.New("invalid configuration")

// connect connects to the database and the chain, and checks that both match the configuration. It
// can be called again after an error.
func (s *service) connect(ctx context.Context) error {
	return errors.Join(s.checkDatabase(ctx), s.checkChain(ctx))
}

// probe returns an error unless the database behaves as required and the file store belongs to it.
func (s *service) probe(ctx context.Context) error {
	err := s.store.Schema.Probe(ctx)
	if err == nil {
		err = server.ClaimFiles(ctx, s.files, s.store)
	}
	_, unfit := errors.AsType[*schema.UnfitError](err)
	_, foreign := errors.AsType[*server.ForeignFilesError](err)
	if unfit || foreign {
		return fmt.Errorf("%w: %w", errMisconfigured, err)
	}
	return err
}

// checkFiles returns an error unless the blob store can be listed.
func (s *service) checkFiles(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, diskTimeout)
	defer cancel()
	_, _, err := s.files.ListPage(ctx, blob.FirstPageToken, 1, nil)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("list the file store: %w", err)
	if refuses(err) {
		return fmt.Errorf("%w: check %sBLOB_URL and the credentials: %w", errMisconfigured, prefix, err)
	}
	return err
}

// refuses reports whether the error is the blob store's refusal of a request that it would also
// refuse later, for example because of the credentials, the region or a bucket that does not exist.
func refuses(err error) bool {
	response, ok := errors.AsType[interface {
		error
		HTTPStatusCode() int
	}](err)
	if !ok {
		return false
	}
	status := response.HTTPStatusCode()
	return status >= 400 && status < 500 && status != http.StatusRequestTimeout && status != http.StatusTooManyRequests
}

func (s *service) checkDatabase(ctx context.Context) error {
	if err := s.store.Ping(ctx); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	err := s.store.Schema.Check(ctx)
	if e, ok := errors.AsType[*schema.VersionError](err); ok && e.BeforeRelease() {
		return fmt.Errorf("%w: %w", errMisconfigured, err)
	}
	return err
}

// checkChain returns an error if the chain or its contracts differ from the configured ones.
func (s *service) checkChain(ctx context.Context) error {
	if err := s.node.Connect(ctx); err != nil {
		if errors.Is(err, rpc.ErrWrongChain) {
			return fmt.Errorf("%w: %w", errMisconfigured, err)
		}
		return err
	}
	reader := chain.NewReader(s.node, chain.NewContracts(s.config.deployment()))
	err := reader.CheckCode(ctx)
	if err == nil {
		err = s.checkVouchers(ctx, reader)
	}
	if err != nil && market.KindOf(err) != market.KindChainUnavailable {
		err = fmt.Errorf("%w: %w", errMisconfigured, err)
	}
	return err
}

// checkVouchers returns an error if the distributor would reject vouchers signed with the
// configured key. It accepts a distributor without a signer, because its owner may have disabled
// rewards.
func (s *service) checkVouchers(ctx context.Context, reader *chain.Reader) error {
	signer := s.rewardSigner()
	if signer == (common.Address{}) {
		return nil
	}
	want, err := reader.RewardSigner(ctx)
	if err != nil {
		return err
	}
	if want != signer && want != (common.Address{}) {
		return fmt.Errorf("the configured reward signer is %s, but the distributor at %s accepts vouchers of %s: "+
			"set %sREWARD_SIGNER_PRIVATE_KEY or _ADDRESS to the key or address of that account, or have the distributor's owner call setSigner",
			signer, s.config.deployment().Distributor, want, prefix)
	}
	return nil
}

// problems returns the health problems of the watcher, the keeper and the disk.
func (s *service) problems(ctx context.Context) []market.HealthReason {
	var reasons []market.HealthReason
	for _, source := range s.sources {
		reasons = append(reasons, source(ctx)...)
	}
	return reasons
}
