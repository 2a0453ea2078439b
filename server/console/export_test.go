package console

// Routes returns the patterns of all routes.
func Routes() []string {
	var patterns []string
	for _, r := range (*Console)(nil).routes() {
		patterns = append(patterns, r.pattern)
	}
	return patterns
}
