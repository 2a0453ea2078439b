package signer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	ethrpc "github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain/rpc"
)

// ErrDeclined is returned when the user of an external signer declines the request.
var ErrDeclined = errors.New("the signer declined the request")

// ErrNoAccount is returned when an external signer does not have exactly one account, and the caller
// did not select one.
var ErrNoAccount = errors.New("no account is selected")

// ErrMismatch is returned when the result from an external signer is not a signature by the address
// over the requested data. The result is discarded.
var ErrMismatch = errors.New("the signer's result does not match the request; it was discarded")

const (
	// longestAnswer limits a signer's response, in bytes. A transaction has at most 128 KiB, and
	// the response contains it twice: as raw bytes and as separate fields.
	longestAnswer = 2 << 20
	// longestRefusal limits how much of a signer's error message is quoted, in bytes.
	longestRefusal = 200

	methodNotFound = -32601 // JSON-RPC error code for an unknown method
	userRejected   = 4001   // EIP-1193 error code for a request that the user declined
)

// External is an account whose key is in another program, which is called over JSON-RPC. A call has
// no time limit except its context's, because a user may have to confirm it. It is safe for concurrent
// use.
//
// There are two sets of methods. The first request determines which set the program supports:
//
//	wallets, Web3Signer, Frame, anvil   Clef
//	eth_accounts                        account_list
//	eth_signTransaction                 account_signTransaction
//	personal_sign                       account_signData (text/plain)
//	eth_signTypedData_v4                account_signTypedData
//
// The program's results are verified: see ErrMismatch.
type External struct {
	client  *ethrpc.Client
	names   dialect
	address common.Address
}

// dialect is a set of JSON-RPC methods.
type dialect struct {
	accounts, transaction, typedData string
	message                          string
	typed                            bool // whether the message method takes a content type first, and the address before the text
}

var (
	walletDialect = dialect{
		accounts: "eth_accounts", transaction: "eth_signTransaction",
		typedData: "eth_signTypedData_v4", message: "personal_sign",
	}
	clefDialect = dialect{
		accounts: "account_list", transaction: "account_signTransaction",
		typedData: "account_signTypedData", message: "account_signData", typed: true,
	}
)

// Options configures the connection to an external signer. The zero value suits a program on this
// machine, and a server with a certificate that the system trusts.
type Options struct {
	Plain bool // whether http to another machine is permitted
}

// OpenExternal connects to the signer at the URL address and returns the account, which the signer must
// have. If account is zero, it returns the signer's only account. The URL must be https, http on this
// machine, or unix:///path of a socket. Errors never contain the URL, because it may contain a
// password.
func OpenExternal(ctx context.Context, address string, account common.Address) (*External, error) {
	return Options{}.open(ctx, address, account)
}

func (o Options) open(ctx context.Context, address string, account common.Address) (*External, error) {
	u, err := o.parse(address)
	if err != nil {
		return nil, err
	}
	where := u.Host
	if u.Scheme == unixScheme {
		address, where = u.Path, u.Path
	}
	client, err := ethrpc.DialOptions(ctx, address, ethrpc.WithHTTPClient(rpc.HTTPClient(longestAnswer)))
	if err != nil {
		return nil, fmt.Errorf("reach the external signer at %s: %w", where, withoutURL(err))
	}
	e := &External{client: client, names: walletDialect}
	if err := e.choose(ctx, account); err != nil {
		client.Close()
		return nil, fmt.Errorf("use the external signer at %s: %w", where, err)
	}
	return e, nil
}

const unixScheme = "unix"

// parse returns the URL if these options permit it.
func (o Options) parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Host == "" && (u.Scheme != unixScheme || u.Path == ""), u.Host != "" && u.Scheme == unixScheme:
		return nil, errors.New("the external signer's address must be an https or http URL, or unix:///path")
	case u.Scheme == unixScheme, u.Scheme == "https", u.Scheme == "http" && (o.Plain || loopback(u.Hostname())):
		return u, nil
	}
	return nil, fmt.Errorf("the external signer at %s needs an https URL, or http on this machine", u.Host)
}

// choose finds the account and the set of methods that the signer supports.
func (e *External) choose(ctx context.Context, account common.Address) error {
	accounts, err := e.accounts(ctx)
	if rpcErr, ok := errors.AsType[ethrpc.Error](err); ok && rpcErr.ErrorCode() == methodNotFound {
		e.names = clefDialect
		accounts, err = e.accounts(ctx)
	}
	switch {
	case err != nil:
		return refusal(err)
	case account != (common.Address{}):
		if !slices.Contains(accounts, account) {
			return fmt.Errorf("it does not have the account %s", account)
		}
		e.address = account
	case len(accounts) == 1:
		e.address = accounts[0]
	default:
		return fmt.Errorf("it has %d accounts, and %w", len(accounts), ErrNoAccount)
	}
	return nil
}

func (e *External) accounts(ctx context.Context) (accounts []common.Address, err error) {
	err = e.client.CallContext(ctx, &accounts, e.names.accounts)
	return accounts, err
}

// Close closes the connection.
func (e *External) Close() { e.client.Close() }

// Address implements chain.Signer.
func (e *External) Address() common.Address { return e.address }

// ask calls the signer. An error message from the signer is quoted and shortened, because it is
// untrusted text that a terminal may display.
func (e *External) ask(ctx context.Context, result any, method string, args ...any) error {
	if err := e.client.CallContext(ctx, result, method, args...); err != nil {
		return fmt.Errorf("call the external signer (%s): %w", method, refusal(err))
	}
	return nil
}

func refusal(err error) error {
	rpcErr, ok := errors.AsType[ethrpc.Error](err)
	if failed, isHTTP := errors.AsType[ethrpc.HTTPError](err); isHTTP { // Web3Signer returns some errors with status 400
		text := strconv.QuoteToASCII(string(failed.Body[:min(len(failed.Body), longestRefusal)]))
		return fmt.Errorf("it returned status %d: %s", failed.StatusCode, text)
	}
	if !ok {
		return withoutURL(err)
	}
	words := rpcErr.Error()
	text := strconv.QuoteToASCII(words[:min(len(words), longestRefusal)])
	if rpcErr.ErrorCode() == userRejected || strings.Contains(strings.ToLower(words), "denied") {
		return fmt.Errorf("%w: %s", ErrDeclined, text)
	}
	return fmt.Errorf("it returned error %d: %s", rpcErr.ErrorCode(), text)
}

// withoutURL removes the URL from a transport error.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}
