// Package simulation plays random histories of the marketplace against the real service. See
// docs/adr/0015-simulated-histories.md.
package simulation
