package cluster

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// defining is a definition of the live files, which is not read before an object of its
// kind is asked about.
type defining struct {
	manifest.Document
	names func() kindNames
}

func newDefining(d manifest.Document) defining {
	return defining{d, sync.OnceValue(func() kindNames { return namesIn(d.Text()) })}
}

// mayDefine reports whether a definition may be of a kind, as far as its name and those in
// its text tell. The server takes none whose name does not end with its group
// (ValidateCustomResourceDefinition).
func (d defining) mayDefine(kind schema.GroupKind) bool {
	if kind.Group == "" || !strings.HasSuffix(d.Name, "."+kind.Group) {
		return false
	}
	n := d.names()
	if n.unsure && !n.spelled {
		text := d.Text()
		return text == nil || bytes.Contains(text, []byte(kind.Group)) && bytes.Contains(text, []byte(kind.Kind))
	}
	return n.spelled || n.known[kind.Group] && n.known[kind.Kind]
}

// kindNames are the values of all keys group and kind of a definition, of whatever part
// of it, schemas and descriptions included. They are unsure where one may be written in
// another way than as a word, and where the text cannot be read; spelled where a key or a
// letter may be written as an escape or apart from the rest.
type kindNames struct {
	known           map[string]bool
	unsure, spelled bool
}

func namesIn(text []byte) kindNames {
	n := kindNames{known: map[string]bool{}, unsure: text == nil, spelled: escapesLetter(text) || setsKeyApart(text)}
	for _, key := range []string{"group", "kind"} {
		for rest, found := text, true; found; {
			if _, rest, found = bytes.Cut(rest, []byte(key)); found {
				n.add(rest)
			}
		}
	}
	return n
}

// escapesLetter reports whether a letter may be written as an escape.
func escapesLetter(text []byte) bool {
	for {
		_, rest, found := bytes.Cut(text, []byte(`\`))
		if !found {
			return false
		}
		for _, escape := range []string{"u00", "U000000", "x"} {
			if code, ok := bytes.CutPrefix(rest, []byte(escape)); ok && len(code) > 0 && code[0] >= '4' && code[0] <= '7' {
				return true
			}
		}
		text = rest
	}
}

// setsKeyApart reports whether a line may begin with the mark of a key that stands apart
// from its value.
func setsKeyApart(text []byte) bool {
	for at := 0; ; at++ {
		found := bytes.IndexByte(text[at:], '?')
		if found < 0 {
			return false
		}
		at += found
		start := len(bytes.TrimRight(text[:at], " -"))
		ends := at+1 == len(text) || bytes.IndexByte([]byte(" \t\r\n"), text[at+1]) >= 0
		if ends && (start == 0 || text[start-1] == '\n') {
			return true
		}
	}
}

// add takes what follows the colon of a key, where there is one.
func (n *kindNames) add(behind []byte) {
	behind = bytes.TrimLeft(behind, "\"' \t")
	if len(behind) == 0 || behind[0] != ':' {
		return
	}
	behind = bytes.TrimLeft(behind[1:], "\"' \t\r\n")
	end := 0
	for end < len(behind) && inName(behind[end]) {
		end++
	}
	if end > 0 && end < len(behind) && behind[end] == '\\' {
		n.spelled = true
		return
	}
	if end > 0 {
		n.known[string(behind[:end])] = true
		return
	}
	n.unsure = n.unsure || len(behind) > 0 && bytes.IndexByte([]byte("\\|>&*!#"), behind[0]) >= 0
}

func inName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_'
}

// noteRivals says which definitions of --crds the live files have with other schemas:
// answers go by the live ones, which is what the cluster has.
func (c *Cluster) noteRivals(objects given) {
	flagged := map[string]manifest.Document{}
	for _, d := range c.Definitions {
		if IsDefinition(d.Identity) && c.kinds[DefinedBy(d)] {
			flagged[d.Name] = d
		}
	}
	if len(flagged) == 0 {
		return
	}
	for _, d := range objects.defining {
		rival, given := flagged[d.Name]
		if !given || d.Unread() != nil || reflect.DeepEqual(schemasOf(d.Document), schemasOf(rival)) {
			continue
		}
		at, source := report.Source(d.Source), report.Source(rival.Source)
		c.Notices = append(c.Notices, fmt.Sprintf("%s defines %s with other schemas than the live files do (%s): the answers go by the live ones",
			words.Place(&source), d.Name, words.Place(&at)))
	}
}

// schemasOf are the schemas of a definition by version; versions that are not served
// define nothing.
func schemasOf(d manifest.Document) map[string]any {
	out := map[string]any{}
	object, err := jsontree.Decode(d.JSON())
	if err != nil {
		return out
	}
	spec, _ := object["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	for _, v := range versions {
		version, _ := v.(map[string]any)
		if name, _ := version["name"].(string); version["served"] == true {
			out[name] = version["schema"]
		}
	}
	return out
}
