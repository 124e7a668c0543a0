package server

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/test/parity"
)

// replayedFlags is the file of recordings that this process replays instead of
// running tests: a process can have one set of flags only.
var replayedFlags = flag.String(
	"replay-flags",
	"",
	"replay the recordings of this file, of servers with other flags, and exit",
)

// oracleFlags are those that all recorded servers were run with
// (test/oracle/kube).
var oracleFlags = []string{"service-cluster-ip-range=10.96.0.0/16", "disable-admission-plugins=ServiceAccount"}

// TestReplayFlags replays what real servers with other flags answered
// (test/oracle/scenarios/flags.yaml). Everything must be identical.
func TestReplayFlags(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "flags", "*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		var out, errOut strings.Builder
		cmd := exec.Command(os.Args[0], "-replay-flags", file)
		cmd.Stdout, cmd.Stderr = &out, &errOut
		if err := cmd.Run(); err != nil {
			t.Errorf("%s: %v (-recorded +answered)\n%s", file, err, errOut.String())
		}
		t.Log(out.String())
	}
}

func replayFlags(file string) (row, differences string, err error) {
	scenarios, err := parity.ReadFile(file)
	if err != nil {
		return "", "", err
	}
	steps, identical := 0, 0
	var b strings.Builder
	for _, scenario := range scenarios {
		server, err := New(Options{Flags: append(oracleFlags, scenario.ServerFlags...)})
		if err != nil {
			return "", "", err
		}
		for i, step := range scenario.Steps {
			request, err := parity.Request(step)
			if err != nil {
				return "", "", err
			}
			response, err := server.Do(context.Background(), request)
			if err != nil {
				return "", "", err
			}
			steps++
			if diff := parity.Diff(step, response); diff != "" {
				fmt.Fprintf(&b, "%s step %d (%s %s):\n%s", scenario.Name, i, step.Op, step.Request.Path, diff)
				continue
			}
			identical++
		}
	}
	return fmt.Sprintf("%s: %d of %d steps identical\n", filepath.Base(file), identical, steps), b.String(), nil
}
