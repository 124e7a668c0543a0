package ssatest

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// updateVariable has golden files written instead of compared.
const updateVariable = "SSATEST_UPDATE"

// AssertManagedFields compares who owns what in an object with a golden file: a line for each
// manager with its operation, followed by its fields. Times and versions are not in it. With the
// variable SSATEST_UPDATE=1 the file is written.
func (c *Cluster) AssertManagedFields(r Ref, golden string) {
	c.t.Helper()
	got, err := c.object(r).managedText()
	if err != nil {
		c.t.Fatal(err)
	}
	if os.Getenv(updateVariable) != "" {
		if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
			c.t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			c.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		c.t.Fatalf("%v (%s=1 writes it)", err, updateVariable)
	}
	if diff := difference(string(want), got); diff != "" {
		c.t.Errorf("%s: managed fields differ from %s (- is the file, + the object; %s=1 writes it):\n%s",
			r, golden, updateVariable, diff)
	}
}

// managedText is who owns what, sorted.
func (o object) managedText() (string, error) {
	var blocks []string
	for _, e := range o.Metadata.ManagedFields {
		fields, err := paths(e.FieldsV1)
		if err != nil {
			return "", err
		}
		title := e.Manager + " " + e.Operation
		if e.Subresource != "" {
			title += " " + e.Subresource
		}
		blocks = append(blocks, title+"\n  "+strings.Join(fields, "\n  ")+"\n")
	}
	sort.Strings(blocks)
	return strings.Join(blocks, ""), nil
}

// difference shows the lines that only one of two texts has, below the manager that they are of.
func difference(want, got string) string {
	wanted, has := lines(want), lines(got)
	var all []string
	for line := range wanted {
		all = append(all, line)
	}
	for line := range has {
		if !wanted[line] {
			all = append(all, line)
		}
	}
	sort.Strings(all)
	var b strings.Builder
	for _, line := range all {
		switch {
		case !has[line]:
			b.WriteString("- " + line + "\n")
		case !wanted[line]:
			b.WriteString("+ " + line + "\n")
		}
	}
	return b.String()
}

// lines are the fields of a text, each with its manager.
func lines(text string) map[string]bool {
	out, title := map[string]bool{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if field, ok := strings.CutPrefix(line, "  "); ok {
			out[title+": "+field] = true
			continue
		}
		title = line
	}
	return out
}
