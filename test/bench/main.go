package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
}

func main() {
	var o options
	flag.StringVar(&o.ssactl, "ssactl", filepath.Join("bin", "ssactl"), "the program to measure")
	flag.StringVar(&o.doc, "doc", "", "page whose table is written; empty to print it only")
	flag.StringVar(&o.scratch, "scratch", "", "directory for the clusters, which are kept there and used again; empty for one that is removed")
	flag.IntVar(&o.runs, "runs", 3, "runs of which the median counts")
	flag.IntVar(&o.most, "most", 50_000, "leave out clusters of more objects")
	flag.Int64Var(&o.dump, "dump-bytes", 1<<30, "size of the large dump; 0 leaves it out")
	flag.StringVar(&o.oracle, "oracle", "", "the built program of test/oracle, to compare with kubectl and its server; empty leaves that out")
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
	var rows []row
	var compared []comparison
	for _, c := range cases(o) {
		dir := filepath.Join(o.scratch, strings.ReplaceAll(strings.Join(c.cluster, ""), "-", "_"))
		if _, err := os.Stat(filepath.Join(dir, "crds.yaml")); err != nil {
			if err := command(generator, append(c.cluster, "-out", dir)...).Run(); err != nil {
				return fmt.Errorf("make a cluster of %v: %w", c.cluster, err)
			}
		}
		r, err := measure(o, c, dir)
		if err != nil {
			return fmt.Errorf("measure %s: %w", c.title, err)
		}
		rows = append(rows, r)
		fmt.Fprint(os.Stderr, r.line(start))
		if c.server && o.oracle != "" {
			took, err := compare(o, c, dir)
			if err != nil {
				return fmt.Errorf("compare with kubectl: %w", err)
			}
			if took != nil {
				compared = append(compared, *took)
				fmt.Fprint(os.Stderr, took.line())
			}
		}
	}
	text := comparisonTable(compared) + table(rows, start)
	fmt.Print(text)
	if o.doc == "" {
		return nil
	}
	return publish(o.doc, text)
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
