package cmd

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ssactl/ssactl/test/figures"
)

// hostileTexts are what names, values and flags are made of that somebody means
// harm with, or knows no better.
var hostileTexts = []string{
	"A%", "x.y/{", "%zz", "../..", "x/y/z", " ", "", "\x00", "\xff\xfe", "\r", "\n", "\t", "\x7f", "\u0085", "\u202e", "\u2028", "\ufeff",
	"\x1b[31m", "\x1b]0;title\a", "\u009b31m", "::error::", "\n::error file=a::b", "##[error]", "~", "null", "true", "-1", "1e999", "0x1F", "{{ .Values }}",
	"f:", "k:{}", `k:{"a":1}`, `v:"x"`, "i:0", ".", "f:spec", "*", "&a", "!!binary x", "|", "<script>", "`x`", "$(x)", "'", `"`, "]]>", "--", "a,b=c", "K",
}

// names tells a place that says what an object is, or who wrote it: more code looks
// at those than at others.
func (p hostilePlace) names() bool {
	if len(p.path) == 0 || p.key {
		return false
	}
	last, _ := p.path[len(p.path)-1].(string)
	return slices.Contains(
		[]string{"apiVersion", "kind", "name", "namespace", "manager", "operation", "group", "plural"},
		last,
	)
}

// TestHostileAnything puts such texts anywhere into the files or flags of any
// command. The law is that of hostileRun.check.
func TestHostileAnything(t *testing.T) {
	runs := figures.Runs(200)
	codes := hostileRuns(t, 16, runs, hostileLines(), hostileTexts, hostileRun.check)
	figures.Record(
		t,
		"anything",
		"puts hostile texts anywhere into files and flags, in every command and format: no panic, an exit code of the contract",
		fmt.Sprintf("%d runs; exit codes 0 to 3: %d, %d, %d, %d", runs, codes[0], codes[1], codes[2], codes[3]),
	)
}

// hostileRuns does so many runs, each with one of the texts at some place, and
// counts the exit codes.
func hostileRuns(
	t *testing.T,
	seed uint64,
	runs int,
	lines, texts []string,
	check func(hostileRun, *testing.T, outcome),
) map[int]int {
	t.Helper()
	random := rand.New(rand.NewPCG(14, seed))
	seeds, dir := hostileSeeds(t), t.TempDir()
	codes := map[int]int{}
	for i := range runs {
		h := seeds[random.IntN(len(seeds))].run(
			lines[random.IntN(len(lines))],
			random.IntN(4),
			func(places []hostilePlace) hostilePlace {
				if named := slices.DeleteFunc(slices.Clone(places), func(p hostilePlace) bool { return !p.names() }); i%2 == 0 &&
					len(named) > 0 {
					places = named
				}
				return places[random.IntN(len(places))]
			},
			texts[random.IntN(len(texts))],
		)
		got := h.run(t, dir)
		check(h, t, got)
		codes[got.code]++
	}
	return codes
}
