package localpg

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// StandbySignal is the file that makes a server start from a backup as a standby. RecoverySignal makes the
// server recover to a target and then accept writes.
const (
	StandbySignal  = "standby.signal"
	RecoverySignal = "recovery.signal"
)

// transient lists the directories whose contents a base backup omits, and ownFiles the files that it
// omits.
var (
	transient    = []string{"pg_wal", "pg_replslot", "pg_dynshmem", "pg_notify", "pg_serial", "pg_snapshots", "pg_stat_tmp", "pg_subtrans"}
	processFiles = []string{"postmaster.pid", "postmaster.opts"}
)

// Backup writes a base backup of the running cluster to dir, where Start with the same Dir then
// runs a second server. signal and settings, such as primary_conninfo, select how that server
// starts. The settings are part of the backup, so that ALTER SYSTEM can change them.
//
// Backup uses the functions of PostgreSQL 15 or later instead of pg_basebackup, which the npm
// package does not contain.
func (c *Cluster) Backup(ctx context.Context, dir, signal string, settings ...string) error {
	target, err := newServer(filepath.Join(dir, "pg"), "")
	if err != nil {
		return err
	}
	db, err := sql.Open("postgres", c.URL("postgres"))
	if err != nil {
		return fmt.Errorf("open the cluster: %w", err)
	}
	defer db.Close()
	conn, err := db.Conn(ctx) // one connection for the whole backup, because PostgreSQL aborts the backup when the connection closes
	if err != nil {
		return fmt.Errorf("connect to the cluster: %w", err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, `SELECT pg_backup_start('localpg', fast => true)`); err != nil {
		return fmt.Errorf("start the backup: %w", err)
	}
	if err := target.copyData(c.server.data()); err != nil {
		return err
	}
	var label string
	if err := conn.QueryRowContext(ctx, `SELECT labelfile FROM pg_backup_stop()`).Scan(&label); err != nil {
		return fmt.Errorf("stop the backup: %w", err)
	}
	return errors.Join(
		target.add("backup_label", label), target.add(signal, ""),
		target.add("postgresql.auto.conf", strings.Join(settings, "\n")+"\n"),
		os.WriteFile(filepath.Join(target.home, "password"), []byte(c.password), 0o600),
	)
}

// copyData copies a data directory that a server may be changing. Replaying the write-ahead log repairs
// files that changed during the copy.
func (s server) copyData(from string) error {
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		name := strings.TrimPrefix(strings.TrimPrefix(path, from), "/")
		switch {
		case errors.Is(err, fs.ErrNotExist): // the server has deleted it
			return nil
		case err != nil:
			return err
		case entry.IsDir():
			err = errors.Join(os.Mkdir(filepath.Join(s.data(), name), 0o700), give(s.user, filepath.Join(s.data(), name)))
			if err == nil && slices.Contains(transient, name) {
				return fs.SkipDir
			}
			return err
		case slices.Contains(processFiles, name):
			return nil
		}
		in, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		defer in.Close()
		return s.append(name, in)
	})
	if err != nil {
		return fmt.Errorf("copy PostgreSQL's data directory: %w", err)
	}
	return nil
}

// add appends text to a file of the data directory.
func (s server) add(name, text string) error { return s.append(name, strings.NewReader(text)) }

// append appends to a file of the data directory, and makes the server's user the owner of the file.
func (s server) append(name string, from io.Reader) error {
	path := filepath.Join(s.data(), name)
	out, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, from)
	return errors.Join(err, out.Close(), give(s.user, path))
}
