package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"taskmarket/test/bench/measure"
)

// profileTime is the duration of each CPU profile.
const profileTime = 6 * time.Second

// profiles serves the profiles of this process.
func profiles() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/cpu", func(w http.ResponseWriter, r *http.Request) {
		if err := pprof.StartCPUProfile(w); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		defer pprof.StopCPUProfile()
		select {
		case <-r.Context().Done():
		case <-time.After(profileTime):
		}
	})
	mux.HandleFunc("/allocs", func(w http.ResponseWriter, _ *http.Request) {
		_ = pprof.Lookup("allocs").WriteTo(w, 0) // fails only if the parent has disconnected
	})
	mux.HandleFunc("/count", func(w http.ResponseWriter, _ *http.Request) {
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		fmt.Fprintln(w, memory.Mallocs, memory.TotalAlloc, memory.NumGC)
	})
	return mux
}

// profile writes the profiles of each endpoint to the folder, and prints its cost for each request:
// the processor time of the server and of PostgreSQL, and the server's allocations.
func (s *service) profile(ctx context.Context, folder string, out io.Writer) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("create the folder of the profiles: %w", err)
	}
	for _, q := range endpoints {
		if err := s.profileEndpoint(ctx, q, folder, out); err != nil {
			return fmt.Errorf("profile %s: %w", q.name, err)
		}
	}
	return nil
}

func (s *service) profileEndpoint(ctx context.Context, q endpoint, folder string, out io.Writer) error {
	if _, err := s.queryService(ctx, q, time.Second); err != nil { // prepares statements and fills caches
		return err
	}
	prefix := filepath.Join(folder, strings.ReplaceAll(q.name, " ", "-"))
	if err := s.save(ctx, "/allocs", prefix+".allocs-before"); err != nil {
		return err
	}
	before, err := s.counts(ctx)
	if err != nil {
		return err
	}
	server, err := measure.CPU(s.proc.PID())
	if err != nil {
		return err
	}
	saved := make(chan error, 1)
	go func() { saved <- s.save(ctx, "/cpu", prefix+".cpu") }()
	cost, loadErr := s.queryService(ctx, q, profileTime)
	if err := errors.Join(loadErr, <-saved); err != nil {
		return err
	}
	after, err := s.counts(ctx)
	if err != nil {
		return err
	}
	serverAfter, err := measure.CPU(s.proc.PID())
	if err != nil {
		return err
	}
	n := cost.rate * profileTime.Seconds()
	fmt.Fprintf(out, "%s: %.0f µs, of which the server %.0f µs; %.0f allocations, %.0f bytes; %.0f requests/s; %d collections\n", q.name, cost.cpu,
		(serverAfter-server).Seconds()*1e6/n, float64(after.allocations-before.allocations)/n, float64(after.bytes-before.bytes)/n, cost.rate, after.collections-before.collections)
	return s.save(ctx, "/allocs", prefix+".allocs")
}

// counts contains the totals of the server's allocations and garbage collections.
type counts struct{ allocations, bytes, collections uint64 }

func (s *service) counts(ctx context.Context) (c counts, err error) {
	text, err := s.read(ctx, "/count")
	if err != nil {
		return c, err
	}
	_, err = fmt.Sscan(string(text), &c.allocations, &c.bytes, &c.collections)
	return c, err
}

func (s *service) save(ctx context.Context, path, file string) error {
	content, err := s.read(ctx, path)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, content, 0o644); err != nil {
		return fmt.Errorf("write a profile: %w", err)
	}
	return nil
}

func (s *service) read(ctx context.Context, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.profiles+path, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", path, err)
	}
	response, err := s.web.Do(request)
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", path, err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", path, err)
	}
	return content, nil
}
