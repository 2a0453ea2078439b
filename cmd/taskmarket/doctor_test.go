package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"

	"taskmarket/client"
	"taskmarket/client/doctor"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
	"taskmarket/market"
)

func TestDoctorFindsNoFault(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	var got struct{ Checks []doctor.Result }
	u.run("doctor", "--json").ok().json(&got)
	for _, c := range got.Checks {
		if c.Status != doctor.OK {
			t.Errorf("%+v", c)
		}
	}
	if len(got.Checks) != len(doctor.Checks()) {
		t.Errorf("%d of %d checks were made", len(got.Checks), len(doctor.Checks()))
	}
	table := u.run("doctor").ok().stdout
	for _, name := range doctor.Checks() {
		if !strings.Contains(table, "\n"+name+" ") {
			t.Errorf("the table lacks %s:\n%s", name, table)
		}
	}
}

// Unlike the other commands, the doctor command also runs with an invalid configuration, and reports
// the error.
func TestDoctorConfiguration(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	clitest.Must(t, cli.WriteConfig(u.configPath(), map[string]string{cli.SettingAPIKey: "tmk_" + "secret"}))
	clitest.Must(t, os.Chmod(u.configPath(), 0o644))
	shared := u.run("doctor").ended(cli.ExitFailed).wantStderr("checks failed: configuration").wantStderr("hint: ")
	wantGolden(t, "doctor-shared-file.txt", u.stable(shared.stdout))
	if strings.Contains(shared.stdout+shared.stderr, "secret") {
		t.Error("the doctor shows the key")
	}
	clitest.Must(t, os.Chmod(u.configPath(), 0o600))
	u.run("doctor").ended(cli.ExitFailed).wantStderr("checks failed: api, node")
	u.set("ESCROW_ADDRESS", "here")
	u.run("doctor").ended(cli.ExitFailed).wantStderr("checks failed: configuration")
}

// The doctor prints the wallet's address, but neither the private key nor the API key in the node's
// URL.
func TestDoctorShowsNoSecrets(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	u.set("RPC_URL", "http://127.0.0.1:1/v2/key-of-a-provider")
	r := u.run("doctor").ended(cli.ExitFailed).wantStderr("checks failed: node")
	output := r.stdout + r.stderr
	if !strings.Contains(output, u.wallet.Address().Hex()) {
		t.Errorf("the wallet is not named: %s", output)
	}
	for _, secret := range []string{"key-of-a-provider", u.env["TASKMARKET_API_KEY"], u.env["TASKMARKET_PRIVATE_KEY"]} {
		if strings.Contains(output, secret) {
			t.Errorf("the doctor shows %s", secret)
		}
	}
}

// The doctor prints a warning for an unfinished operation in the journal.
func TestDoctorJournal(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	task := uuid.New()
	flow := client.Flow{Key: "k", Action: market.ActionCancel, Wallet: u.wallet.Address(), TaskID: &task}
	journal, err := cli.New(u.streams(nil, nil), u.environ()).Flows(u.wallet.Address())
	clitest.Must(t, err)
	unlock, err := journal.Lock(t.Context(), flow.Key)
	clitest.Must(t, err)
	clitest.Must(t, journal.Save(t.Context(), &flow))
	unlock()
	var got struct{ Checks []doctor.Result }
	u.run("doctor", "--json").ok().json(&got)
	last := got.Checks[len(got.Checks)-1]
	if last.Name != "journal" || last.Status != doctor.Warn || !strings.Contains(last.Message, "1 unfinished operation: cancel-task "+task.String()) {
		t.Errorf("the check of the journal returns %+v", last)
	}
}
