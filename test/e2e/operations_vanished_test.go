//go:build operations && linux

package e2e_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"taskmarket/store/storetest"
	"taskmarket/test/process"
)

const (
	// Addresses of this machine and of the other one, from the range reserved for tests (RFC 2544).
	ownAddress, otherAddress = "198.18.55.1", "198.18.55.2"
	otherPort                = 5432

	// vanishedTime is the longest time from the promotion of the standby to the next acknowledged write,
	// if the machine of the primary disappeared. docs/operations.md states it.
	vanishedTime = 20 * time.Second
)

// machine is a network namespace with a virtual network cable to this machine. HAProxy in the namespace
// forwards its port to the primary.
type machine struct {
	t          *testing.T
	name, host string // of the namespace, and of this machine's end of the cable
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t, name: fmt.Sprintf("taskmarket-%d", os.Getpid()), host: fmt.Sprintf("tm%d", os.Getpid())}
	t.Cleanup(func() { _ = m.ip("netns", "delete", m.name) }) // deletes the cable too
	for _, command := range [][]string{
		{"netns", "add", m.name},
		{"link", "add", m.host, "type", "veth", "peer", "name", "cable", "netns", m.name},
		{"address", "add", ownAddress + "/30", "dev", m.host},
		{"link", "set", m.host, "up"},
		{"-n", m.name, "address", "add", otherAddress + "/30", "dev", "cable"},
		{"-n", m.name, "link", "set", "cable", "up"},
	} {
		must(t, m.ip(command...))
	}
	return m
}

func (m *machine) ip(args ...string) error {
	if output, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s (this test needs root and the package iproute2)", strings.Join(args, " "), err, output)
	}
	return nil
}

// serve forwards connections from the machine's port to the port on this machine.
func (m *machine) serve(port int) {
	m.t.Helper()
	root, err := process.ModuleRoot()
	must(m.t, err)
	dir, engines := openDir(m.t), filepath.Join(root, ".dev", "debian")
	settings := filepath.Join(dir, "haproxy.cfg")
	must(m.t, os.WriteFile(settings, fmt.Appendf(nil, `
defaults
	mode tcp
	timeout connect 2s
	timeout client 1h
	timeout server 1h
listen primary
	bind %s:%d
	server primary %s:%d
`, otherAddress, otherPort, ownAddress, port), 0o600))
	proxy, err := process.Start(process.Spec{
		Name: "haproxy", Path: "ip", Args: []string{"netns", "exec", m.name, filepath.Join(engines, "usr", "sbin", "haproxy"), "-db", "-f", settings},
		Log: filepath.Join(dir, "haproxy.log"), Env: append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(engines, "usr", "lib", "x86_64-linux-gnu")),
	})
	must(m.t, err)
	m.t.Cleanup(func() { _ = proxy.Kill() })
}

// vanish unplugs the machine. No packet closes the connections.
func (m *machine) vanish() error { return m.ip("-n", m.name, "link", "set", "cable", "down") }

// TestOperationsVanishedPrimary: the machine with the primary disappears during writes, without closing
// its connections. The servers, whose connections to it stay open, detect this and use the promoted
// standby without a restart. No acknowledged write is lost.
func TestOperationsVanishedPrimary(t *testing.T) {
	m := newMachine(t)
	access := filepath.Join(openDir(t), "pg_hba.conf")
	must(t, os.WriteFile(access, []byte("host all,replication all 0.0.0.0/0 scram-sha-256\n"), 0o644))
	p := newPair(t, true, "listen_addresses=*", "hba_file="+access)
	m.serve(p.primary.Port())
	on := p.site()
	on.database = strings.NewReplacer("127.0.0.1,127.0.0.1", otherAddress+",127.0.0.1",
		fmt.Sprintf("port=%d,", p.primary.Port()), fmt.Sprintf("port=%d,", otherPort)).Replace(on.database)
	on.extra = append(on.extra, "TASKMARKET_PLAINTEXT_HOSTS="+otherAddress)
	w := newWorldOn(t, failoverTimeout, on)
	defer w.end()
	clients := w.startWriters(0)
	w.must(clients.awaitWrite(time.Now()))
	time.Sleep(5 * time.Second) // wait until the pool has several connections

	w.must(errors.Join(m.vanish(), p.fail()))
	promoted := time.Now()
	w.must(clients.awaitWrite(promoted))
	recovered := time.Since(promoted)
	written := clients.stop()
	t.Logf("%d writes; %s from the promotion to the next write", len(written), recovered)
	if recovered > vanishedTime {
		t.Errorf("the servers recovered %s after the promotion, want at most %s", recovered, vanishedTime)
	}
	w.records = storetest.Open(t, p.standby.URL(databaseName))
	if lost := w.missing(w.records, written); len(lost) > 0 {
		t.Errorf("%d of %d acknowledged writes are lost", len(lost), len(written))
	}
}
