package pg

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"taskmarket/market"
)

// Translate wraps err with the name of the failed operation. If the caller can handle the error,
// Translate returns a *market.Error with err as its cause. This applies to a missing row, a unique
// key violation, an invalid value and an unavailable database. nil and a *market.Error are returned
// unchanged.
func Translate(err error, what string) error {
	if err == nil || market.KindOf(err) != "" {
		return err
	}
	wrapped := fmt.Errorf("%s: %w", what, err)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		_, record, _ := strings.Cut(what, " ") // what is, for example, "select task 0198…"
		return Refusal(market.KindNotFound, record+" was not found", wrapped)
	case disconnected(err), errors.Is(err, context.DeadlineExceeded):
		return Busy(wrapped)
	}
	var refused *pq.Error
	if !errors.As(err, &refused) {
		return wrapped
	}
	switch refused.Code {
	case pqerror.UniqueViolation:
		return Duplicate(refused.Constraint, wrapped)
	case pqerror.CheckViolation, pqerror.CharacterNotInRepertoire, pqerror.UntranslatableCharacter,
		pqerror.InvalidTextRepresentation, pqerror.NumericValueOutOfRange,
		pqerror.StringDataRightTruncation, pqerror.DatetimeFieldOverflow, pqerror.InvalidDatetimeFormat:
		return Refusal(market.KindInvalid, "the request contains a value that cannot be stored", wrapped)
	case pqerror.LockNotAvailable, pqerror.IdleInTransactionSessionTimeout, pqerror.ReadOnlySQLTransaction:
		return Busy(wrapped)
	}
	switch refused.Code.Class() {
	case pqerror.ClassConnectionException, pqerror.ClassInsufficientResources, // for example, a full disk
		pqerror.ClassOperatorIntervention, pqerror.ClassSystemError:
		return Busy(wrapped)
	}
	return wrapped
}

// noHost is part of the driver's error if none of several hosts can be used, for example because all
// are standbys during a switchover. The driver has no typed error for this.
const noHost = "could not connect to any of the hosts"

// disconnected reports whether a connection broke or could not be opened. The statement may have
// been executed.
func disconnected(err error) bool {
	_, network := errors.AsType[*net.OpError](err)
	return network || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		strings.Contains(err.Error(), noHost)
}

// Busy returns an error with a hint to retry later.
func Busy(cause error) *market.Error {
	unavailable := Refusal(market.KindUnavailable, "the database is busy or unavailable; try again", cause)
	unavailable.RetryAfter = time.Second
	return unavailable
}

// Refusal returns an error of the given kind with a message for the caller and a cause.
func Refusal(kind market.Kind, message string, cause error) *market.Error {
	return &market.Error{Kind: kind, Message: message, Cause: cause}
}

// Duplicate returns the error for a unique key violation. It returns an internal error for a
// constraint that no request can violate.
func Duplicate(constraint string, cause error) error {
	switch constraint {
	case "users_username_idx":
		return Refusal(market.KindUsernameTaken, "this username is taken, reserved for its former user, or looks like one that is; choose another", cause)
	case "users_wallet_idx":
		return Refusal(market.KindWalletRegistered, "this wallet is already registered; use its saved API key", cause)
	case "users_social_account_idx", "users_social_post_idx":
		return Refusal(market.KindSocialAccountTaken, "this account or post is already linked to another user", cause)
	case "tasks_posting_idx", "tasks_claimed_idx":
		return Refusal(market.KindTxAlreadyUsed, "this transaction already funds another task", cause)
	case "applications_live_idx":
		return Refusal(market.KindWrongStatus, "you already have an open application for this task", cause)
	case "reviews_task_id_reviewer_id_key":
		return Refusal(market.KindAlreadyExists, "you have already reviewed this task", cause)
	case "verdicts_task_id_round_validator_key":
		return Refusal(market.KindAlreadyExists, "you have already given a verdict in this round", cause)
	case "claims_open_idx":
		return Refusal(market.KindAlreadyExists, "your previous claim is still pending; wait until it is paid", cause)
	case "reports_open_idx":
		return Refusal(market.KindAlreadyExists, "you have already reported this; moderators have not decided yet", cause)
	case "appeals_decision_id_key":
		return Refusal(market.KindAlreadyExists, "you have already appealed against this decision", cause)
	default:
		return cause
	}
}
