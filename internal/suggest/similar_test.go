package suggest

import (
	"slices"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "a", 1}, {"ports", "ports", 0},
		{"replica", "replicas", 1}, {"imege", "image", 1}, {"prots", "ports", 1}, {"abcd", "badc", 2},
		{"spec", "sepc", 1}, {"kitten", "sitting", 3}, {"a", "imagePullPolicy", 16},
	} {
		if got, back := Distance(c.a, c.b), Distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%q, %q: %d and %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		name  string
		names []string
		want  []string
	}{
		{"prots", []string{"name", "Ports", "ports", "ports", "port"}, []string{"Ports", "ports"}},
		{"replica", []string{"replicas", "replace", "Replica"}, []string{"Replica", "replicas", "replace"}},
		{"x", []string{"spec"}, nil},
	} {
		if got := Nearest(c.name, c.names); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
