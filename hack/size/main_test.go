package main

import "testing"

func TestGroupOf(t *testing.T) {
	modules := []string{"k8s.io/api", "k8s.io/apimachinery", "gopkg.in/inf.v0", "github.com/a/b", "github.com/a/b/v2"}
	cases := map[string]string{
		"k8s.io/api/core/v1.(*Pod).DeepCopy":  "k8s.io/api",
		"k8s.io/apimachinery/pkg/runtime.New": "k8s.io/apimachinery",
		"gopkg.in/inf%2ev0.NewDec":            "gopkg.in/inf.v0",
		"github.com/a/b/v2/c.F":               "github.com/a/b/v2",
		"github.com/a/b.F":                    "github.com/a/b",
		"net/http.(*Client).Do":               "the standard library",
		"type:*k8s.io/api/core/v1.Pod":        "(types, equality and hashes)",
		"go:itab.*os.File,io.Reader":          "(tables of the linker, constants)",
	}
	for symbol, want := range cases {
		if got := groupOf(symbol, modules); got != want {
			t.Errorf("%s is of %s, want %s", symbol, got, want)
		}
	}
}
