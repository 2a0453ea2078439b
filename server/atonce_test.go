package server_test

import "sync"

// atOnce asks n times at the same time, with the numbers from 0, and counts how
// often each status was answered.
func atOnce(n int, ask func(i int) (status int)) map[int]int {
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
