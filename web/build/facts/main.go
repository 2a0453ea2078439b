// Command facts writes the durations, limits, amounts, statuses and error kinds of package market
// as TypeScript constants, so that the web app does not duplicate them.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/constant"
	"go/importer"
	"go/token"
	"go/types"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"taskmarket/market"
)

const header = `// Written by go run ./web/build/facts from package market. Do not edit.
`

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: facts FILE")
	}
	text, err := render()
	if err == nil {
		err = os.WriteFile(os.Args[1], text, 0o600) //nolint:gosec // the Makefile passes the file name
	}
	if err != nil {
		log.Fatalf("facts: %v", err)
	}
}

func render() ([]byte, error) {
	files := token.NewFileSet()
	pkg, err := importer.ForCompiler(files, "source", nil).Import("taskmarket/market")
	if err != nil {
		return nil, err
	}
	var durations, limits, kinds []string
	for _, c := range exportedConstants(pkg, files) {
		name := strings.ToLower(c.Name()[:1]) + c.Name()[1:]
		switch c.Type().String() {
		case "time.Duration":
			n, _ := constant.Int64Val(c.Val())
			durations = append(durations, fmt.Sprintf("%s: %d", name, n/int64(time.Second)))
		case "untyped int":
			limits = append(limits, fmt.Sprintf("%s: %s", name, c.Val()))
		case "taskmarket/market.Kind":
			kinds = append(kinds, constant.StringVal(c.Val()))
		}
	}
	amounts := []string{
		fmt.Sprintf("minimumEscrow: %sn", market.MinimumEscrow()),
		fmt.Sprintf("maximumEscrow: %sn", market.MaximumEscrow()),
	}
	var out bytes.Buffer
	out.WriteString(header)
	writeObject(&out, "durations", "Windows and lifetimes, in seconds.", durations)
	writeObject(&out, "limits", "Limits of texts in characters, of files in bytes, of fees in basis points.", limits)
	writeObject(&out, "amounts", "Limits of a task's amount, in wei.", amounts)
	fmt.Fprintf(&out, "\n/** The format characters that are removed from texts. */\nexport const dropped =\n  %s\n",
		"'"+strings.Trim(strconv.QuoteToASCII(market.Dropped), `"`)+"'")
	writeList(&out, "taskStatuses", "TaskStatus", market.Statuses())
	writeList(&out, "applicationStatuses", "ApplicationStatus", market.ApplicationStatuses())
	writeList(&out, "stakeStatuses", "StakeStatus", market.StakeStatuses())
	writeList(&out, "disputeStatuses", "DisputeStatus", market.DisputeStatuses())
	writeList(&out, "activityTypes", "ActivityType", market.ActivityTypes())
	writeList(&out, "errorKinds", "ErrorKind", kinds)
	return out.Bytes(), nil
}

// exportedConstants returns the package's exported constants, sorted by file and line. Files are
// parsed concurrently, so the order of their positions varies.
func exportedConstants(pkg *types.Package, files *token.FileSet) []*types.Const {
	var found []*types.Const
	for _, name := range pkg.Scope().Names() {
		if c, ok := pkg.Scope().Lookup(name).(*types.Const); ok && c.Exported() {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b *types.Const) int {
		p, q := files.Position(a.Pos()), files.Position(b.Pos())
		return cmp.Or(strings.Compare(p.Filename, q.Filename), p.Offset-q.Offset)
	})
	return found
}

func writeObject(out *bytes.Buffer, name, comment string, members []string) {
	fmt.Fprintf(out, "\n/** %s */\nexport const %s = {\n  %s,\n} as const\n", comment, name, strings.Join(members, ",\n  "))
}

func writeList[T ~string](out *bytes.Buffer, name, typeName string, values []T) {
	fmt.Fprintf(out, "\nexport const %s = [\n", name)
	for _, value := range values {
		fmt.Fprintf(out, "  '%s',\n", value)
	}
	fmt.Fprintf(out, "] as const\nexport type %s = (typeof %s)[number]\n", typeName, name)
}
