package textdiff

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnified(t *testing.T) {
	cases := []struct{ name, old, new, want string }{
		{"equal", "a\n", "a\n", ""},
		{"modified", "a\nb\nc\n", "a\nB\nc\n", "--- o\n+++ n\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"created", "", "a\nb\n", "--- o\n+++ n\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"deleted", "a\n", "", "--- o\n+++ n\n@@ -1 +0,0 @@\n-a\n"},
		{"newline lost", "a\n", "a", "--- o\n+++ n\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"},
		{"two hunks", "1\n2\n3\n4\n5\n6\n7\n", "x\n2\n3\n4\n5\n6\ny\n",
			"--- o\n+++ n\n@@ -1,2 +1,2 @@\n-1\n+x\n 2\n@@ -6,2 +6,2 @@\n 6\n-7\n+y\n"},
	}
	for _, c := range cases {
		context := 3
		if c.name == "two hunks" {
			context = 1
		}
		got := Unified("o", "n", Lines(c.old, c.new, context))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}

func TestWords(t *testing.T) {
	cases := []struct {
		old, new string
		want     []Edit
	}{
		{"image: nginx:1.27", "image: nginx:1.28", []Edit{{Equal, "image: nginx:1."}, {Delete, "27"}, {Insert, "28"}}},
		{"abc", "xyz", []Edit{{Delete, "abc"}, {Insert, "xyz"}}},
		{"", "", nil},
		{"", "x", []Edit{{Insert, "x"}}},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, Words(c.old, c.new)); diff != "" {
			t.Errorf("%q to %q: (-want +got)\n%s", c.old, c.new, diff)
		}
	}
}

// TestLongTexts has more lines than one search may have.
func TestLongTexts(t *testing.T) {
	var old, new strings.Builder
	for i := range 4 * maxSearch {
		line := strings.Repeat("x", i%7) + string(rune('a'+i%26)) + strings.Repeat("y", i/26) + "\n"
		if i%5 != 0 {
			old.WriteString(line)
		}
		if i%3 != 0 {
			new.WriteString(line)
		}
	}
	checkApplies(t, old.String(), new.String(), 3)
	repeated := strings.Repeat("a\nb\n", maxSearch)
	checkApplies(t, repeated, "c\n"+strings.Repeat("b\na\n", maxSearch), 3)
}

// TestWork: what is beyond the bound is reported rightly, too: lines in another order,
// lines that all occur twice, and lines that are found again only at anchors, with
// more between those than may be searched in all.
func TestWork(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	lines := make([]string, 10*maxSearch)
	for i := range lines {
		lines[i] = fmt.Sprintf("%d\n", i)
	}
	shuffled := slices.Clone(lines)
	random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	checkApplies(t, strings.Join(lines, ""), strings.Join(shuffled, ""), 3)
	twice := slices.Concat(shuffled[:maxSearch], shuffled[:maxSearch])
	checkApplies(t, strings.Join(twice, ""), strings.Join(slices.Concat(lines[:maxSearch], lines[:maxSearch]), ""), 3)

	const between = maxSearch/2 - 1
	foreign := slices.Clone(lines)
	for i := range foreign {
		if i%between > 0 {
			foreign[i] = "other " + foreign[i]
		}
	}
	c := comparison{work: maxWork}
	equal := 0
	for _, e := range c.script(lines, foreign) {
		if e.Kind == Equal {
			equal++
		}
	}
	if want := (len(lines) + between - 1) / between; equal != want || c.work > between*between {
		t.Errorf("%d lines are equal, want %d; %d steps are left", equal, want, c.work)
	}
}

func FuzzLines(f *testing.F) {
	f.Add("a\nb\n", "b\nc\n", 3)
	f.Add("", "x", 0)
	f.Add("\xff\n\r\n", "\xff\r\n", 1)
	f.Fuzz(func(t *testing.T, old, new string, context int) {
		checkApplies(t, old, new, max(0, context%8))
	})
}

func FuzzWords(f *testing.F) {
	f.Add("nginx:1.27", "nginx:1.28")
	f.Add("\xff\xfe a", "\xff b")
	f.Fuzz(func(t *testing.T, old, new string) {
		var a, b string
		for _, e := range Words(old, new) {
			if e.Kind != Insert {
				a += e.Text
			}
			if e.Kind != Delete {
				b += e.Text
			}
		}
		if diff := cmp.Diff([]string{old, new}, []string{a, b}); diff != "" {
			t.Errorf("sides of the edits: (-want +got)\n%s", diff)
		}
	})
}

func checkApplies(t *testing.T, old, new string, context int) {
	t.Helper()
	got, err := Apply(old, Lines(old, new, context))
	if err != nil {
		t.Fatalf("apply the diff of %d and %d bytes: %v", len(old), len(new), err)
	}
	if diff := cmp.Diff(new, got); diff != "" {
		t.Errorf("diff applied to the old text: (-want +got)\n%s", diff)
	}
}
