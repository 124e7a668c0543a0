package server

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

var update = flag.Bool("update", false, "write the tables of docs/parity.md")

// tally counts steps and identical answers.
type tally struct{ steps, identical int }

// TestReplay answers every recorded request of a real kube-apiserver, and
// compares code, warnings, Status or object, and managed fields.
func TestReplay(t *testing.T) {
	packs, err := filepath.Glob(filepath.Join("..", "..", "testdata", "corpus", "*.jsonl.gz"))
	if err != nil || len(packs) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	byKind, byOperation := map[string]*tally{}, map[string]*tally{}
	unanswered, recorded, every := 0, 0, sampled.Every(t, 20)
	for _, pack := range packs {
		scenarios, err := parity.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		for _, scenario := range scenarios {
			for i, step := range scenario.Steps {
				if recorded++; recorded%every != 0 {
					continue
				}
				_, diff := replay(Options{}, scenario, i)
				if diff == notSimulatedText {
					unanswered++
					continue
				}
				count(byKind, step.Target.Kind, diff)
				count(byOperation, step.Op, diff)
				if diff == "" {
					continue
				}
				t.Fail()
				if byKind[step.Target.Kind].steps-byKind[step.Target.Kind].identical <= 3 {
					t.Logf("%s step %d (%s %s): (-recorded +answered)\n%s", scenario.Name, i, step.Op, step.Request.Path, diff)
				}
			}
		}
	}
	if *update && !t.Failed() && every == 1 {
		publish(t, byKind, byOperation, unanswered)
	}
	t.Logf("%d steps are not simulated\n%s\n%s", unanswered, table("kind", byKind), table("operation", byOperation))
}

// notSimulatedText stands for a step whose path ssactl does not answer: it says
// so, and does not guess.
const notSimulatedText = "not simulated"

// answering is the server of each path that answered last, and the one that has only what
// all clusters share: steps of one scenario mostly have the same cluster.
var answering = map[Path]*struct {
	shared, server *Server
	cluster        string
}{ShortPath: {}, FullPath: {}}

// replay answers a step by a server with options, and says what differs.
func replay(options Options, scenario parity.Scenario, i int) (api.Response, string) {
	last, cluster := answering[options.Path], "none"
	var err error
	if last.shared == nil {
		if last.shared, err = New(options); err != nil {
			return api.Response{}, err.Error()
		}
	}
	for _, raw := range scenario.CRDsAt(i) {
		options.CRDs = append(options.CRDs, raw)
		cluster += string(raw)
	}
	for _, raw := range scenario.ObjectsAt(i) {
		options.Objects = append(options.Objects, raw)
		cluster += string(raw)
	}
	if last.cluster != cluster {
		if last.server, err = last.shared.With(options); err != nil {
			return api.Response{}, err.Error()
		}
		last.cluster = cluster
	}
	request, err := parity.Request(scenario.Steps[i])
	if err != nil {
		return api.Response{}, err.Error()
	}
	response, err := last.server.Do(context.Background(), request)
	if errors.Is(err, api.ErrNotSimulated) {
		return response, notSimulatedText
	}
	if err != nil {
		return response, err.Error()
	}
	return response, parity.Diff(scenario.Steps[i], response) + parity.DiffBeside(scenario.Steps[i], response)
}

// publish writes the tables of the newest release into docs/parity.md.
func publish(t *testing.T, byKind, byOperation map[string]*tally, unanswered int) {
	t.Helper()
	publishBlock(t, "tables", markdown("operation", byOperation)+"\n"+
		fmt.Sprintf("%d more steps ask for what is not simulated (below), and the answer says so.\n\n", unanswered)+
		"Steps by kind: "+inWords(byKind)+".\n")
}

// publishBlock writes a marked block of docs/parity.md.
func publishBlock(t *testing.T, name, text string) {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->"
	file := filepath.Join("..", "..", "docs", "parity.md")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(raw), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the block %s", file, name)
	}
	if err := os.WriteFile(file, []byte(head+begin+"\n"+text+"\n"+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

func markdown(title string, by map[string]*tally) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | steps | identical |\n|---|---:|---:|\n", title)
	var sum tally
	for _, key := range slices.Sorted(maps.Keys(by)) {
		fmt.Fprintf(&b, "| %s | %d | %d |\n", key, by[key].steps, by[key].identical)
		sum.steps += by[key].steps
		sum.identical += by[key].identical
	}
	fmt.Fprintf(&b, "| **all** | **%d** | **%d** |\n", sum.steps, sum.identical)
	return b.String()
}

// inWords lists how many steps there are of each kind, and how many are identical
// if not all are.
func inWords(by map[string]*tally) string {
	var list []string
	for _, kind := range slices.Sorted(maps.Keys(by)) {
		words := fmt.Sprintf("%s %d", kind, by[kind].steps)
		if by[kind].identical != by[kind].steps {
			words += fmt.Sprintf(" (%d identical)", by[kind].identical)
		}
		list = append(list, words)
	}
	return strings.Join(list, ", ")
}

func count(by map[string]*tally, key, diff string) {
	if by[key] == nil {
		by[key] = &tally{}
	}
	by[key].steps++
	if diff == "" {
		by[key].identical++
	}
}

func table(title string, by map[string]*tally) string {
	var sum tally
	var b strings.Builder
	fmt.Fprintf(&b, "%-36s %6s %9s\n", title, "steps", "identical")
	for _, key := range slices.Sorted(maps.Keys(by)) {
		fmt.Fprintf(&b, "%-36s %6d %9d\n", key, by[key].steps, by[key].identical)
		sum.steps += by[key].steps
		sum.identical += by[key].identical
	}
	fmt.Fprintf(&b, "%-36s %6d %9d\n", "all", sum.steps, sum.identical)
	return b.String()
}
