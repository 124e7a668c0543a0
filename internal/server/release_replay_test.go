package server

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/server/api"
	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

// replayed is the release whose recordings this process replays instead of
// running tests: a process can simulate one release only.
var (
	replayed      = flag.String("replay-release", "", "replay the recordings of this Kubernetes version, and exit")
	replayedEvery = flag.Int("replay-every", 1, "replay one of so many recorded requests")
)

func TestMain(m *testing.M) {
	// A quarter of the time went into collecting garbage.
	debug.SetGCPercent(400)
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
	"1.34 s-preconditions 28": "the message quotes a line of the server's source",
}

// TestReplayReleases replays what real servers of the older releases answered.
// Everything must be identical but for the words of refusals by validation
// (and of the warnings of its ratcheting), which the answer's confidence tells.
func TestReplayReleases(t *testing.T) {
	var rows []string
	every := sampled.Every(t, 20)
	releases := mergeschema.Releases()
	for _, r := range releases[:len(releases)-1] {
		var out, errOut strings.Builder
		cmd := exec.Command(os.Args[0], "-replay-release", r.Name(), "-replay-every", strconv.Itoa(every))
		cmd.Stdout, cmd.Stderr = &out, &errOut
		if err := cmd.Run(); err != nil {
			t.Errorf("Kubernetes %s: %v (-recorded +answered)\n%s", r.Name(), err, errOut.String())
		}
		rows = append(rows, out.String())
	}
	text := "| version | steps | identical | refused by validation in other words | otherwise | not simulated |\n|---|---:|---:|---:|---:|---:|\n" + strings.Join(
		rows,
		"",
	) + "\n" + otherwiseText() + "\n" + differencesText()
	t.Log("\n" + text)
	if *update && !t.Failed() && every == 1 {
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

// differencesText is the table of what answers say that other releases do.
func differencesText() string {
	var b strings.Builder
	b.WriteString(
		"What an answer says that the cluster's release may do:\n\n| releases | what they do | known from |\n|---|---|---|\n",
	)
	for _, d := range differences {
		since := ""
		if d.since.Minor > 0 {
			since = "from " + strings.TrimPrefix(d.since.String(), "v") + " "
		}
		fmt.Fprintf(&b, "| %sbefore %s | %s | %s |\n", since, strings.TrimPrefix(d.until.String(), "v"), d.what, d.source)
	}
	return b.String()
}

// replayRelease gives the row of a release for the table, and what differs
// that must not. The last release is asked without shortcuts as well.
func replayRelease(name string) (row, differences string, err error) {
	scenarios, err := parity.ReadFile(filepath.Join("..", "..", "testdata", "versions", name+".jsonl.gz"))
	if err != nil {
		return "", "", err
	}
	var recorded, steps, identical, reworded, otherwise, unanswered int
	var b strings.Builder
	releases := mergeschema.Releases()
	last := name == releases[len(releases)-2].Name()
	for _, scenario := range scenarios {
		for i := range scenario.Steps {
			if recorded++; recorded%*replayedEvery != 0 {
				continue
			}
			options := Options{KubernetesVersion: name}
			response, diff := replay(options, scenario, i)
			if last {
				options.Path = FullPath
				if _, full := replay(options, scenario, i); full != diff {
					fmt.Fprintf(&b, "%s step %d, without shortcuts:\n%s", scenario.Name, i, full)
				}
			}
			known := answeredOtherwise[fmt.Sprintf("%s %s %d", name, scenario.Name, i)] != ""
			steps++
			switch {
			case diff == notSimulatedText:
				unanswered++
			case diff == "" && known:
				fmt.Fprintf(&b, "%s step %d is answered as it was recorded: it is no exception\n", scenario.Name, i)
			case diff == "":
				identical++
			case known, foreseen(name, scenario.Steps[i], response):
				otherwise++
			case isReworded(scenario.Steps[i], diff):
				reworded++
			default:
				fmt.Fprintf(
					&b,
					"%s step %d (%s %s):\n%s",
					scenario.Name,
					i,
					scenario.Steps[i].Op,
					scenario.Steps[i].Request.Path,
					diff,
				)
			}
		}
	}
	return fmt.Sprintf(
		"| %s | %d | %d | %d | %d | %d |\n", name, steps, identical, reworded, otherwise, unanswered,
	), b.String(), nil
}

// foreseen reports whether the answer to a step says that it is another one in a release,
// and in more than words.
func foreseen(name string, step parity.Step, r api.Response) bool {
	own, err := releaseOf(name)
	request, err2 := parity.Request(step)
	if errors.Join(err, err2) != nil {
		return false
	}
	a := api.Answered{Request: request, Code: r.Code, Live: treeIn(request.Live), Stored: treeIn(r.Stored)}
	return slices.ContainsFunc(
		differences[1:],
		func(d difference) bool { return d.concerns(a) && !own.Before(d.since) && own.Before(d.until) },
	)
}

func treeIn(text []byte) (tree map[string]any) {
	if json.Unmarshal(text, &tree) != nil {
		return nil
	}
	return tree
}

// isReworded reports whether a difference is in the words of a refusal by
// validation, or of a warning about what validation lets pass.
func isReworded(step parity.Step, diff string) bool {
	for _, line := range strings.Split(strings.TrimSpace(diff), "\n") {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "warnings[") && !(step.Status == 400 && strings.HasPrefix(line, ".message:")) &&
			!(step.Status == 422 && (strings.HasPrefix(line, ".details.causes") || strings.HasPrefix(line, ".message:"))) {
			return false
		}
	}
	return true
}
