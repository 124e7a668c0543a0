package main

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// built is a page of the built site, as a browser reads it.
type built struct {
	ids     map[string]int
	links   []string
	sources []string
	titles  []string
	tags    map[string]int
	faults  []string
}

// TestSite builds the site of this repository. Every link within it, and every
// picture, has its target; nothing is fetched from elsewhere, nothing is a script.
func TestSite(t *testing.T) {
	dir := t.TempDir()
	if err := build(os.DirFS("../.."), dir); err != nil {
		t.Fatal(err)
	}
	site := os.DirFS(dir)
	pages := map[string]*built{}
	for _, e := range entries() {
		pages[urlOf(e.source)] = readBuilt(t, site, urlOf(e.source))
	}
	titles := map[string]string{}
	for name, p := range pages {
		if len(p.titles) != 1 || titles[p.titles[0]] != "" {
			t.Errorf("%s has the title %q, as has %s", name, p.titles, titles[p.titles[0]])
		}
		titles[p.titles[0]] = name
		if p.tags["h1"] != 1 || p.tags["main"] != 1 || p.tags["script"] != 0 {
			t.Errorf("%s has %d h1, %d main, %d scripts", name, p.tags["h1"], p.tags["main"], p.tags["script"])
		}
		for _, fault := range p.faults {
			t.Errorf("%s: %s", name, fault)
		}
		for id, n := range p.ids {
			if n > 1 {
				t.Errorf("%s has the id %s %d times", name, id, n)
			}
		}
		for _, link := range p.links {
			checkLink(t, site, pages, name, link)
		}
		for _, source := range p.sources {
			if u, err := url.Parse(source); err != nil || u.Scheme != "" && u.Scheme != "data" || u.Host != "" {
				t.Errorf("%s fetches %s", name, source)
			} else if u.Scheme == "" {
				checkLink(t, site, pages, name, source)
			}
		}
	}
}

// TestSchemaIsPublished: the schema is at the path of its $id.
func TestSchemaIsPublished(t *testing.T) {
	dir := t.TempDir()
	if err := build(os.DirFS("../.."), dir); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../" + schema)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(dir + "/schemas/v1alpha1/report.schema.json")
	if err != nil || string(got) != string(want) {
		t.Errorf("another schema is published: %v", err)
	}
}

func checkLink(t *testing.T, site fs.FS, pages map[string]*built, from, link string) {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Errorf("%s: %s: %v", from, link, err)
		return
	}
	if u.Scheme != "" {
		return
	}
	to := from
	if u.Path != "" {
		to = path.Join(path.Dir(from), u.Path)
	}
	if _, err := fs.Stat(site, to); err != nil {
		t.Errorf("%s: %s leads nowhere", from, link)
	}
	if u.Fragment != "" && pages[to].ids[u.Fragment] == 0 {
		t.Errorf("%s: %s: there is no such heading", from, link)
	}
}

func readBuilt(t *testing.T, site fs.FS, name string) *built {
	t.Helper()
	file, err := site.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	root, err := html.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	p := &built{ids: map[string]int{}, tags: map[string]int{}}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			p.element(n)
		}
	}
	return p
}

func (p *built) element(n *html.Node) {
	p.tags[n.Data]++
	attributes := map[string]string{}
	for _, a := range n.Attr {
		attributes[a.Key] = a.Val
	}
	if id := attributes["id"]; id != "" {
		p.ids[id]++
	}
	switch n.Data {
	case "a":
		p.links = append(p.links, attributes["href"])
	case "link":
		p.sources = append(p.sources, attributes["href"])
	case "img":
		p.sources = append(p.sources, attributes["src"])
		if attributes["alt"] == "" {
			p.faults = append(p.faults, "a picture without a text: "+attributes["src"])
		}
	case "title":
		p.titles = append(p.titles, strings.TrimSpace(n.FirstChild.Data))
	}
}
