package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// options are the command line.
type options struct {
	ssactl  string
	doc     string
	scratch string
	runs    int
	most    int
	dump    int64
	oracle  string
	real    string
}

func main() {
	var o options
	flag.StringVar(&o.ssactl, "ssactl", filepath.Join("bin", "ssactl"), "the program to measure")
	flag.StringVar(&o.doc, "doc", "", "page whose table is written; empty to print it only")
	flag.StringVar(
		&o.scratch,
		"scratch",
		"",
		"directory for the clusters, which are kept there and used again; empty for one that is removed",
	)
	flag.IntVar(&o.runs, "runs", 3, "runs of which the median counts")
	flag.IntVar(&o.most, "most", 50_000, "leave out clusters of more objects")
	flag.Int64Var(&o.dump, "dump-bytes", 1<<30, "size of the large dump; 0 leaves it out")
	flag.StringVar(
		&o.oracle,
		"oracle",
		"",
		"the built program of test/oracle, to compare with kubectl and its server; empty leaves that out",
	)
	flag.StringVar(
		&o.real,
		"upgrades",
		"",
		"directory with a folder for each real upgrade to measure, as test/cluster writes them",
	)
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(2)
	}
}

func run(o options) error {
	if o.scratch == "" {
		dir, err := os.MkdirTemp("", "ssactl-bench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		o.scratch = dir
	}
	generator := filepath.Join(o.scratch, "cluster")
	if err := command("go", "build", "-o", generator, "./test/cluster").Run(); err != nil {
		return fmt.Errorf("build test/cluster: %w", err)
	}
	start, err := startOf(o)
	if err != nil {
		return err
	}
	real, err := realUpgrades(o.real)
	if err != nil {
		return err
	}
	first, err := measureAll(o, generator, start, append(upgrades(), real...))
	if err != nil {
		return err
	}
	second, err := measureAll(o, generator, start, cases(o))
	if err != nil {
		return err
	}
	text := comparisonTable(first.compared) + table(first.rows) + "\n" +
		comparisonTable(second.compared) + table(second.rows) + startLine(start)
	fmt.Print(text)
	if o.doc == "" {
		return nil
	}
	return publish(o.doc, text)
}

// measured is what was measured, in the order of the cases.
type measured struct {
	rows     []row
	compared []comparison
}

func measureAll(o options, generator string, start time.Duration, all []benchCase) (measured, error) {
	var out measured
	for _, c := range all {
		dir, err := filesOf(o, generator, c)
		if err != nil {
			return out, err
		}
		r, err := measure(o, c, dir)
		if err != nil {
			return out, fmt.Errorf("measure %s: %w", c.title, err)
		}
		r.start = start
		out.rows = append(out.rows, r)
		fmt.Fprint(os.Stderr, r.line())
		if !c.server || o.oracle == "" {
			continue
		}
		took, err := compare(o, c, dir)
		if err != nil {
			return out, fmt.Errorf("compare with kubectl: %w", err)
		}
		if took != nil {
			out.compared = append(out.compared, *took)
			fmt.Fprint(os.Stderr, took.line())
		}
	}
	return out, nil
}

// filesOf is the directory with the files of a case, which are made where there are none.
func filesOf(o options, generator string, c benchCase) (string, error) {
	if c.dir != "" {
		return c.dir, nil
	}
	dir := filepath.Join(o.scratch, strings.ReplaceAll(strings.Join(c.cluster, ""), "-", "_"))
	if exists(filepath.Join(dir, "crds.yaml")) {
		return dir, nil
	}
	if err := command(generator, append(c.cluster, "-out", dir)...).Run(); err != nil {
		return "", fmt.Errorf("make a cluster of %v: %w", c.cluster, err)
	}
	return dir, nil
}

func command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	return cmd
}

const begin, end = "<!-- table -->\n", "<!-- end of table -->"

// publish writes the table between its marks.
func publish(file, text string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, rest, found := strings.Cut(string(raw), begin)
	_, tail, ended := strings.Cut(rest, end)
	if !found || !ended {
		return errors.New(file + " has no place for the table")
	}
	return os.WriteFile(file, []byte(head+begin+text+end+tail), 0o644)
}
