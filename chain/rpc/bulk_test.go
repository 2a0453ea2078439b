package rpc_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/chain/follow"
	"taskmarket/chain/rpc"
)

func TestSplitAnswer(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string][]string{
		`{"jsonrpc":"2.0","id":0,"result":"0x1"}`:                               {`"0x1"`},
		`{"id":0,"error":null,"result":null}`:                                   {`null`},
		`[{"id":1,"result":[]},{"result":{},"id":0}]`:                           {`{}`, `[]`},
		` [ { "id" : 0 , "result" : "a\"" } , { "id" : 1 , "result" : [1] } ] `: {`"a\""`, `[1]`},
	} {
		results, err := rpc.SplitAnswer([]byte(answer), len(want))
		var got []string
		for _, result := range results {
			got = append(got, string(result))
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", answer, got, err, want)
		}
	}
	for name, answer := range map[string]string{
		"empty":                     ``,
		"no list and no response":   `"0x"`,
		"a missing response":        `[{"id":0,"result":1}]`,
		"a response twice":          `[{"id":0,"result":1},{"id":0,"result":1}]`,
		"the id of another request": `[{"id":0,"result":1},{"id":2,"result":1}]`,
		"a negative id":             `[{"id":0,"result":1},{"id":-1,"result":1}]`,
		"no id":                     `[{"id":0,"result":1},{"result":1}]`,
		"a null id":                 `[{"id":null,"result":1},{"id":1,"result":1}]`,
		"no result":                 `[{"id":0,"result":1},{"id":1}]`,
		"null":                      `[null,{"id":1,"result":1}]`,
		"truncated":                 `[{"id":0,"result":1},{"id":1,"result":1}`,
		"more than one value":       `[{"id":0,"result":1},{"id":1,"result":1}]{}`,
	} {
		if _, err := rpc.SplitAnswer([]byte(answer), 2); !errors.Is(err, rpc.ErrInvalidAnswer) {
			t.Errorf("%s: error %v, want ErrInvalidAnswer", name, err)
		}
	}
	for _, answer := range []string{
		`{"id":null,"error":{"code":-32005,"message":"limit exceeded"}}`,
		`[{"id":0,"result":1},{"id":1,"error":{"code":-32005,"message":"limit exceeded"}}]`,
	} {
		if _, err := rpc.SplitAnswer([]byte(answer), 2); err == nil || !strings.Contains(err.Error(), "limit exceeded") {
			t.Errorf("%s: error %v, want the node's message", answer, err)
		}
	}
}

func TestWatcherReadsRangesOverAWebsocket(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	net.Mine(t, 10)
	j := chaintest.NewJournal(net.Deployment)
	chaintest.CatchUp(t, chaintest.NewWatcher(net, chaintest.Dial(t, net.Dev.WSURL()), j, follow.WatcherOptions{}))
	chaintest.CheckSame(t, net, j)
}
