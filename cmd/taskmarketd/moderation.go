package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/market"
	"taskmarket/server/content"
	"taskmarket/server/restorelist"
	"taskmarket/server/screening"
)

// restoreListInterval is the pause between two updates of the list of suspensions and erasures in the
// file store.
const restoreListInterval = 10 * time.Second

// scanner returns the malware scanner for uploaded files, or nil if none is configured.
func (c config) scanner() (content.Scanner, error) {
	if c.FileScanner == "" {
		return nil, nil //nolint:nilnil // files are not scanned
	}
	return content.ParseScanner(c.FileScanner)
}

// startModeration watches the screening file, and periodically updates the restore list in the file
// store. An update adds the suspensions, the ends of suspensions and the erasures that the list lacks. An
// erasure is normally added by its request, unless the file store was unavailable.
func (s *service) startModeration(working context.Context, group *errgroup.Group) {
	group.Go(func() error {
		s.noteRules(working)
		s.screen.Watch(working, s.log, s.noteRules)
		return nil
	})
	group.Go(func() error {
		return s.runPeriodically(working, restoreListInterval, metrics.JobRestoreList, func(ctx context.Context) error {
			return errors.Join(restorelist.WriteSuspensions(ctx, s.files, s.store), restorelist.WriteErasures(ctx, s.files, s.store))
		})
	})
}

// noteRulesPause is the time between two attempts to record the version of the rules.
const noteRulesPause = time.Second

// noteRules records the version of the rules in the audit log, if it has changed. While the database is busy or
// unavailable, it tries again until ctx ends.
func (s *service) noteRules(ctx context.Context) {
	for waited := false; ; waited = true {
		err := s.store.Operators.NoteRules(ctx, s.screen.Rules().Version())
		switch {
		case err == nil || ctx.Err() != nil:
			return
		case market.KindOf(err) != market.KindUnavailable:
			s.log.ErrorContext(ctx, "the version of the rules that hold tasks was not recorded", slog.Any("err", err))
			return
		case !waited:
			s.log.WarnContext(ctx, "the version of the rules that hold tasks is not recorded yet; trying again", slog.Any("err", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(noteRulesPause):
		}
	}
}

// clause returns the clause of the terms on which the rule with the given name is based.
func (s *service) clause(rule string) string {
	return cmp.Or(s.screen.Rules().ClauseOf(rule), screening.InstanceClause(rule))
}
