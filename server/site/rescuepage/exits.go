package rescuepage

import (
	"encoding/json"
	"slices"
	"strings"

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

// facts returns the constants for the script: the exits, and the time windows in seconds.
func facts() ([]byte, error) {
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
	list, err := json.Marshal(exits)
	if err != nil {
		return nil, err
	}
	windows, err := json.Marshal(map[string]int64{
		"settleDelay": int64(market.SettleDelay.Seconds()), "emergencyDelay": int64(market.EmergencyDelay.Seconds()),
	})
	if err != nil {
		return nil, err
	}
	return []byte("const exits = " + string(list) + "\nconst windows = " + string(windows) + "\n"), nil
}
