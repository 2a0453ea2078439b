package rescuepage_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"taskmarket/gen/contracts"
	"taskmarket/market"
	"taskmarket/server/site/rescuepage"
)

func render(t *testing.T) (rescuepage.Page, string) {
	t.Helper()
	page, err := rescuepage.Render(31337, common.HexToAddress("0x01"), `https://node.example/"><script>alert(1)</script>`)
	if err != nil {
		t.Fatal(err)
	}
	return page, string(page.HTML)
}

// The content security policy, both in the header and in the page, allows exactly the style and the
// script of the page. There is no other code.
func TestPolicyAllowsOnlyThePagesScriptAndStyle(t *testing.T) {
	t.Parallel()
	page, html := render(t)
	for tag, want := range map[string]string{"script": "script-src", "style": "style-src"} {
		parts := regexp.MustCompile(`(?s)<`+tag+`>(.*?)</`+tag+`>`).FindAllStringSubmatch(html, -1)
		if len(parts) != 1 {
			t.Fatalf("the page has %d of <%s>", len(parts), tag)
		}
		sum := sha256.Sum256([]byte(parts[0][1]))
		named := want + " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		if !strings.Contains(page.Policy, named+";") {
			t.Errorf("the policy %q does not have %q", page.Policy, named)
		}
	}
	if !strings.Contains(page.Policy, "; require-trusted-types-for 'script'; trusted-types 'none';") {
		t.Errorf("the policy %q does not require trusted types", page.Policy)
	}
	inPage := strings.TrimSuffix(page.Policy, "; frame-ancestors 'none'")
	meta := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindSubmatch(page.HTML)
	if meta == nil || strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(string(meta[1])) != inPage {
		t.Errorf("the policy in the page is %q, want %q", meta, inPage)
	}
	if !bytes.Contains(page.HTML, []byte(`data-chain="31337"`)) {
		t.Error("the page does not know its chain")
	}
	if bytes.Contains(page.HTML, []byte(`"><script>`)) || bytes.Contains(page.HTML, []byte("innerHTML")) {
		t.Error("what is put into the page can become code")
	}
}

// The script's selectors match the functions of the contracts.
func TestSelectorsMatchTheContracts(t *testing.T) {
	t.Parallel()
	_, html := render(t)
	known := make(map[string]string)
	for _, metadata := range []*bind.MetaData{
		&contracts.EscrowMetaData, &contracts.ApplicationStakingMetaData, &contracts.TaskTokenMetaData,
	} {
		parsed, err := metadata.ParseABI()
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range parsed.Methods {
			known[method.Sig] = hexutil.Encode(method.ID)
		}
	}
	constant := regexp.MustCompile(`(?m)^const selectors = (.*)$`).FindStringSubmatch(html)
	var selectors map[string]string
	if constant == nil || json.Unmarshal([]byte(constant[1]), &selectors) != nil {
		t.Fatalf("the page's selectors are %q", constant)
	}
	for name, selector := range selectors {
		if known[name] != selector {
			t.Errorf("%s is %s in the page, want %q", name, selector, known[name])
		}
	}
	if len(selectors) != 24 {
		t.Errorf("the page has %d selectors", len(selectors))
	}
}

// amounts are those that the script fills in.
var amounts = strings.NewReplacer("{amount}", "", "{payout}", "", "{fee}", "", "{stake}", "")

func TestScriptContainsTheExits(t *testing.T) {
	t.Parallel()
	_, html := render(t)
	found := regexp.MustCompile(`(?m)^const exits = (.*)$`).FindStringSubmatch(html)
	if found == nil {
		t.Fatal("the page has no exits")
	}
	var exits []struct {
		Call    string
		In      []int
		Effects map[market.Role]string
	}
	if err := json.Unmarshal([]byte(found[1]), &exits); err != nil {
		t.Fatalf("%v: %s", err, found[1])
	}
	acts := slices.DeleteFunc(market.Acts(), func(a market.Act) bool { return a.Function == "" })
	for i, want := range acts {
		statuses := want.ChainStatuses()
		if exits[i].Call != want.Function || len(exits[i].In) != len(statuses) || exits[i].In[0] != int(statuses[0]) {
			t.Errorf("exit %d = %+v, want %+v", i, exits[i], want)
		}
		for party, effect := range exits[i].Effects {
			if effect == "" || strings.ContainsAny(amounts.Replace(effect), "{}") {
				t.Errorf("%s, for the %s: %q", want.Action, party, effect)
			}
		}
	}
}
