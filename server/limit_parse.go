package server

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseLimit reads a limit as rate:burst, for example 60/min:20.
func ParseLimit(text string) (Limit, error) {
	rateText, burstText, _ := strings.Cut(text, ":")
	count, period, err := parseRate(rateText)
	if err != nil {
		return Limit{}, err
	}
	burst, err := strconv.ParseInt(burstText, 10, 32)
	if err != nil {
		return Limit{}, fmt.Errorf("limit %q does not end with :burst, for example 60/min:20", text)
	}
	limit := Limit{Count: count, Period: period, Burst: int(burst)}
	return limit, limit.check()
}
