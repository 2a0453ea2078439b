package market

import (
	"strconv"
	"strings"
	"time"
)

// FormatDuration formats a duration in words, with seconds as the smallest unit, for example "24
// hours", "37 days" or "1 hour 30 minutes". Durations up to 72 hours are formatted in hours,
// because "3 days" could be misread as calendar days.
func FormatDuration(d time.Duration) string {
	var parts []string
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if unit.name == "day" && d <= 72*time.Hour {
			continue
		}
		n := int64(d / unit.size)
		d %= unit.size
		switch {
		case n == 1:
			parts = append(parts, "1 "+unit.name)
		case n > 1:
			parts = append(parts, strconv.FormatInt(n, 10)+" "+unit.name+"s")
		}
	}
	if parts == nil {
		return "0 seconds"
	}
	return strings.Join(parts, " ")
}

// roundUp rounds d up to whole seconds.
func roundUp(d time.Duration) time.Duration {
	return (d + time.Second - 1).Truncate(time.Second)
}
