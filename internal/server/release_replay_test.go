package server

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/test/parity"
)

// replayed is the release whose recordings this process replays instead of
// running tests: a process can simulate one release only.
var replayed = flag.String("replay-release", "", "replay the recordings of this Kubernetes version, and exit")

func TestMain(m *testing.M) {
	flag.Parse()
	replay, of := replayRelease, *replayed
	switch {
	case *replayedFlags != "":
		replay, of = replayFlags, *replayedFlags
	case *replayed == "":
		os.Exit(m.Run())
	}
	row, differences, err := replay(of)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(row)
	fmt.Fprint(os.Stderr, differences)
	if differences != "" {
		os.Exit(1)
	}
}

// answeredOtherwise are recorded answers of older releases that the newest one gives
// otherwise, by scenario and step, each with its reason.
var answeredOtherwise = map[string]string{
	"1.33 s-preconditions 22": "a PUT with a uid to an absent object: 409 from the storage before 1.34, 404 since",
	"1.33 s-preconditions 28": "the message quotes a line of the server's source",
	"1.34 s-preconditions 28": "the message quotes a line of the server's source",

	"1.34 g-resourceclaim-00 5":         "the status of a ResourceClaim takes metadata before 1.35",
	"1.34 g-resourceclaim-02 7":         "the status of a ResourceClaim takes metadata before 1.35",
	"1.34 g-resourceclaimtemplate-00 0": "a ResourceClaimTemplate keeps tolerations though their gate is off, before 1.35",
	"1.34 g-resourceclaimtemplate-02 0": "a ResourceClaimTemplate keeps tolerations though their gate is off, before 1.35",
}

// TestReplayReleases replays what real servers of the older releases answered.
// Everything must be identical but for the words of refusals by validation
// (and of the warnings of its ratcheting), which the answer's confidence tells.
func TestReplayReleases(t *testing.T) {
	var rows []string
	for _, r := range releases[:len(releases)-1] {
		var out, errOut strings.Builder
		cmd := exec.Command(os.Args[0], "-replay-release", r.Name())
		cmd.Stdout, cmd.Stderr = &out, &errOut
		if err := cmd.Run(); err != nil {
			t.Errorf("Kubernetes %s: %v (-recorded +answered)\n%s", r.Name(), err, errOut.String())
		}
		rows = append(rows, out.String())
	}
	text := "| version | steps | identical | refused by validation in other words | otherwise | not simulated |\n|---|---:|---:|---:|---:|---:|\n" + strings.Join(rows, "") + "\n" + otherwiseText()
	t.Log("\n" + text)
	if *update && !t.Failed() {
		publishBlock(t, "releases", text)
	}
}

// otherwiseText lists the reasons, each once.
func otherwiseText() string {
	var lines []string
	for step, reason := range answeredOtherwise {
		version, _, _ := strings.Cut(step, " ")
		lines = append(lines, "- "+version+": "+reason+"\n")
	}
	slices.Sort(lines)
	return "Otherwise are answered:\n\n" + strings.Join(slices.Compact(lines), "")
}

// replayRelease gives the row of a release for the table, and what differs
// that must not.
func replayRelease(name string) (row, differences string, err error) {
	scenarios, err := parity.ReadFile(filepath.Join("..", "..", "testdata", "versions", name+".jsonl.gz"))
	if err != nil {
		return "", "", err
	}
	var steps, identical, reworded, otherwise, unanswered int
	var b strings.Builder
	for _, scenario := range scenarios {
		for i := range scenario.Steps {
			diff, err := replayAt(name, scenario, i)
			known := answeredOtherwise[fmt.Sprintf("%s %s %d", name, scenario.Name, i)] != ""
			steps++
			switch {
			case errors.Is(err, ErrNotSimulated):
				unanswered++
			case err != nil:
				return "", "", fmt.Errorf("%s step %d: %w", scenario.Name, i, err)
			case diff == "" && known:
				fmt.Fprintf(&b, "%s step %d is answered as it was recorded: it is no exception\n", scenario.Name, i)
			case diff == "":
				identical++
			case known:
				otherwise++
			case isReworded(scenario.Steps[i], diff):
				reworded++
			default:
				fmt.Fprintf(&b, "%s step %d (%s %s):\n%s", scenario.Name, i, scenario.Steps[i].Op, scenario.Steps[i].Request.Path, diff)
			}
		}
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d |\n", name, steps, identical, reworded, otherwise, unanswered), b.String(), nil
}

func replayAt(release string, scenario parity.Scenario, i int) (string, error) {
	options := Options{KubernetesVersion: release}
	for _, raw := range scenario.CRDsAt(i) {
		options.CRDs = append(options.CRDs, raw)
	}
	for _, raw := range scenario.ObjectsAt(i) {
		options.Objects = append(options.Objects, raw)
	}
	server, err := New(options)
	if err != nil {
		return "", err
	}
	request, err := parity.Request(scenario.Steps[i])
	if err != nil {
		return "", err
	}
	response, err := server.Do(context.Background(), request)
	if err != nil {
		return "", err
	}
	return parity.Diff(scenario.Steps[i], response), nil
}

// isReworded reports whether a difference is in the words of a refusal by
// validation, or of a warning about what validation lets pass.
func isReworded(step parity.Step, diff string) bool {
	for _, line := range strings.Split(strings.TrimSpace(diff), "\n") {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "warnings[") && !(step.Status == 422 && (strings.HasPrefix(line, ".details.causes") || strings.HasPrefix(line, ".message:"))) {
			return false
		}
	}
	return true
}
