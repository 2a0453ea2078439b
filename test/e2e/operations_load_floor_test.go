//go:build operations

package e2e_test

import (
	"database/sql"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"taskmarket/test/process"
)

// The floor is a server that only runs one statement for each request. It is this program,
// started again with these variables, so that both servers are separate processes.
const (
	floorDatabase = "TASKMARKET_LOAD_FLOOR_DATABASE"
	floorListen   = "TASKMARKET_LOAD_FLOOR_LISTEN"
	// floorConnections is the size of its connection pool, the same as the server's.
	floorConnections = 20
	// floorStatement returns the first page of the board.
	floorStatement = `
		SELECT json_agg(b) FROM (
			SELECT t.id, t.title, t.description, t.skills, t.location, t.remote, t.amount, t.status, t.created_at, u.username
			FROM tasks t JOIN users u ON u.id = t.agent_id
			WHERE t.status = 'funded'
			ORDER BY t.created_at DESC, t.id DESC
			LIMIT 21) b`
)

func init() {
	if url := os.Getenv(floorDatabase); url != "" {
		log.Fatal(serveFloor(url, os.Getenv(floorListen)))
	}
}

func serveFloor(url, listen string) error {
	db, err := sql.Open("postgres", url)
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(floorConnections)
	db.SetMaxIdleConns(floorConnections)
	server := &http.Server{Addr: listen, ReadHeaderTimeout: headerTimeout, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var page []byte
		if err := db.QueryRowContext(r.Context(), floorStatement).Scan(&page); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(page)
	})}
	return server.ListenAndServe()
}

// startFloor starts the floor, which ends with the test.
func (l *loadWorld) startFloor(databaseURL string) {
	l.t.Helper()
	listen := address(freePort(l.t))
	program, err := os.Executable()
	l.must(err)
	floor, err := process.Start(process.Spec{
		Name: "floor", Path: program, Log: filepath.Join(l.dir, "floor.log"),
		Env: append(os.Environ(), floorDatabase+"="+databaseURL, floorListen+"="+listen),
	})
	l.must(err)
	l.t.Cleanup(func() { _ = floor.Stop() })
	l.floor = "http://" + listen
	for end := time.Now().Add(30 * time.Second); l.askFloor(nil).failure != ""; l.pause("start the floor") {
		if time.Now().After(end) || floor.Err() != nil {
			l.t.Fatalf("start the floor: %v: %s", floor.Err(), floor.LogTail())
		}
	}
}

func (l *loadWorld) askFloor(*rand.Rand) sendResult {
	request, err := http.NewRequestWithContext(l.ctx, http.MethodGet, l.floor, http.NoBody)
	if err != nil {
		return sendResult{failure: err.Error()}
	}
	result, _ := l.exchange(l.browser, request)
	return result
}
