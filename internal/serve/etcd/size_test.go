package etcd_test

import (
	"strings"
	"testing"
)

// TestTooLarge: a value that etcd does not take is not stored, over either client.
func TestTooLarge(t *testing.T) {
	for name, dial := range map[string]bool{"direct": false, "dialed": true} {
		f := setup(t, dial)
		if _, err := f.client.KV.Put(t.Context(), "a", strings.Repeat("x", 1<<20)); err != nil {
			t.Errorf("%s: a MiB: %v", name, err)
		}
		_, err := f.client.KV.Put(t.Context(), "a", strings.Repeat("x", 3<<19))
		if err == nil || !strings.Contains(err.Error(), "request is too large") {
			t.Errorf("%s: 1.5 MiB: %v", name, err)
		}
		_, err = f.client.KV.Put(t.Context(), "a", strings.Repeat("x", 2<<20))
		if err == nil || !strings.Contains(err.Error(), "larger than max") {
			t.Errorf("%s: two MiB: %v", name, err)
		}
	}
}
