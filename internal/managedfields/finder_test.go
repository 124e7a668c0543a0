package managedfields

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// TestFinder: long lists are looked through as short ones are, items that are
// repeated or lack keys among them.
func TestFinder(t *testing.T) {
	var ports, ips strings.Builder
	n := 3 * longList
	for i := range n {
		switch i % 4 {
		case 0:
			fmt.Fprintf(&ports, `{"port":%d,"n":%d},`, i, i)
		case 1:
			fmt.Fprintf(&ports, `{"port":%d.0,"protocol":"UDP","n":%d},`, i-1, i)
		case 2:
			fmt.Fprintf(&ports, `{"port":%d,"protocol":"TCP","n":%d},`, i-2, i)
		default:
			fmt.Fprintf(&ports, `{"protocol":"TCP","n":%d},`, i)
		}
		fmt.Fprintf(&ips, `"%d",`, i/2)
	}
	object := parse(t, `{"spec":{"ports":[`+ports.String()+`7],"ips":[`+ips.String()+`null]}}`)
	shape := serviceShape(t)
	var find Finder
	found := 0
	for i := range n {
		for _, path := range []fieldpath.Path{
			fieldpath.MakePathOrDie("spec", "ports", fieldpath.KeyElementByFields("port", i, "protocol", "TCP")),
			fieldpath.MakePathOrDie("spec", "ports", fieldpath.KeyElementByFields("port", i, "protocol", "UDP"), "n"),
			fieldpath.MakePathOrDie("spec", "ports", fieldpath.KeyElementByFields("protocol", "TCP")),
			fieldpath.MakePathOrDie("spec", "ports", fieldpath.KeyElementByFields("name", "none")),
			fieldpath.MakePathOrDie("spec", "ports", i, "n"),
			fieldpath.MakePathOrDie("spec", "ips", value.NewValueInterface(strconv.Itoa(i))),
		} {
			want := shape.Lookup(object, path)
			if diff := cmp.Diff(want, find.Lookup(shape, object, path)); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", path, diff)
			}
			if find.Has(shape, object, path) != (len(want) > 0) {
				t.Errorf("%s: Has tells otherwise", path)
			}
			found += len(want)
		}
	}
	if found < 2*n {
		t.Errorf("found %d items only", found)
	}
}
