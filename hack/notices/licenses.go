package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// named are files with terms, whatever their extension.
var named = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|unlicense)([-._].*)?$`)

// code is what only looks so, such as license.go.
var code = regexp.MustCompile(`(?i)\.(go|s|py|sh|js|json|yaml|yml|tmpl)$`)

// write prints a heading for each module, and under it each of its texts once.
func write(w io.Writer, modules []module) error {
	var missing []error
	fmt.Fprintf(w, "Licenses of what is linked into ssactl: the Go standard library, and %d modules.\n", len(modules)-1)
	for _, m := range modules {
		texts, err := licenses(m)
		if err == nil && len(texts) == 0 {
			err = errors.New("has no license")
		}
		if err != nil {
			missing = append(missing, fmt.Errorf("%s %s %w", m.Path, m.Version, err))
			continue
		}
		title := strings.TrimSpace(m.Path + " " + m.Version)
		fmt.Fprintf(w, "\n%s\n%s\n", title, strings.Repeat("=", len(title)))
		for _, t := range texts {
			fmt.Fprintf(w, "\n%s\n\n%s\n", t.name, t.text)
		}
	}
	return errors.Join(missing...)
}

// license is a text with its file's path in the module.
type license struct{ name, text string }

// licenses are the texts in the folders of the packages that are linked, and in
// those above them in the module: what was copied in from elsewhere has its own.
func licenses(m module) ([]license, error) {
	var all []license
	for _, dir := range folders(m) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || !named.MatchString(e.Name()) || code.MatchString(e.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			name, err := filepath.Rel(m.Dir, filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			all = append(all, license{filepath.ToSlash(name), strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n"))})
		}
	}
	return distinct(all), nil
}

// folders are those of the packages and all above them in the module, sorted.
func folders(m module) []string {
	out := []string{m.Dir}
	for _, dir := range m.Dirs {
		for ; strings.HasPrefix(dir, m.Dir+string(filepath.Separator)); dir = filepath.Dir(dir) {
			out = append(out, dir)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// distinct leaves out texts that were there before.
func distinct(all []license) []license {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(l license) bool {
		was := seen[l.text]
		seen[l.text] = true
		return was
	})
}
