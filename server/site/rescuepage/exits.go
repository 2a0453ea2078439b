package rescuepage

import (
	"encoding/json"

	"taskmarket/market"
)

// exit is a market.Exit, encoded for the page's script.
type exit struct {
	Call     string        `json:"call"`
	Parties  []market.Role `json:"parties"`
	In       []int         `json:"in"` // not []market.ChainStatus: JSON encodes uint8 slices as base64
	Name     string        `json:"name"`
	WorkHash bool          `json:"workHash"`
	Does     string        `json:"does"`
}

// facts returns the constants for the script: the exits, and the time windows in seconds.
func facts() ([]byte, error) {
	var exits []exit
	for _, e := range market.Exits() {
		if e.Button == "" {
			continue
		}
		var in []int
		for _, status := range e.From {
			in = append(in, int(status))
		}
		exits = append(exits, exit{e.Function, e.Parties, in, e.Button, e.WorkHash, e.Effect})
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
