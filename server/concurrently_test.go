package server_test

import "sync"

// concurrently sends n requests at the same time, numbered from 0, and counts the responses by
// status.
func concurrently(n int, ask func(i int) (status int)) map[int]int {
	statuses := make([]int, n)
	var wg sync.WaitGroup
	for i := range statuses {
		wg.Go(func() { statuses[i] = ask(i) })
	}
	wg.Wait()
	count := map[int]int{}
	for _, status := range statuses {
		count[status]++
	}
	return count
}
