package output

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/finding"
)

// TestLoadSuppressions: a file is read, or its error names the line.
func TestLoadSuppressions(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"two", "suppressions:\n- {rule: odd, kind: Pod, expires: 2026-12-31, reason: known}\n- {rule: 'o*'}\n", ""},
		{"nothing", "# nothing yet\n", ""},
		{"another list", "a: []\n", "line 1: a list under the key suppressions is needed"},
		{"a rule that is none", "suppressions:\n- kind: Pod\n  rule: such\n", "line 2: no rule is named \"such\""},
		{"a key that is none", "suppressions:\n- rule: odd\n  nam: x\n", "line 3: unknown key: there are rule, kind"},
		{"a day that is none", "suppressions:\n- {rule: odd, expires: tomorrow}\n", "line 2: expires \"tomorrow\" is no day, such as 2026-12-31"},
		{"no rule", "suppressions:\n- {kind: Pod}\n", "line 2: a suppression needs a rule"},
		{"a field that is a list", "suppressions:\n- {rule: '*', field: [a]}\n", "line 2: field is a text"},
	} {
		file := filepath.Join(t.TempDir(), "s.yaml")
		if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := loadSuppressions([]string{file}, finding.Rules{{Name: "odd"}})
		switch {
		case test.want == "" && (err != nil || len(list) != strings.Count(test.text, "rule:")):
			t.Errorf("%s: %d suppressions, %v", test.name, len(list), err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), "--suppressions: parse "+file+": "+test.want)):
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}
