package server_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// zoned matches tests that compare the times of windows, sessions, challenges and activities. The databases of
// all tests already use the time zone of TestThreat126ServersInAnyTimeZoneAgree.
const zoned = "^(TestTaskFromCreationToPayment|TestThreat58SessionLifetime|TestThreat27ChallengeExpires|TestFeedBoundsAreStrict|TestThreat54WindowsUseChainTime)$"

// A server whose machine is 14 hours ahead of UTC returns the same times and closes the same windows.
func TestThreat126ServersInAnyTimeZoneAgree(t *testing.T) {
	t.Parallel()
	const zone = "Pacific/Kiritimati"
	if _, err := time.LoadLocation(zone); err != nil {
		t.Fatal(err) // without the zone, the process would use UTC
	}
	self := exec.CommandContext(t.Context(), os.Args[0], "-test.run", zoned, "-test.v")
	self.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TZ=") }), "TZ="+zone)
	out, err := self.CombinedOutput()
	if passed := strings.Count(string(out), "\n--- PASS: "); err != nil || passed != strings.Count(zoned, "|")+1 {
		t.Errorf("%d tests passed, %v:\n%s", passed, err, out)
	}
}

// roundTrip is a JavaScript program that creates tasks with amounts above 2^53, reads them back, checks
// that each number in the responses is exact, and prints the list of tasks as it read it.
const roundTrip = `
const [api, key, ...amounts] = process.argv.slice(1)
const ask = async (method, path, body) => {
  const response = await fetch(api + path, { method, body: body && JSON.stringify(body), headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } })
  if (!response.ok) throw new Error(method + ' ' + path + ' = ' + response.status + ' ' + (await response.text()))
  return response.json()
}
const check = (value, path) => {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) throw new Error(path + ' is not exact: ' + value)
  if (value && typeof value === 'object') for (const [name, member] of Object.entries(value)) check(member, path + '.' + name)
}
for (const amount of amounts) {
  const made = await ask('POST', '/tasks/', { title: 'T', description: 'D', escrow_amount: amount })
  const read = await ask('GET', '/tasks/' + made.id)
  if (made.escrow_amount !== amount || read.escrow_amount !== amount) throw new Error('created ' + amount + ', read ' + read.escrow_amount)
  check(read, 'task')
}
for (const path of ['/agents/me', '/config/contracts', '/activity', '/agents/claims']) check(await ask('GET', path), path)
const list = await ask('GET', '/tasks/?scope=mine')
check(list, 'list')
console.log(JSON.stringify(list))
`

// JavaScript reads numbers as 64-bit floating-point numbers. It loses no precision, because responses contain
// amounts and on-chain ids as strings.
func TestThreat128AmountsAreExactInJavaScript(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	amounts := []string{"10000000000000001", "9007199254740993000001", "79228162514264337593543950335"} // the last is 2^96 - 1
	node := exec.CommandContext(t.Context(), "node", append([]string{"--input-type=module", "-e", roundTrip, r.url + "/api/v1", agent.key}, amounts...)...)
	var stderr bytes.Buffer
	node.Stderr = &stderr
	printed, err := node.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, &stderr)
	}
	sent := r.do("GET", "/api/v1/tasks/?scope=mine", "", "X-API-Key", agent.key)
	if diff := cmp.Diff(numbers(t, []byte(sent.body)), numbers(t, printed)); diff != "" {
		t.Errorf("JavaScript reads a different list (-sent +read):\n%s", diff)
	}
}

// numbers decodes JSON, but keeps numbers as they are written.
func numbers(t *testing.T, text []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("decode %s: %v", text, err)
	}
	return value
}
