package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinked looks at what is really linked: each module has a license, and the
// notices name those that nobody would miss in go.mod.
func TestLinked(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out, "kustomize_disable_go_plugin_support,grpcnotrace", "../../cmd/ssactl"); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{"\nstd\n===", "\nk8s.io/kubernetes v", "\ngithub.com/spf13/cobra v", "\ngolang.org/x/sys v", "\nsigs.k8s.io/yaml v"} {
		if !strings.Contains(text, want) {
			t.Errorf("the notices lack %q", want)
		}
	}
	for _, not := range []string{"\ngithub.com/ssactl/ssactl", "\ngithub.com/rogpeppe/go-internal", os.Getenv("HOME") + string(filepath.Separator)} {
		if strings.Contains(text, not) {
			t.Errorf("the notices have %q", not)
		}
	}
}

func TestLicenses(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"LICENSE": "terms", "license.go": "package x", "NOTICE.txt": "notice\r\n", "readme.md": "no",
		"copied/inside/LICENSE-MIT": "other terms", "copied/inside/x.go": "package inside", "unlinked/COPYING": "none of it",
		"copied/LICENSE": "terms",
	}
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	m := module{Path: "example.com/x", Version: "v1.0.0", Dir: dir, Dirs: []string{filepath.Join(dir, "copied", "inside")}}
	if err := write(&out, []module{{Path: "std", Dir: dir}, m}); err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(out.String(), "example.com/x v1.0.0\n")
	want := "====================\n\nLICENSE\n\nterms\n\nNOTICE.txt\n\nnotice\n\ncopied/inside/LICENSE-MIT\n\nother terms\n"
	if text != want {
		t.Errorf("got %q, want %q", text, want)
	}
}

// TestNoLicense: all that lack one are named.
func TestNoLicense(t *testing.T) {
	err := write(
		&bytes.Buffer{},
		[]module{{Path: "a", Version: "v1", Dir: t.TempDir()}, {Path: "b", Version: "v2", Dir: t.TempDir()}},
	)
	if err == nil || err.Error() != "a v1 has no license\nb v2 has no license" {
		t.Errorf("got %v", err)
	}
}
