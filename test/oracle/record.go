package main

import (
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ssactl/ssactl/test/oracle/kube"
	"github.com/ssactl/ssactl/test/oracle/scenario"
	"github.com/ssactl/ssactl/test/oracle/served"
	"github.com/ssactl/ssactl/test/parity"
)

// recordTime bounds a recording.
const recordTime = 30 * time.Minute

func runRecord(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("record", flag.ContinueOnError)
	file := flags.String("out", "", "file to write; .gz compresses")
	var serverFlags []string
	flags.Func(
		"server-flag",
		"flag of kube-apiserver, as name=value (repeatable; default those of the first scenario)",
		func(text string) error {
			serverFlags = append(serverFlags, text)
			return nil
		},
	)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *file == "" {
		return errors.New("record: -out is missing")
	}
	told, err := readScenarios(flags.Args())
	if err != nil {
		return err
	}
	if serverFlags == nil {
		serverFlags = told[0].ServerFlags
	}
	var scenarios []parity.Scenario
	err = recordAll(ctx, startReal, serverFlags, told, func(_, fresh parity.Scenario, _ scenario.Renames) {
		scenarios = append(scenarios, fresh)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d scenarios recorded\n", len(scenarios))
	return writeScenarios(*file, scenarios)
}

func runVerify(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	served := flags.Bool("served", false, "ask the server of ssactl serve instead of a real one")
	if err := flags.Parse(args); err != nil {
		return err
	}
	told, err := readScenarios(flags.Args())
	if err != nil {
		return err
	}
	start := startReal
	if *served {
		start = startServed
	}
	var steps, differ int
	err = recordAll(ctx, start, told[0].ServerFlags, told, func(old, fresh parity.Scenario, renamed scenario.Renames) {
		for i := range fresh.Steps {
			steps++
			if diff := differenceToRecorded(old.Steps, fresh.Steps, i, renamed); diff != "" {
				differ++
				fmt.Fprintf(out, "%s step %d\n%s", old.Name, i, diff)
			}
		}
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d steps, %d answered differently\n", steps, differ)
	if differ > 0 {
		return errors.New("the server answers differently from the recordings")
	}
	return nil
}

// starter starts a server, and gives what asks and what ends it.
type starter func(ctx context.Context, flags []string) (recorder *scenario.Recorder, end func() error, err error)

func startReal(ctx context.Context, flags []string) (*scenario.Recorder, func() error, error) {
	s, err := kube.Start(ctx, flags...)
	if err != nil {
		return nil, nil, err
	}
	return &scenario.Recorder{Client: s.Client, Storage: s}, s.Close, nil
}

func startServed(ctx context.Context, flags []string) (*scenario.Recorder, func() error, error) {
	s, err := served.Start(ctx, flags...)
	if err != nil {
		return nil, nil, err
	}
	return &scenario.Recorder{Client: s.Client, Storage: s}, s.Close, nil
}

// recordAll tells scenarios to a server that lives no longer than this.
func recordAll(
	ctx context.Context,
	start starter,
	flags []string,
	told []parity.Scenario,
	each func(old, fresh parity.Scenario, renamed scenario.Renames),
) (err error) {
	ctx, cancel := context.WithTimeout(ctx, recordTime)
	defer cancel()
	recorder, end, err := start(ctx, flags)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	for _, scenario := range told {
		fresh, renamed, err := recorder.Record(ctx, scenario)
		if err != nil {
			return err
		}
		fresh.ServerVersion, fresh.ServerFlags = kube.Version, flags
		each(scenario, fresh, renamed)
	}
	return nil
}

// readScenarios reads the given files, recordings or written scenarios (.yaml), or
// the public corpus.
func readScenarios(files []string) ([]parity.Scenario, error) {
	if len(files) == 0 {
		var err error
		if files, err = filepath.Glob("../../testdata/corpus/*.jsonl.gz"); err != nil {
			return nil, err
		}
	}
	var all []parity.Scenario
	for _, file := range files {
		read := parity.ReadFile
		if strings.HasSuffix(file, ".yaml") {
			read = scenario.ReadFile
		}
		scenarios, err := read(file)
		if err != nil {
			return nil, err
		}
		all = append(all, scenarios...)
	}
	if len(all) == 0 {
		return nil, errors.New("no scenarios found")
	}
	return all, nil
}

func writeScenarios(name string, scenarios []parity.Scenario) (err error) {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if !strings.HasSuffix(name, ".gz") {
		return parity.Write(file, scenarios)
	}
	zipped := gzip.NewWriter(file)
	if err := parity.Write(zipped, scenarios); err != nil {
		return err
	}
	return zipped.Close()
}
