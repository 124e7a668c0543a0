// Command size writes how much of a program comes from which module, as a table in
// Markdown: what its functions and data take, by the module of their package. The
// program needs its symbol table (go build without -ldflags=-s).
//
//	go build -ldflags=-w -o ssactl ./cmd/ssactl && go run ./hack/size ssactl
package main

import (
	"cmp"
	"debug/buildinfo"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: size PROGRAM")
		os.Exit(2)
	}
	if err := run(os.Stdout, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

// share is what a group takes, in bytes.
type share struct {
	name       string
	code, data uint64
}

func run(w io.Writer, program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	file, err := elf.Open(program)
	if err != nil {
		return err
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		return fmt.Errorf("%s: %w (build it without -ldflags=-s)", program, err)
	}
	modules := []string{info.Main.Path}
	for _, d := range info.Deps {
		modules = append(modules, d.Path)
	}
	shares := map[string]*share{}
	for _, s := range symbols {
		// bss takes no room in the file.
		if int(s.Section) >= len(file.Sections) || file.Sections[s.Section].Type == elf.SHT_NOBITS {
			continue
		}
		add(shares, groupOf(s.Name, modules), s.Size, file.Sections[s.Section].Flags&elf.SHF_EXECINSTR != 0)
	}
	return write(w, shares, file)
}

func add(shares map[string]*share, name string, size uint64, code bool) {
	if shares[name] == nil {
		shares[name] = &share{name: name}
	}
	if code {
		shares[name].code += size
	} else {
		shares[name].data += size
	}
}

// groupOf is the module of a symbol, by the longest path that its package begins
// with; else what kind of data it is.
func groupOf(symbol string, modules []string) string {
	for _, kind := range []struct{ prefix, name string }{
		{"type:", "(types, equality and hashes)"}, {"go:", "(tables of the linker, constants)"},
		{"runtime.", "(runtime tables and the runtime)"},
	} {
		if strings.HasPrefix(symbol, kind.prefix) {
			return kind.name
		}
	}
	best := "the standard library"
	for _, m := range modules {
		if within(symbol, m) && (best == "the standard library" || len(m) > len(best)) {
			best = m
		}
	}
	return best
}

// within reports whether a symbol is of a package of the module. Dots in the last
// element of a package's path are escaped in symbols.
func within(symbol, module string) bool {
	dir, last := "", module
	if i := strings.LastIndexByte(module, '/'); i >= 0 {
		dir, last = module[:i+1], module[i+1:]
	}
	for _, path := range []string{module, dir + strings.ReplaceAll(last, ".", "%2e")} {
		if rest, found := strings.CutPrefix(symbol, path); found &&
			(strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "/")) {
			return true
		}
	}
	return false
}

// write prints what takes at least 0.2 MB, the largest first, and the rest as one.
func write(w io.Writer, shares map[string]*share, file *elf.File) error {
	list := make([]share, 0, len(shares))
	for _, s := range shares {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b share) int {
		return cmp.Or(cmp.Compare(b.code+b.data, a.code+a.data), cmp.Compare(a.name, b.name))
	})
	var rest share
	fmt.Fprint(w, "| module | code, MB | data, MB |\n|---|---:|---:|\n")
	others := 0
	for _, s := range list {
		if s.code+s.data < 200_000 {
			rest.code, rest.data, others = rest.code+s.code, rest.data+s.data, others+1
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", s.name, megabytes(s.code), megabytes(s.data))
	}
	fmt.Fprintf(w, "| %d others | %s | %s |\n", others, megabytes(rest.code), megabytes(rest.data))
	tables := file.Section(".gopclntab")
	if tables == nil {
		return errors.New("the program has no section .gopclntab: is it one of Go?")
	}
	fmt.Fprintf(w, "| (lines and names of functions) | | %s |\n", megabytes(tables.Size))
	fmt.Fprintf(
		w,
		"| (types, strings and what else has no symbol) | | %s |\n",
		megabytes(loaded(file)-tables.Size-counted(list)),
	)
	fmt.Fprintf(w, "| all that is loaded | | %s |\n", megabytes(loaded(file)))
	return nil
}

// loaded is the size of all that is in the file and loaded from it: what is left of it
// when it is stripped.
func loaded(file *elf.File) uint64 {
	var n uint64
	for _, s := range file.Sections {
		if s.Type != elf.SHT_NOBITS && s.Flags&elf.SHF_ALLOC != 0 {
			n += s.Size
		}
	}
	return n
}

// counted is what has symbols.
func counted(list []share) uint64 {
	var n uint64
	for _, s := range list {
		n += s.code + s.data
	}
	return n
}

func megabytes(n uint64) string { return fmt.Sprintf("%.1f", float64(n)/1e6) }
