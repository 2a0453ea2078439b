package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/market"
	"taskmarket/store"
)

// Pauses between attempts to reach the database and the chain.
const (
	firstStartPause = 250 * time.Millisecond
	maxStartPause   = 5 * time.Second
)

// awaitDependencies waits until the database and the chain can be reached and are valid, or until
// ctx ends. It returns an error only for an invalid configuration, which a retry cannot fix.
func (s *service) awaitDependencies(ctx context.Context) error {
	for pause := firstStartPause; ; pause = min(2*pause, maxStartPause) {
		err := s.connect(ctx)
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

// probe returns an error unless the database behaves as required.
func (s *service) probe(ctx context.Context) error {
	err := s.store.Probe(ctx)
	if _, unfit := errors.AsType[*store.UnfitError](err); unfit {
		return fmt.Errorf("%w: %w", errMisconfigured, err)
	}
	return err
}

func (s *service) checkDatabase(ctx context.Context) error {
	if err := s.store.Ping(ctx); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	return s.store.CheckSchema(ctx)
}

// checkChain returns an error if the chain or its contracts differ from the configured ones.
func (s *service) checkChain(ctx context.Context) error {
	if err := s.node.Connect(ctx); err != nil {
		if errors.Is(err, chain.ErrWrongChain) {
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
	if s.vouchers == nil {
		return nil
	}
	want, err := reader.RewardSigner(ctx)
	if err != nil {
		return err
	}
	if own := s.vouchers.Address(); want != own && want != (common.Address{}) {
		return fmt.Errorf("%sREWARD_SIGNER_PRIVATE_KEY is the key of %s, but the distributor at %s accepts vouchers of %s: "+
			"set that key, or have the distributor's owner call setSigner", prefix, own, s.config.DistributorAddress, want)
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
