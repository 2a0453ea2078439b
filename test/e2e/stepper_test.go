package e2e_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"sync"
	"testing"
)

// stepper is a proxy between a program and all its servers. It counts the program's requests, and
// kills it at one of them.
type stepper struct {
	mu    sync.Mutex
	proc  *exec.Cmd
	count int
	at    int  // number of the request at which to kill; 0 for never
	after bool // kill after the response instead of before the request
	dead  bool
	last  string // description of the request at which the program was killed
}

// before returns the address of a proxy for the server.
func (s *stepper) before(tb testing.TB, server string) string {
	tb.Helper()
	target, err := url.Parse(server)
	if err != nil {
		tb.Fatal(err)
	}
	upstream := httputil.NewSingleHostReverseProxy(target)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = target.Host
		s.serve(upstream, w, r)
	}))
	tb.Cleanup(proxy.Close)
	return proxy.URL
}

func (s *stepper) serve(upstream http.Handler, w http.ResponseWriter, r *http.Request) {
	goes, doomed := s.step(r)
	if !goes {
		panic(http.ErrAbortHandler)
	}
	// A request that was sent takes effect even if its program is killed.
	answer := httptest.NewRecorder()
	upstream.ServeHTTP(answer, r.WithContext(context.WithoutCancel(r.Context())))
	if doomed != nil {
		kill(doomed)
		panic(http.ErrAbortHandler)
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

// step counts a request. goes reports whether to forward it, and doomed whether to kill the program
// after the response. If the program is to be killed before the request is sent, step kills it.
func (s *stepper) step(r *http.Request) (goes bool, doomed *exec.Cmd) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return false, nil
	}
	s.count++
	if s.count != s.at {
		return true, nil
	}
	s.dead, s.last = true, r.Method+" "+r.URL.Path
	if s.after {
		return true, s.proc
	}
	kill(s.proc)
	return false, nil
}

func kill(program *exec.Cmd) {
	_ = program.Process.Kill() // the error is ignored: run detects a program that has already ended
}

// run runs the program until it ends or is killed at the request with the number at; 0 means no
// kill. Any other failure is an error with the program's output.
func (s *stepper) run(ctx context.Context, program *exec.Cmd, at int, after bool) (killed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	var output bytes.Buffer
	if program.Stderr = &output; program.Stdout == nil {
		program.Stdout = &output
	}
	s.mu.Lock()
	s.proc, s.count, s.at, s.after, s.dead = program, 0, at, after, false
	err = program.Start()
	s.mu.Unlock()
	if err != nil {
		return false, err
	}
	overdue := context.AfterFunc(ctx, func() { kill(program) })
	err = program.Wait()
	overdue()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("%w: %s", err, output.Bytes())
	}
	return false, nil
}
