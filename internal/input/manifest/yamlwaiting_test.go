package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// waitingItem is an item of a List, and what is to become of it.
type waitingItem struct{ name, text, fate string }

const (
	waitingLimit = 200 << 10
	isGiven      = "given"
	isPutOff     = "put off"
	isSkipped    = "skipped"
	isTooLarge   = "too large"
)

// waitingItems are items of all sorts, in any order, that make a large List: of those that
// are converted, some take long, so that many wait behind them.
func waitingItems(r *rand.Rand, n int) []waitingItem {
	items := make([]waitingItem, n)
	for i := range items {
		kind, fate, data := "A", isGiven, fmt.Sprintf("    x: %s\n", strings.Repeat("y", r.IntN(3000)))
		switch r.IntN(12) {
		case 0:
			data = "    x: \"in quotes\nthat are outdented\"\n    y: " + strings.Repeat("z", r.IntN(20000)) + "\n"
		case 1:
			// In flow style, which takes the reader long.
			data = "    x: [" + strings.Repeat("{a: b, c: 'd'}, ", r.IntN(waitingLimit/20)) + "]\n"
		case 2:
			data, fate = strings.Repeat("    # a line\n", waitingLimit/10), isTooLarge
		case 3, 4, 5:
			kind, fate = "Unwanted", isSkipped
		case 6, 7:
			kind, fate = "PutOff", isPutOff
			data += strings.Repeat("    # a line\n", r.IntN(waitingLimit/20))
		}
		name := fmt.Sprintf("i-%d", i)
		items[i] = waitingItem{
			name,
			fmt.Sprintf("- apiVersion: v1\n  kind: %s\n  metadata:\n    name: %s\n  data:\n%s", kind, name, data),
			fate,
		}
	}
	return items
}

// TestWaiting: whatever waits behind whatever else, every item of a large List comes to
// what it comes to alone, in the order of the List; read from a file, which can be read
// again, and from one that cannot, with a List that is too large to be held and one that
// is not.
func TestWaiting(t *testing.T) {
	for seed := range uint64(4) {
		items := waitingItems(rand.New(rand.NewPCG(seed, 1)), 250)
		var text strings.Builder
		text.WriteString("apiVersion: v1\nkind: List\nitems:\n")
		var want []string
		for _, item := range items {
			text.WriteString(item.text)
			want = append(want, item.fate)
		}
		dir := t.TempDir()
		plain, packed := filepath.Join(dir, "plain.yaml"), filepath.Join(dir, "packed.yaml.gz")
		writeText(t, plain, text.String())
		writeText(t, packed, zipped(t, text.String()))
		for _, limit := range []int{waitingLimit, DefaultMaxDocumentBytes} {
			for _, path := range []string{plain, packed, "-"} {
				got := fates(
					t,
					items,
					path,
					Options{Stdin: strings.NewReader(text.String()), MaxDocumentBytes: limit, MaxValues: 1 << 20},
				)
				expected := want
				if limit > waitingLimit {
					expected = allowed(want)
				}
				if diff := cmp.Diff(expected, got); diff != "" {
					t.Fatalf("seed %d, %s, at most %d bytes (-want +got)\n%s", seed, path, limit, diff)
				}
			}
		}
	}
}

// allowed are fates where nothing is too large.
func allowed(fates []string) []string {
	out := make([]string, len(fates))
	for i, fate := range fates {
		out[i] = strings.Replace(fate, isTooLarge, isGiven, 1)
	}
	return out
}

// fates reads a List, and returns the result for each item.
func fates(t *testing.T, items []waitingItem, path string, options Options) []string {
	t.Helper()
	var out []string
	options.Want = func(id Identity) bool { return id.Kind != "Unwanted" }
	options.Defer = func(id Identity) bool { return id.Kind == "PutOff" }
	options.OnSkip = func(id Identity) { out = append(out, isSkipped) }
	for d, err := range Read([]string{path}, options) {
		n := len(out)
		switch {
		case errors.Is(err, ErrTooLarge):
			out = append(out, isTooLarge)
		case err != nil:
			out = append(out, err.Error())
		case d.Item != n+1 || d.Name != items[min(n, len(items)-1)].name || !bytes.Contains(d.JSON(), []byte(d.Name)):
			out = append(out, fmt.Sprintf("item %d is %s", d.Item, d.Name))
		case d.Deferred():
			out = append(out, isPutOff)
		default:
			out = append(out, isGiven)
		}
	}
	return out
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestWaitingForAnotherAnswer: whether an item is wanted is asked once it is read, and that
// answer stays.
func TestWaitingForAnotherAnswer(t *testing.T) {
	text, asked := "apiVersion: v1\nkind: List\nitems:\n"+filler(), map[Identity]int{}
	documents, problems := Load([]string{"-"}, Options{Stdin: strings.NewReader(text), Want: func(id Identity) bool {
		asked[id]++
		return asked[id] > 1
	}})
	if len(problems) > 0 || len(documents) >= 1200 {
		t.Errorf("%d documents, %v", len(documents), problems)
	}
}
