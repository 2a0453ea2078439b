package main

import "time"

// size is the amount of data and the duration of the measurement.
type size struct {
	agents     int           // number of agents in addition to the callers
	tasks      int           // number of tasks; four fifths of them are on the board
	activities int           // number of activities per agent
	postings   int           // number of postings on the chain, each with two logs
	rounds     int           // number of rounds
	window     time.Duration // duration of each measurement in a round
}

func sizeOf(full bool) size {
	if full {
		return size{
			agents: 100_000, tasks: 1_000_000, activities: 25, postings: 20_000,
			rounds: 9, window: 5 * time.Second,
		}
	}
	return size{
		agents: 2_000, tasks: 20_000, activities: 25, postings: 2_500,
		rounds: 5, window: 1500 * time.Millisecond,
	}
}
