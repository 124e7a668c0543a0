package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// systems are those that are released: packages differ by system.
var systems = []string{"linux", "darwin", "windows"}

func main() {
	tags := flag.String("tags", "", "build tags, as of go build")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: notices [-tags LIST] PACKAGE...")
		os.Exit(2)
	}
	if err := run(os.Stdout, *tags, flag.Args()...); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, tags string, packages ...string) error {
	modules, err := linked(tags, packages...)
	if err != nil {
		return err
	}
	return write(w, modules)
}

// pkg is a package as 'go list' describes it.
type pkg struct {
	Dir      string
	Standard bool
	Root     string
	Module   *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// module is one with linked packages.
type module struct {
	// Path is "std" for the standard library.
	Path, Version, Dir string
	// Dirs are the folders of the packages that are linked, sorted.
	Dirs []string
}

// linked gives the modules, sorted by path; the main module is not among them.
func linked(tags string, names ...string) ([]module, error) {
	found := map[string]*module{}
	for _, system := range systems {
		args := append([]string{"list", "-deps", "-tags", tags, "-json=Dir,Standard,Root,Module"}, names...)
		cmd := exec.Command("go", args...)
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w: %s", system, err, strings.TrimSpace(stderr.String()))
		}
		if err := collect(found, out); err != nil {
			return nil, err
		}
	}
	modules := make([]module, 0, len(found))
	for _, m := range found {
		slices.Sort(m.Dirs)
		m.Dirs = slices.Compact(m.Dirs)
		modules = append(modules, *m)
	}
	slices.SortFunc(modules, func(a, b module) int { return cmp.Compare(a.Path, b.Path) })
	return modules, nil
}

func collect(found map[string]*module, list []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(list))
	for {
		var p pkg
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read what go list wrote: %w", err)
		}
		m := moduleOf(p)
		if m.Path == "" {
			continue
		}
		if found[m.Path] == nil {
			found[m.Path] = &m
		}
		found[m.Path].Dirs = append(found[m.Path].Dirs, p.Dir)
	}
}

// moduleOf is the module of a package; without a path where it needs no notice.
func moduleOf(p pkg) module {
	switch {
	case p.Standard:
		return module{Path: "std", Dir: p.Root}
	case p.Module == nil || p.Module.Main:
		return module{}
	}
	return module{Path: p.Module.Path, Version: p.Module.Version, Dir: p.Module.Dir}
}
