package output

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestVerbosity: -v counts, and takes what a flag of true and false takes.
func TestVerbosity(t *testing.T) {
	for given, want := range map[string]verbosity{
		"": 0, "-v": 1, "-vv": 2, "--verbose": 1, "--verbose=true": 1, "--verbose=false": 0, "-v --verbose=false": 0,
	} {
		var v verbosity
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.VarP(&v, "verbose", "v", "")
		flags.Lookup("verbose").NoOptDefVal = "true"
		if err := flags.Parse(strings.Fields(given)); err != nil || v != want {
			t.Errorf("%q: %d, %v; want %d", given, v, err, want)
		}
		on, err := flags.GetBool("verbose")
		if err != nil || on != (want > 0) {
			t.Errorf("%q as a bool: %t, %v", given, on, err)
		}
	}
	var v verbosity
	if err := v.Set("much"); err == nil {
		t.Error("a word is taken for a number")
	}
}
