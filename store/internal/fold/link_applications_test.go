package fold_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/store/storetest"
)

// BenchmarkFoldApplications drops and re-adds a block that contains the stakes for many
// applications. Each iteration changes the status of every application twice.
func BenchmarkFoldApplications(b *testing.B) {
	const tasks, humans = 25, 40
	s := storetest.New(b)
	agent, chain := storetest.Agent(b, s), storetest.NewChain(b, s)
	var wallets []common.Address
	for range humans {
		wallets = append(wallets, storetest.Human(b, s).Wallet)
	}
	var posts, stakes []storetest.Tx
	for range tasks {
		task := storetest.Task(b, s, agent)
		posts = append(posts, storetest.Post(b, task, false))
		for _, wallet := range wallets {
			stakes = append(stakes, storetest.Stake(b, storetest.Of(task), wallet))
		}
	}
	fork := chain.Mine(b, posts...)
	chain.Mine(b, stakes...)
	chain.Store = nil
	folded := 0
	for b.Loop() {
		b.StopTimer()
		chain.Rewind(b, 1)
		chain.Mine(b, stakes...)
		b.StartTimer()
		if err := s.Journal.Rewind(b.Context(), storetest.Must(s.Journal.Cursor(b.Context())), fork); err != nil {
			b.Fatal(err)
		}
		chain.Feed(b, s, 1)
		folded += 2 * tasks * humans
	}
	b.ReportMetric(float64(folded)/b.Elapsed().Seconds(), "applications/s")
}
