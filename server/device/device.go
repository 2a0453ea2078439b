// Package device reduces the User-Agent header to a coarse label. The header itself is neither stored
// nor logged, because a client can send any text in it, and it can identify a person.
package device

import (
	"strings"

	"taskmarket/market"
)

// longestAgent is the maximum number of bytes of the header that are read.
const longestAgent = 512

// browsers and systems are searched in this order, because most browsers also name others: Edge names
// Chrome and Safari, Android names Linux, and iPhones name macOS.
var (
	browsers = []struct {
		mark    string
		browser market.Browser
	}{
		{"Edg", market.BrowserEdge},
		{"OPR/", market.BrowserOpera},
		{"Firefox/", market.BrowserFirefox},
		{"FxiOS/", market.BrowserFirefox},
		{"CriOS/", market.BrowserChrome},
		{"Chrome/", market.BrowserChrome},
		{"Safari/", market.BrowserSafari},
	}
	systems = []struct {
		mark   string
		system market.System
	}{
		{"Android", market.SystemAndroid},
		{"iPhone", market.SystemIOS},
		{"iPad", market.SystemIOS},
		{"Windows", market.SystemWindows},
		{"Mac OS X", market.SystemMacOS},
		{"Linux", market.SystemLinux},
	}
)

// Of returns the label of a User-Agent header.
func Of(userAgent string) market.Device {
	userAgent = userAgent[:min(len(userAgent), longestAgent)]
	label := market.Device{Browser: market.BrowserOther, System: market.SystemOther}
	for _, b := range browsers {
		if strings.Contains(userAgent, b.mark) {
			label.Browser = b.browser
			break
		}
	}
	for _, s := range systems {
		if strings.Contains(userAgent, s.mark) {
			label.System = s.system
			break
		}
	}
	return label
}
