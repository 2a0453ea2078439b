package doctor

import (
	"strings"

	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// advice is the meaning of a health reason, and what an agent does about it.
type advice struct{ what, next string }

const (
	withoutService = "urgent actions work without the service: `taskmarket rescue`"
	askOperator    = "report it to the operator of the service"
)

// reasonWords explain the health reasons.
var reasonWords = map[market.HealthReason]advice{
	market.ReasonDatabaseUnavailable: {"its database does not answer", "try again in a few minutes; " + withoutService},
	market.ReasonNodeUnavailable:     {"it cannot reach a node of the chain", "what needs the chain must be tried again later; what it shows may be old"},
	market.ReasonChainLagging:        {"it is far behind the chain", "wait before you decide by what it shows; your own node has the current state"},
	market.ReasonWatcherHalted:       {"it has stopped following the chain until its operator acts", askOperator + "; " + withoutService},
	market.ReasonFinalityViolated:    {"its nodes no longer have a block that was final", "do not sign anything until the operator has explained it; " + askOperator},
	market.ReasonAuditMismatch:       {"its records differ from the contracts", "trust the chain, not what it shows; " + askOperator},
	market.ReasonKeeperAbsent:        {"nothing performs the automatic transactions, such as settling", "settle a task that is due yourself: `taskmarket rescue settle`"},
	market.ReasonKeeperLimit:         {"the automatic transactions have reached their spending limit", "settle a task that is due yourself: `taskmarket rescue settle`"},
	market.ReasonSettlementOverdue:   {"a task is due and has not been settled", "settle a task of yours that is due: `taskmarket rescue settle`"},
	market.ReasonDiskFull:            {"it cannot store files or records, because its disk is full", "uploads and new records fail until there is room; " + askOperator},
	market.ReasonStarting:            {"it is starting", "try again in a minute"},
	market.ReasonStopping:            {"it is shutting down", "try again in a minute"},
}

// healthOf converts the health response to a finding, with the meaning of each reason.
func healthOf(h client.Health) finding {
	var what, next []string
	for _, reason := range h.Reasons {
		words, known := reasonWords[market.HealthReason(reason)]
		if !known {
			words = advice{"it names a reason that this program does not know: " + string(reason), "a newer release of this program may explain it"}
		}
		what, next = append(what, words.what), append(next, words.next)
	}
	said, hint := strings.Join(what, "; "), strings.Join(next, "; ")
	switch h.Status {
	case gen.HealthStatusUnavailable:
		return fail(withReasons("it cannot serve at present", said), orElse(hint, "try again later; "+withoutService))
	case gen.HealthStatusDegraded:
		return warn(withReasons("it is degraded", said), orElse(hint, "what it shows may be old; what needs the chain may have to be tried again"))
	case gen.HealthStatusOK:
	}
	return ok("it answers and is well")
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
