package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	jq "github.com/itchyny/gojq/cli"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/test/golden"
	"github.com/ssactl/ssactl/test/sampled"
)

var update = golden.Update

func TestMain(m *testing.M) {
	run := func() { os.Exit(Main(os.Args[1:], iostreams.System(os.Getenv))) }
	testscript.Main(sharing{m}, map[string]func(){
		"ssactl": run,
		// The name under which kubectl runs it.
		"kubectl-ssa":  run,
		"stub-kubectl": func() { os.Exit(stubKubectl()) },
		"ssactl-serve": func() { os.Exit(stubServe()) },
		// What gh has in it, so that no machine lacks it.
		"jq": func() { os.Exit(jq.Run()) },
	})
}

// TestScripts runs testdata/script: a file a behavior, named
// <command>_<behavior>.txtar. $EXAMPLES is the folder of the examples, $DOCS
// that of the documentation.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	if err != nil {
		t.Fatal(err)
	}
	docs, err := filepath.Abs(filepath.Join("..", "..", "docs"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files:               sampled.Of(t, 8, files),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			env.Setenv("KUBERNETES", server.Releases()[0])
			env.Setenv("DOCS", docs)
			bin, err := exec.LookPath("ssactl")
			if err != nil {
				return err
			}
			env.Setenv("BIN", filepath.Dir(bin))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"documented": documented,
			"exits":      exits,
		},
	})
}

// exits CODE COMMAND… runs a command and asks for its exact exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit, ok := err.(interface{ ExitCode() int }); ok {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got, want := strconv.Itoa(code), args[0]; got != want {
		ts.Fatalf("exit code %s, want %s", got, want)
	}
}
