package rescuepage

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/market"
)

// exit is a market.Act that is a call to the escrow, encoded for the page's script.
type exit struct {
	Call     string                 `json:"call"`
	In       []int                  `json:"in"` // not []market.ChainStatus: JSON encodes uint8 slices as base64
	Name     string                 `json:"name"`
	WorkHash bool                   `json:"workHash"`
	Effects  map[market.Role]string `json:"effects"` // of the parties that get a button
}

// facts returns the constants for the script: the exits, the time windows in seconds, and the selectors of the
// functions that the exits and the scripts name.
func facts(scripts []byte) ([]byte, error) {
	var exits []exit
	for _, act := range market.Acts() {
		if act.Function == "" {
			continue
		}
		e := exit{
			Call: act.Function, Name: strings.ToUpper(act.Does[:1]) + act.Does[1:], WorkHash: strings.Contains(act.Function, "bytes32"),
			Effects: map[market.Role]string{},
		}
		for _, status := range act.ChainStatuses() {
			e.In = append(e.In, int(status))
		}
		for _, party := range []market.Role{market.RoleAgent, market.RoleHuman} {
			if slices.Contains(act.Parties, party) {
				e.Effects[party] = act.Effect(party)
			}
		}
		exits = append(exits, e)
	}
	selectors := make(map[string]string)
	for _, name := range functionNames(exits, scripts) {
		selectors[name] = hexutil.Encode(crypto.Keccak256([]byte(name))[:4])
	}
	var script []byte
	for _, constant := range []struct {
		name  string
		value any
	}{
		{"exits", exits},
		{"windows", map[string]int64{"settleDelay": int64(market.SettleDelay.Seconds()), "emergencyDelay": int64(market.EmergencyDelay.Seconds())}},
		{"selectors", selectors},
	} {
		value, err := json.Marshal(constant.value)
		if err != nil {
			return nil, err
		}
		script = fmt.Appendf(script, "const %s = %s\n", constant.name, value)
	}
	return script, nil
}

var functionName = regexp.MustCompile(`'(\w+\([\w,\[\]]*\))'`)

// functionNames returns the signatures of the contracts' functions in the exits and in the scripts.
func functionNames(exits []exit, scripts []byte) []string {
	var names []string
	for _, e := range exits {
		names = append(names, e.Call)
	}
	for _, match := range functionName.FindAllSubmatch(scripts, -1) {
		names = append(names, string(match[1]))
	}
	return names
}
