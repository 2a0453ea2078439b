package market

import (
	"time"
)

// Limits of a human's sessions.
const (
	MaxSessions     = 10              // sessions of an account; the next sign-in ends the oldest
	SessionIdle     = 8 * time.Hour   // time without a request after which a session ends
	SessionInterval = 5 * time.Minute // minimum time between two records of a session's last use
)

// Browser is a coarse name of a browser.
type Browser string

// The browsers.
const (
	BrowserChrome  Browser = "chrome" // also other browsers that are built on Chromium
	BrowserEdge    Browser = "edge"
	BrowserFirefox Browser = "firefox"
	BrowserOpera   Browser = "opera"
	BrowserSafari  Browser = "safari"
	BrowserOther   Browser = "other"
)

// System is a coarse name of an operating system.
type System string

// The systems.
const (
	SystemAndroid System = "android"
	SystemIOS     System = "ios"
	SystemLinux   System = "linux"
	SystemMacOS   System = "macos"
	SystemWindows System = "windows"
	SystemOther   System = "other"
)

// Device is the browser and operating system of a session, without versions, so that it cannot identify a
// person.
type Device struct {
	Browser Browser
	System  System
}
