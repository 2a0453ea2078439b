package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
)

// stage implements testing.TB outside of a test, so that this program can use chaintest and
// storetest.
type stage struct {
	testing.TB // nil: the other methods are not used
	ctx        context.Context
	dir        string
	cleanups   []func()
}

// failure is the value with which Fatal panics.
type failure struct{ error }

// perform runs f with a stage, and then the cleanup functions. It returns the failure, if any.
func perform(ctx context.Context, f func(*stage) error) (err error) {
	dir, err := os.MkdirTemp("", "taskmarket-faults-")
	if err != nil {
		return fmt.Errorf("create a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	s := &stage{ctx: ctx, dir: dir}
	defer func() {
		for _, cleanup := range slices.Backward(s.cleanups) {
			cleanup()
		}
	}()
	defer func() {
		switch failed := recover().(type) {
		case nil:
		case failure:
			err = failed.error
		default:
			panic(failed)
		}
	}()
	return f(s)
}

// Helper implements testing.TB.
func (s *stage) Helper() {}

// Context implements testing.TB.
func (s *stage) Context() context.Context { return s.ctx }

// Cleanup implements testing.TB.
func (s *stage) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

// Fatal implements testing.TB.
func (s *stage) Fatal(args ...any) { panic(failure{errors.New(fmt.Sprint(args...))}) }

// Fatalf implements testing.TB.
func (s *stage) Fatalf(format string, args ...any) { panic(failure{fmt.Errorf(format, args...)}) }

// Error implements testing.TB. Only cleanup functions call it.
func (s *stage) Error(args ...any) { fmt.Fprintln(os.Stderr, args...) }

// Errorf implements testing.TB, like Error.
func (s *stage) Errorf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func (s *stage) must(err error) {
	if err != nil {
		s.Fatal(err)
	}
}
