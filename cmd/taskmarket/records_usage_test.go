package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
)

// Commands reject invalid arguments before they send a request to the API.
func TestWrongUsageOfRecords(t *testing.T) {
	u := newUser(t)
	u.set("API_URL", "http://127.0.0.1:1") // an address at which no server listens
	u.set("API_KEY", "tm_"+"none")
	big := filepath.Join(u.dir, "big")
	clitest.Must(t, os.WriteFile(big, nil, 0o600))
	clitest.Must(t, os.Truncate(big, 25<<20+1))
	for name, c := range map[string]struct {
		args       []string
		stdin      string
		wantStderr string
	}{
		"no task":                     {[]string{"get-task"}, "", "TASK is missing"},
		"a word instead of an id":     {[]string{"get-task", "mine"}, "", "is not the id of a task"},
		"an id in braces":             {[]string{"get-task", "{" + someID + "}"}, "", "is not the id of a task"},
		"an unknown scope":            {[]string{"list-tasks", "--scope", "all"}, "", "must be one of mine, board"},
		"an unknown status":           {[]string{"list-tasks", "--status", "funded,gone"}, "", `--status "gone": must be one of new, funded`},
		"an unknown order":            {[]string{"list-tasks", "--sort", "title"}, "", "must be one of newest"},
		"a page number too high":      {[]string{"list-tasks", "--page", "51"}, "", "--page 51: must be from 1 to 50"},
		"a page size too large":       {[]string{"list-tasks", "--page-size", "101"}, "", "must be from 1 to 100"},
		"a page size of zero":         {[]string{"list-tasks", "--page-size", "0"}, "", "must be from 1 to 100"},
		"--page with --cursor":        {[]string{"list-tasks", "--page", "2", "--cursor", "x"}, "", "cannot be combined"},
		"--limit without --all":       {[]string{"list-tasks", "--limit", "5"}, "", "--limit requires --all"},
		"--all with --page-size":      {[]string{"list-tasks", "--all", "--page-size", "5"}, "", "use --limit"},
		"an invalid rating filter":    {[]string{"search-humans", "--min-rating", "7"}, "", "must be from 1 to 5"},
		"an unknown activity type":    {[]string{"activity", "--type", "party"}, "", "must be one of task, application"},
		"an invalid time":             {[]string{"activity", "--after", "yesterday"}, "", "is not a time"},
		"a review without rating":     {[]string{"create-review", someID}, "", "--rating is missing"},
		"a rating too high":           {[]string{"create-review", someID, "--rating", "6"}, "", "must be from 1 to 5"},
		"an empty comment":            {[]string{"create-review", someID, "--rating", "5", "--comment", ""}, "", "the comment is empty"},
		"an empty message":            {[]string{"send-message", someID, " "}, "", "the message is empty"},
		"a message too long":          {[]string{"send-message", someID, strings.Repeat("ä", 4001)}, "", "longer than 4000 characters"},
		"endless standard input":      {[]string{"send-message", someID, "-"}, strings.Repeat("ä", 1<<20), "longer than 4000 characters"},
		"a message that is not UTF-8": {[]string{"send-message", someID, "-"}, "\xff\xfe", "UTF-16: save it as UTF-8"},
		"agent and human":             {[]string{"reviews", "--agent", someID, "--human", someID}, "", "none of the others can be"},
		"a missing file":              {[]string{"files", "upload", someID, filepath.Join(u.dir, "none")}, "", "no such file"},
		"a folder":                    {[]string{"files", "upload", someID, u.dir}, "", "is a directory"},
		"a file too large":            {[]string{"files", "upload", someID, big}, "", "the limit is 26214400"},
		"a file without a name":       {[]string{"files", "upload", someID, "-"}, "", "requires --name"},
		"no subcommand":               {[]string{"messages"}, "", "subcommand is missing: use one of accept, block, list, mute, read, reply, send, unblock, unmute, unread"},
		"an unknown folder":           {[]string{"messages", "list", "--folder", "spam"}, "", "must be one of inbox, requests, blocked"},
		"a misspelled subcommand":     {[]string{"files", "downlod"}, "", `unknown subcommand "downlod": use one of download, list, upload`},
	} {
		t.Run(name, func(t *testing.T) {
			u.t, u.stdin = t, c.stdin
			if r := u.run(c.args...).ended(cli.ExitUsage).wantStderr(c.wantStderr); r.stdout != "" || !strings.Contains(r.stderr, "\nhint: ") {
				t.Errorf("a result, or no hint: %s%s", r.stdout, r.stderr)
			}
		})
	}
}
