package main

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestTwins: each page is there as Markdown, llms.txt has all of them, and what they link to in
// the site is there.
func TestTwins(t *testing.T) {
	dir := t.TempDir()
	if err := build(os.DirFS("../.."), dir); err != nil {
		t.Fatal(err)
	}
	site := os.DirFS(dir)
	index, err := fs.ReadFile(site, "llms.txt")
	if err != nil || !strings.HasPrefix(string(index), "# ssactl\n\n> ") {
		t.Fatalf("%v\n%.200s", err, index)
	}
	files := []string{"llms.txt"}
	for _, e := range entries() {
		twin := twinOf(urlOf(e.source))
		if strings.Count(string(index), "]("+twin+"): ") != 1 {
			t.Errorf("llms.txt does not list %s once", twin)
		}
		files = append(files, twin)
	}
	links := 0
	for _, file := range files {
		text, err := fs.ReadFile(site, file)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, m := range linked.FindAllStringSubmatch(regexp.MustCompile("(?s)```.*?```").ReplaceAllString(string(text), ""), -1) {
			to, _, _ := strings.Cut(m[1], "#")
			if to == "" || strings.Contains(to, "://") {
				continue
			}
			links++
			if strings.HasSuffix(to, ".html") {
				t.Errorf("%s links to %s, which is no Markdown", file, m[1])
			}
			if _, err := fs.Stat(site, path.Join(path.Dir(file), to)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	if links < 100 {
		t.Errorf("%d links", links)
	}
}
