package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/keeper"
	"taskmarket/client/signer"
	"taskmarket/market"
)

const (
	// keeperGrace is how long the keeper's lease can be vacant before health reports it. It allows
	// another keeper enough time to acquire the lease.
	keeperGrace = 2 * keeper.DefaultLease
	// keeperStatusTimeout limits the time that the health check spends on the keeper's status.
	keeperStatusTimeout = 500 * time.Millisecond
	keeperAlarmInterval = time.Minute
	// settlementOverdue is how long, in chain time, a task can be due for settlement before the health check
	// reports it as overdue.
	settlementOverdue = 10 * time.Minute
	// signerTimeout limits one signature of an external signer. A longer wait would delay the other jobs.
	signerTimeout = 10 * time.Second
)

// withKeeperDefaults replaces empty limits with the defaults for the chain, so that `taskmarketd
// config` prints the effective values.
func (c config) withKeeperDefaults() config {
	limits := keeper.DefaultLimits(c.deployed.ChainID)
	c.KeeperMaxFee = cmp.Or(c.KeeperMaxFee, limits.Fee.String())
	c.KeeperDailyLimit = cmp.Or(c.KeeperDailyLimit, limits.Daily.String())
	return c
}

// keeperLimits parses the limits for the keeper's transactions.
func (c config) keeperLimits() (limits keeper.Limits, err error) {
	c = c.withKeeperDefaults()
	limits = keeper.DefaultLimits(c.deployed.ChainID)
	var faults [2]error
	limits.Fee, faults[0] = parseLimit("KEEPER_MAX_FEE", c.KeeperMaxFee)
	limits.Daily, faults[1] = parseLimit("KEEPER_DAILY_LIMIT", c.KeeperDailyLimit)
	err = errors.Join(faults[:]...)
	if err == nil && limits.Fee.Cmp(limits.Tip) < 0 {
		limits.Tip = limits.Fee // the tip cannot exceed the fee, which includes it
	}
	return limits, err
}

func parseLimit(name, text string) (*big.Int, error) {
	limit, err := market.ParseWei(text)
	if err != nil {
		return nil, fmt.Errorf("%s%s is %q, not a whole number of wei below 2^256", prefix, name, text)
	}
	return limit, nil
}

// keeperFaults returns the errors in the keeper's configuration.
func (c config) keeperFaults() []error {
	var faults []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(prefix+format, args...))
		}
	}
	if _, err := c.keeperSigner(); err != nil {
		faults = append(faults, err)
	}
	limits, err := c.keeperLimits()
	if err != nil {
		return append(faults, err)
	}
	check(limits.Fee.Sign() > 0, "KEEPER_MAX_FEE is 0: the keeper could not send any transaction")
	check(limits.Daily.Sign() > 0, "KEEPER_DAILY_LIMIT is 0: the keeper could not send any transaction")
	return faults
}

// hasKeeper reports whether the configuration names a key for the keeper.
func (c config) hasKeeper() bool { return c.KeeperPrivateKey != "" || c.KeeperSignerURL != "" }

// keeperAddress returns the keeper's account, or the zero address if no valid signer is configured.
func (c config) keeperAddress() common.Address {
	if wallet, err := c.keeperSigner(); err == nil && wallet != nil {
		return wallet.Address()
	}
	return common.Address{}
}

// keeperSigner returns a signer with the keeper's key, or the external signer without connecting to it.
// It returns nil if neither is configured.
func (c config) keeperSigner() (chain.Signer, error) {
	if c.KeeperSignerURL == "" {
		return c.localKeeper()
	}
	if c.KeeperPrivateKey != "" {
		return nil, fmt.Errorf("%sKEEPER_PRIVATE_KEY and %sKEEPER_SIGNER_URL are both set: remove one", prefix, prefix)
	}
	account, err := market.ParseAddress(prefix+"KEEPER_ADDRESS", c.KeeperAddress)
	if err != nil {
		return nil, fmt.Errorf("%sKEEPER_ADDRESS is %q, but %sKEEPER_SIGNER_URL needs the address of its key: %s", prefix, c.KeeperAddress, prefix, addressForm)
	}
	plain := true // plaintextFaults checks the host
	wallet, err := signer.NewService(string(c.KeeperSignerURL), account, signerTimeout, signer.Options{Plain: plain})
	if err != nil {
		return nil, fmt.Errorf("%sKEEPER_SIGNER_URL: %w", prefix, err)
	}
	return wallet, nil
}

// localKeeper returns a signer with KEEPER_PRIVATE_KEY, or nil if the key is not set.
func (c config) localKeeper() (chain.Signer, error) {
	if c.KeeperPrivateKey == "" {
		return nil, nil
	}
	key, err := chain.ParseKeySigner(string(c.KeeperPrivateKey))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%sKEEPER_PRIVATE_KEY is not a private key in hexadecimal digits", prefix)
	case c.KeeperAddress != "" && common.HexToAddress(c.KeeperAddress) != key.Address():
		return nil, fmt.Errorf("%sKEEPER_ADDRESS is %s, but %sKEEPER_PRIVATE_KEY is the key of %s", prefix, c.KeeperAddress, prefix, key.Address())
	}
	return key, nil
}

// newKeeper returns the keeper, or nil if this process lacks the keeper's key or role.
func (s *service) newKeeper(contracts *chain.Contracts, instance string) (*keeper.Keeper, error) {
	if !s.config.hasKeeper() || !s.config.runs(roleKeeper) {
		return nil, nil
	}
	wallet, err := s.config.keeperSigner()
	if err != nil {
		return nil, err
	}
	options := keeper.Options{Holder: instance, Trace: s.traces.Step("keeper")}
	if options.Limits, err = s.config.keeperLimits(); err != nil {
		return nil, err
	}
	if s.vouchers != nil { // an interface with a nil pointer would not compare equal to nil
		options.Vouchers = s.vouchers
	}
	return keeper.New(s.node, wallet, contracts, s.store.Outbox, options, s.log), nil
}

// keeperProblems returns the keeper's problems as recorded in the database, which are the same on
// every replica. It ignores an unavailable database, which another health check reports.
func (s *service) keeperProblems(ctx context.Context) []market.HealthReason {
	ctx, cancel := context.WithTimeout(ctx, keeperStatusTimeout)
	defer cancel()
	status, err := s.store.Outbox.KeeperStatus(ctx, keeperGrace, settlementOverdue)
	if err != nil {
		return nil
	}
	return status.Reasons()
}

// checkKeeper logs an error while payments are not made automatically. It does not log reached
// spending limits, which the keeper logs itself.
func (s *service) checkKeeper(ctx context.Context) error {
	status, err := s.store.Outbox.KeeperStatus(ctx, keeperGrace, settlementOverdue)
	if err != nil {
		return err
	}
	if status.Absent && time.Since(s.startedAt) > keeperGrace {
		s.log.ErrorContext(ctx, "no keeper is running: due tasks are not settled, and verdicts and claims are not sent; "+
			"start a server with "+prefix+"KEEPER_PRIVATE_KEY or "+prefix+"KEEPER_SIGNER_URL")
	}
	if status.Overdue {
		s.log.ErrorContext(ctx, "a task is due and not settled; check the keeper's log and wallet",
			slog.Duration("overdue", settlementOverdue))
	}
	return nil
}
