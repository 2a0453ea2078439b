package metrics

import (
	"context"
	"io"
	"time"

	"taskmarket/server/content"
)

// The results of a scan for malware.
const (
	scanClean  = "clean"
	scanFound  = "found"
	scanFailed = "failed"
)

// Scanner measures the scans of a malware scanner.
func (m *Metrics) Scanner(next content.Scanner) content.Scanner {
	for _, result := range []string{scanClean, scanFound, scanFailed} {
		m.scans.WithLabelValues(result) // exports 0, so that rate() includes the first scan
	}
	return scanner{m, next}
}

type scanner struct {
	metrics *Metrics
	next    content.Scanner
}

// Scan implements content.Scanner. A scan that ends because the client has disconnected is not measured.
func (s scanner) Scan(ctx context.Context, file io.Reader) (found bool, err error) {
	began := time.Now()
	found, err = s.next.Scan(ctx, file)
	result := scanClean
	switch {
	case err != nil && ctx.Err() != nil:
		return found, err
	case err != nil:
		result = scanFailed
	case found:
		result = scanFound
	}
	s.metrics.scans.WithLabelValues(result).Observe(time.Since(began).Seconds())
	return found, err
}
