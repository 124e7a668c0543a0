package engine

import (
	"fmt"
	"testing"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// TestByCause: a cause names the version of an update, and not that of an apply; of
// several entries that it may name the first counts.
func TestByCause(t *testing.T) {
	var entries []managedfields.Entry
	for i, w := range []managedfields.Writer{
		{Role: managedfields.Role{Manager: "a", Operation: "Apply"}, APIVersion: "v1"},
		{Role: managedfields.Role{Manager: "a", Operation: "Apply"}, APIVersion: "v2"},
		{Role: managedfields.Role{Manager: "a", Operation: "Update"}, APIVersion: "v1"},
		{Role: managedfields.Role{Manager: "a", Operation: "Update"}, APIVersion: "v2"},
		{Role: managedfields.Role{Manager: "a", Operation: "Update"}, APIVersion: "v2"},
		{Role: managedfields.Role{Manager: "a", Operation: "Update", Subresource: "scale"}, APIVersion: "v2"},
	} {
		entries = append(entries, managedfields.Entry{Writer: w, Index: i})
	}
	found := byCause(entries)
	var got []int
	for _, e := range entries {
		got = append(got, found[causeKey(e.Writer)].Index)
	}
	if want := []int{0, 0, 2, 3, 3, 5}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
