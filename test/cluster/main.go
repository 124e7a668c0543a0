package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// options are the command line.
type options struct {
	objects  int
	seed     uint64
	out      string
	manager  string
	kinds    string
	charts   bool
	operator bool
	changed  int
	conflict int
	absent   int
	dump     int64
	jobs     int

	crds, appliedCRDs int
	crdsBytes         int

	dashboards, releases int
	own                  bool
}

func main() {
	var o options
	flag.IntVar(&o.objects, "objects", 1000, "number of manifests, each with its live object")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of everything that is random")
	flag.StringVar(&o.out, "out", "", "directory that the files go to")
	flag.StringVar(&o.manager, "manager", "argocd-controller", "field manager that the manifests are for")
	flag.StringVar(&o.kinds, "kinds", "", "only these kinds, separated by commas; empty for a realistic mix")
	flag.BoolVar(&o.charts, "charts", false, "only Deployments as charts render them")
	flag.BoolVar(
		&o.operator,
		"operator",
		false,
		"objects of an operator as well, with its definition, policies and webhooks in the dump",
	)
	flag.IntVar(&o.changed, "changed", 8, "manifests in a hundred that change their object")
	flag.IntVar(&o.conflict, "conflicting", 2, "manifests in a hundred that conflict")
	flag.IntVar(&o.absent, "absent", 0, "manifests in a hundred whose object does not exist")
	flag.Int64Var(&o.dump, "dump-bytes", 0, "grow the dump to this size with objects that no manifest names")
	flag.IntVar(&o.crds, "crds", 0, "number of large CustomResourceDefinitions in the dump")
	flag.IntVar(&o.crdsBytes, "crds-bytes", 10<<20, "size of them all, in bytes of YAML")
	flag.IntVar(&o.appliedCRDs, "applied-crds", 0, "how many of them, the largest first, the manifests upgrade")
	flag.IntVar(&o.dashboards, "dashboards", 0, "ConfigMaps with a dashboard, in addition to the objects")
	flag.IntVar(&o.releases, "releases", 0, "Secrets of Helm releases in the dump, of 300 kB each")
	flag.BoolVar(&o.own, "own", false, "write own.yaml too, the live objects of the manifests alone")
	flag.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "objects that are made at once")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, o options) error {
	if o.out == "" {
		return errors.New("-out names no directory")
	}
	kinds, err := chosenKinds(o.kinds)
	if err != nil {
		return err
	}
	if o.charts {
		kinds = []kind{chartDeployment}
	}
	if o.operator {
		kinds = append(slices.Clone(kinds), routeKind)
	}
	made, err := makeAll(ctx, o, kinds)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	if o.own {
		if err := writeDump(filepath.Join(o.out, "own.yaml"), applied(made), 0); err != nil {
			return err
		}
	}
	made = append(made, releases(o)...)
	return errors.Join(
		writeManifests(filepath.Join(o.out, "manifests.yaml"), made, manifestOf),
		writeManifests(filepath.Join(o.out, "former.yaml"), made, formerOf),
		writeDump(filepath.Join(o.out, "live.yaml"), made, o.dump),
		os.WriteFile(filepath.Join(o.out, "crds.yaml"), []byte(strings.Join(definitions, "---\n")), 0o644),
	)
}
