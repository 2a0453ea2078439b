package cli

import "testing"

func TestParseAmount(t *testing.T) {
	for text, want := range map[string]string{
		"10 TASK": "10000000000000000000", "0.5 task": "500000000000000000", "10TASK": "10000000000000000000",
		" 1.000000000000000001 TASK ": "1000000000000000001", "10": "10", "10 wei": "10", "0": "0", "007": "7",
		"-1 TASK": "", "1e18": "", "10 USD": "", "0.5": "", "0.5 wei": "", "1.0000000000000000001 TASK": "", "": "",
		"1,5 TASK": "", ".5 TASK": "", "10 TASK USD": "", "１０ TASK": "", "+1": "",
		"115792089237316195423570985008687907853269984665640564039457.584007913129639935 TASK": "115792089237316195423570985008687907853269984665640564039457584007913129639935",
		"115792089237316195423570985008687907853269984665640564039457.584007913129639936 TASK": "",
	} {
		got, err := ParseAmount(text, "TASK")
		switch {
		case want == "" && err == nil:
			t.Errorf("ParseAmount(%q) = %s, want an error", text, got)
		case want != "" && (err != nil || got.String() != want):
			t.Errorf("ParseAmount(%q) = %v, %v, want %s", text, got, err, want)
		}
	}
}

func TestParseGasPrice(t *testing.T) {
	for text, want := range map[string]string{
		"100 gwei": "100000000000", "0.5Gwei": "500000000", "1.000000001 gwei": "1000000001", "7 wei": "7",
		"100": "", "0 gwei": "", "0.0 gwei": "", "0.5 wei": "", "1.0000000001 gwei": "", "1 TASK": "", "-1 gwei": "", "": "",
	} {
		got, err := parseGasPrice(text)
		switch {
		case want == "" && err == nil:
			t.Errorf("parseGasPrice(%q) = %s, want an error", text, got)
		case want != "" && (err != nil || got.String() != want):
			t.Errorf("parseGasPrice(%q) = %v, %v, want %s", text, got, err, want)
		}
	}
}

func TestFormatWei(t *testing.T) {
	for wei, want := range map[string]string{
		"9500000000000000000": "9.5 TASK", "1": "0.000000000000000001 TASK", "0": "0 TASK",
		"10000000000000000000": "10 TASK", "not a number": "not a number",
	} {
		if got := FormatWei(wei, "TASK"); got != want {
			t.Errorf("FormatWei(%q) = %q, want %q", wei, got, want)
		}
	}
}
