package main

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Programs that read the site, such as agents, read Markdown: each page has a twin of its name
// that ends in .md, and llms.txt lists them.

// twinOf is the address of a page's twin.
func twinOf(url string) string { return strings.TrimSuffix(url, ".html") + ".md" }

// linked is a link or a picture in a line of Markdown.
var linked = regexp.MustCompile(`\]\(([^()\s]+)\)`)

// twin is a page as Markdown, with links to where things are in the site.
func (l *linker) twin(p *page) []byte {
	var out strings.Builder
	fence := ""
	for line := range strings.Lines(string(p.markdown)) {
		switch trimmed := strings.TrimSpace(line); {
		case fence != "" && trimmed == fence:
			fence = ""
		case fence == "" && strings.HasPrefix(trimmed, "```"):
			fence = trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`"))]
		case fence == "":
			line = linked.ReplaceAllStringFunc(line, func(link string) string {
				return "](" + l.inTwin(p, linked.FindStringSubmatch(link)[1]) + ")"
			})
		}
		out.WriteString(line)
	}
	return []byte(out.String())
}

// inTwin is where a link of a twin leads: to another twin, where the page's leads to a page.
func (l *linker) inTwin(p *page, link string) string {
	to := l.target(p, link)
	for _, other := range l.pages {
		address, fragment, _ := strings.Cut(to, "#")
		if path.Join(path.Dir(p.url), address) == other.url {
			return twinOf(address) + hash(fragment)
		}
	}
	return to
}

// index is llms.txt: what the site is about, and its pages.
func index(pages []*page) []byte {
	byURL := map[string]*page{}
	for _, p := range pages {
		byURL[p.source] = p
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n> %s\n", pages[0].title, pages[0].description)
	for _, s := range nav {
		fmt.Fprintf(&out, "\n## %s\n\n", s.title)
		for _, e := range s.entries {
			fmt.Fprintf(&out, "- [%s](%s): %s\n", e.title, twinOf(byURL[e.source].url), byURL[e.source].description)
		}
	}
	return []byte(out.String())
}
