package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"taskmarket/cmd/taskmarketd/internal/diskspace"
	"taskmarket/market"
	"taskmarket/store/schema"
)

const (
	diskInterval = 30 * time.Second
	diskTimeout  = 10 * time.Second
	// diskProbeBytes is the size of the probe file. It is large because a nearly full file system
	// may still accept a few bytes.
	diskProbeBytes = 256 << 10
)

// disk checks periodically whether the blob store and the database accept writes, and whether the
// blob store has enough free space.
type disk struct {
	service *service
	name    string // name of the probe file; a UUID, so that the cleanup removes a leftover file
	full    atomic.Bool
	scarce  atomic.Bool // whether the space was low at the last probe
}

// problems returns the health problems that the last probe found.
func (d *disk) problems(context.Context) []market.HealthReason {
	var reasons []market.HealthReason
	if d.full.Load() {
		reasons = append(reasons, market.ReasonDiskFull)
	}
	if d.scarce.Load() {
		reasons = append(reasons, market.ReasonDiskLow)
	}
	return reasons
}

// low reports whether the file system of the blob store has less free space than configured. It
// returns false for a blob store without a folder, and if the space cannot be read.
func (d *disk) low() bool {
	folder := diskspace.FolderOf(d.service.config.BlobURL)
	if folder == "" || d.service.config.tuning.FilesMinFree <= 0 {
		return false
	}
	free, err := diskspace.Free(folder)
	return err == nil && free < uint64(d.service.config.tuning.FilesMinFree)
}

// run probes the blob store and the database at the interval until ctx ends.
func (d *disk) run(ctx context.Context, interval time.Duration) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		err := d.probe(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			d.service.log.ErrorContext(ctx, "a test write failed; until it succeeds, files or records are rejected", slog.Any("err", err))
		}
		d.full.Store(err != nil)
		if low := d.low(); d.scarce.Swap(low) != low {
			d.service.log.WarnContext(ctx, "the free space for files crossed the limit of uploads", slog.Bool("uploads_refused", low))
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// probe writes a file and a database row. It ignores an unavailable database, which another health
// check reports.
func (d *disk) probe(ctx context.Context) error {
	return errors.Join(d.probeRows(ctx), d.probeFiles(ctx))
}

func (d *disk) probeRows(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, diskTimeout)
	defer cancel()
	if err := d.service.store.Schema.ProbeWrite(ctx); errors.Is(err, schema.ErrDiskFull) {
		return err
	}
	return nil
}

func (d *disk) probeFiles(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, diskTimeout)
	defer cancel()
	if err := d.service.files.WriteAll(ctx, d.name, make([]byte, diskProbeBytes), nil); err != nil {
		return fmt.Errorf("write a file: %w", err)
	}
	if err := d.service.files.Delete(ctx, d.name); err != nil {
		return fmt.Errorf("delete a file: %w", err)
	}
	return nil
}
