package figures

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWithRow: a row is put where its name belongs, and takes the place of the
// one before.
func TestWithRow(t *testing.T) {
	page := "text\n" + begin + end + "\nmore\n"
	for _, row := range []string{"| b | old | 1 |\n", "| a | x | 2 |\n", "| b | new | 3 |\n"} {
		var err error
		if page, err = withRow(page, row[2:3], row); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff("text\n"+begin+"| a | x | 2 |\n| b | new | 3 |\n"+end+"\nmore\n", page); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if _, err := withRow("no table", "a", ""); err == nil {
		t.Error("a page without the table takes a row")
	}
}
