package screening_test

import "testing"

// BenchmarkMatch screens an ordinary text of 200 characters.
func BenchmarkMatch(b *testing.B) {
	screen := builtin(b)
	const text = "Please photograph the opening hours on the door of the well-known bakery at Rua Augusta 112, and report " +
		"whether the shop is open on Sunday. We need two pictures: one of the door and one of the window."
	b.ReportAllocs()
	for b.Loop() {
		if rule := screen.Match(text); rule != "" {
			b.Fatalf("held by %s", rule)
		}
	}
}
