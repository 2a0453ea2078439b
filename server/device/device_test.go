package device_test

import (
	"strings"
	"testing"

	"taskmarket/market"
	"taskmarket/server/device"
)

func TestOf(t *testing.T) {
	t.Parallel()
	const mozilla, engine = "Mozilla/5.0 ", " AppleWebKit/537.36 (KHTML, like Gecko) "
	for agent, want := range map[string]market.Device{
		mozilla + "(X11; Linux x86_64)" + engine + "Chrome/140.0.0.0 Safari/537.36":                                                   {Browser: market.BrowserChrome, System: market.SystemLinux},
		mozilla + "(Windows NT 10.0; Win64; x64)" + engine + "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0":                           {Browser: market.BrowserEdge, System: market.SystemWindows},
		mozilla + "(Linux; Android 16; Pixel 10)" + engine + "Chrome/140.0.0.0 Mobile Safari/537.36 EdgA/140.0":                       {Browser: market.BrowserEdge, System: market.SystemAndroid},
		mozilla + "(Windows NT 10.0; Win64; x64)" + engine + "Chrome/139.0.0.0 Safari/537.36 OPR/124.0.0.0":                           {Browser: market.BrowserOpera, System: market.SystemWindows},
		mozilla + "(Android 16; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0":                                                          {Browser: market.BrowserFirefox, System: market.SystemAndroid},
		mozilla + "(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15":         {Browser: market.BrowserSafari, System: market.SystemMacOS},
		mozilla + "(iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Safari/604.1":      {Browser: market.BrowserChrome, System: market.SystemIOS},
		mozilla + "(iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/144.0 Mobile/15E148 Safari/605.1": {Browser: market.BrowserFirefox, System: market.SystemIOS},
		"":           {Browser: market.BrowserOther, System: market.SystemOther},
		"curl/8.9.1": {Browser: market.BrowserOther, System: market.SystemOther},
		strings.Repeat("x", 600) + "Firefox/144.0 Linux": {Browser: market.BrowserOther, System: market.SystemOther},
	} {
		if got := device.Of(agent); got != want {
			t.Errorf("Of(%q) = %+v, want %+v", agent, got, want)
		}
	}
}
