package doctor

import (
	"strings"

	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// advice explains a health reason and recommends what an agent can do about it.
type advice struct{ what, next string }

const (
	withoutService = "urgent actions work without the service: `taskmarket rescue`"
	askOperator    = "report it to the operator of the service"
)

// reasonWords contains the advice for each health reason.
var reasonWords = map[market.HealthReason]advice{
	market.ReasonDatabaseUnavailable: {"the database is not available", "try again in a few minutes; " + withoutService},
	market.ReasonNodeUnavailable:     {"no Ethereum node is reachable", "retry requests that need the chain later; records may be out of date"},
	market.ReasonChainLagging:        {"the records are far behind the chain", "make no decisions based on the records yet; your own node has the current state"},
	market.ReasonWatcherHalted:       {"the watcher has stopped until the operator resolves the cause", askOperator + "; " + withoutService},
	market.ReasonFinalityViolated:    {"a finalized block has disappeared from the chain", "do not sign anything until the operator has explained this; " + askOperator},
	market.ReasonAuditMismatch:       {"the records differ from the contracts", "rely on the chain, not on the records; " + askOperator},
	market.ReasonKeeperAbsent:        {"the keeper, which sends automatic transactions, is not running", "settle due tasks yourself with `taskmarket rescue settle`"},
	market.ReasonKeeperLimit:         {"the keeper has reached its spending limit", "settle due tasks yourself with `taskmarket rescue settle`"},
	market.ReasonSettlementOverdue:   {"a task is due and has not been settled", "settle your due tasks yourself with `taskmarket rescue settle`"},
	market.ReasonDiskFull:            {"files or records cannot be written", "uploads or new records fail until the operator has restored storage; " + askOperator},
	market.ReasonDiskLow:             {"the service has little disk space left", "uploads fail until the operator has added space; links in notes and messages still work"},
	market.ReasonStarting:            {"the service is starting", "try again in a minute"},
	market.ReasonStopping:            {"the service is shutting down", "try again in a minute"},
}

// healthOf converts the health response to a finding that explains each reason.
func healthOf(h client.Health) finding {
	var what, next []string
	for _, reason := range h.Reasons {
		words, explained := reasonWords[market.HealthReason(reason)]
		if !explained {
			words = advice{"unknown reason " + string(reason), "a newer release of this program may explain it"}
		}
		what, next = append(what, words.what), append(next, words.next)
	}
	reasons, hint := strings.Join(what, "; "), strings.Join(next, "; ")
	switch h.Status {
	case gen.HealthStatusUnavailable:
		return fail(withReasons("unavailable", reasons), orElse(hint, "try again later; "+withoutService))
	case gen.HealthStatusDegraded:
		return warn(withReasons("degraded", reasons), orElse(hint, "records may be out of date; try failed requests again"))
	case gen.HealthStatusOK:
		return ok("healthy")
	}
	return warn(withReasons("unknown status "+string(h.Status), reasons), orElse(hint, "a newer release of this program may explain it"))
}

func withReasons(state, reasons string) string {
	if reasons == "" {
		return state
	}
	return state + ": " + reasons
}

func orElse(hint, otherwise string) string {
	if hint == "" {
		return otherwise
	}
	return hint
}
