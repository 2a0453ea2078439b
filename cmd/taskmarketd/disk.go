package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"taskmarket/market"
	"taskmarket/store"
)

const (
	diskInterval = 30 * time.Second
	diskTimeout  = 10 * time.Second
	// diskProbeBytes is what must fit beside the files: a file system may still
	// take a few bytes when it takes no file.
	diskProbeBytes = 256 << 10
)

// disk probes, in the background, whether files and rows can be written.
type disk struct {
	service *service
	name    string // of this process's probe, beside the files: a UUID, so that the sweep takes one that was left
	full    atomic.Bool
}

// problems reports the last probe.
func (d *disk) problems(context.Context) []market.HealthReason {
	if d.full.Load() {
		return []market.HealthReason{market.ReasonDiskFull}
	}
	return nil
}

// run probes until ctx ends.
func (d *disk) run(ctx context.Context, interval time.Duration) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		err := d.probe(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			d.service.log.ErrorContext(ctx, "the disk takes no writes: make room, or files and records are refused", slog.Any("err", err))
		}
		d.full.Store(err != nil)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// probe writes a file and a row. A database that is away is another problem.
func (d *disk) probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, diskTimeout)
	defer cancel()
	err := d.service.store.ProbeWrite(ctx)
	if !errors.Is(err, store.ErrDiskFull) {
		err = nil
	}
	return errors.Join(err, d.probeFiles(ctx))
}

func (d *disk) probeFiles(ctx context.Context) error {
	if err := d.service.files.WriteAll(ctx, d.name, make([]byte, diskProbeBytes), nil); err != nil {
		return fmt.Errorf("write a file: %w", err)
	}
	if err := d.service.files.Delete(ctx, d.name); err != nil {
		return fmt.Errorf("delete a file: %w", err)
	}
	return nil
}
