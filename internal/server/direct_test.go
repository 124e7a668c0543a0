package server

import (
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/ssactl/ssactl/internal/server/faithful"
)

// TestKeepsText: keepsText has all kinds that are served and hold JSON to the
// letter, and no others.
func TestKeepsText(t *testing.T) {
	server := newServer(t, Options{})
	served := 0
	for kind, typ := range legacyscheme.Scheme.AllKnownTypes() {
		r, err := server.catalog.find(kind)
		if err != nil {
			t.Fatal(err)
		}
		if r == nil {
			continue
		}
		served++
		if want, got := holds(typ, reflect.TypeFor[runtime.RawExtension](), nil), faithful.KeepsText[r.gvr.GroupResource()]; got != want {
			t.Errorf("%s: it holds JSON to the letter: %v; keepsText: %v", kind, want, got)
		}
		if paths := faithful.LetterPaths(kind); (len(paths) > 0) != holds(typ, reflect.TypeFor[runtime.RawExtension](), nil) {
			t.Errorf("%s: it keeps letters at %q", kind, paths)
		}
	}
	if served < 60 {
		t.Errorf("looked at %d kinds only", served)
	}
}

// holds reports whether a value of a type may have one of another in it.
func holds(t, sought reflect.Type, above []reflect.Type) bool {
	for _, a := range above {
		if a == t {
			return false
		}
	}
	above = append(above, t)
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return holds(t.Elem(), sought, above)
	case reflect.Struct:
		if t == sought {
			return true
		}
		for i := range t.NumField() {
			if holds(t.Field(i).Type, sought, above) {
				return true
			}
		}
	}
	return false
}
