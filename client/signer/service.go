package signer

import (
	"context"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/chain"
)

// Service is an External for programs that run without a user. It connects on the first call, so that
// the program can start while the signer is down, and limits the duration of each call. It is safe for
// concurrent use.
type Service struct {
	url     string
	account common.Address
	timeout time.Duration
	options Options

	mu       sync.Mutex
	external *External // nil until the signer has listed the account
}

// NewService returns the account of the signer at the URL; see OpenExternal. It does not connect.
func NewService(url string, account common.Address, timeout time.Duration, o Options) (*Service, error) {
	if _, err := o.parse(url); err != nil {
		return nil, err
	}
	return &Service{url: url, account: account, timeout: timeout, options: o}, nil
}

// Address implements chain.Signer.
func (s *Service) Address() common.Address { return s.account }

// SignMessage implements chain.Signer.
func (s *Service) SignMessage(ctx context.Context, text string) (signature []byte, err error) {
	err = s.call(ctx, func(ctx context.Context, e *External) error {
		signature, err = e.SignMessage(ctx, text)
		return err
	})
	return signature, err
}

// SignTypedData implements chain.Signer.
func (s *Service) SignTypedData(ctx context.Context, data apitypes.TypedData) (signature []byte, err error) {
	err = s.call(ctx, func(ctx context.Context, e *External) error {
		signature, err = e.SignTypedData(ctx, data)
		return err
	})
	return signature, err
}

// SignTx implements chain.Signer.
func (s *Service) SignTx(ctx context.Context, tx *types.Transaction, chainID uint64) (signed *types.Transaction, err error) {
	err = s.call(ctx, func(ctx context.Context, e *External) error {
		signed, err = e.SignTx(ctx, tx, chainID)
		return err
	})
	return signed, err
}

// call connects if necessary and calls do within the time limit.
func (s *Service) call(ctx context.Context, do func(context.Context, *External) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	external, err := s.connect(ctx)
	if err != nil {
		return err
	}
	return do(ctx, external)
}

func (s *Service) connect(ctx context.Context) (*External, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.external != nil {
		return s.external, nil
	}
	external, err := s.options.open(ctx, s.url, s.account)
	if err == nil {
		s.external = external
	}
	return external, err
}

// Close closes the connection, if there is one.
func (s *Service) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.external != nil {
		s.external.Close()
	}
}

var _ chain.Signer = (*Service)(nil)
