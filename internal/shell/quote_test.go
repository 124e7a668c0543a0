package shell

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestQuote(t *testing.T) {
	tests := []struct{ name, arg, want string }{
		{"empty", "", `''`},
		{"name", "web-1.example.com/v1:a@b,c+d%e", "web-1.example.com/v1:a@b,c+d%e"},
		{"flag with a value", "--type=json", "--type=json"},
		{"assignment", "A=b", `'A=b'`},
		{"blank", "a b", `'a b'`},
		{"single quote", "it's", `'it'\''s'`},
		{"only a single quote", "'", `''\'''`},
		{"expansions", "$(rm -rf /) `x` $HOME ~ * ! \\", "'$(rm -rf /) `x` $HOME ~ * ! \\'"},
		{"lines", "a\nb\tc", "'a\nb\tc'"},
		{"escape sequence", "a\x1b[2Jb", `'a'"$(printf '\033')"'[2Jb'`},
		{"bidirectional override", "a\u202eb", `'a'"$(printf '\342\200\256')"'b'`},
		{"carriage return", "a\r", `'a'"$(printf '\015')"`},
		{"not UTF-8", "\xff", `"$(printf '\377')"`},
		{"letters of other scripts", "naïve", `'naïve'`},
		{"command to a runner", "it's ##[group]a ##vso[b] #[c]", `'it'\''s ##'"["'group]a ##vso'"["'b] #[c]'`},
		{"NUL", "a\x00b", `'ab'`},
		{"only NUL", "\x00", `''`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Quote(tt.arg)); diff != "" {
				t.Errorf("Quote(%q) (-want +got):\n%s", tt.arg, diff)
			}
		})
	}
}

// FuzzQuote: a shell gives the argument back, and nothing more.
func FuzzQuote(f *testing.F) {
	for _, seed := range []string{"", "web", "it's", "a b", "$(id)", "`id`", "a\nb", "a\n", "\n", "\x1b[0m", "\r\n", "\xff\xfe", "-n", "%s", `\`, `\'`, "!!", "~", "a=b", "\u202e", "\x7f\n\x7f", "##[a]'##vso[b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		want := strings.ReplaceAll(arg, "\x00", "")
		script := "printf '%s|' " + Quote(arg) + " end"
		got, err := exec.Command("sh", "-c", script).CombinedOutput()
		if err != nil {
			t.Fatalf("sh -c %q: %v: %s", script, err, got)
		}
		if diff := cmp.Diff(want+"|end|", string(got)); diff != "" {
			t.Errorf("printf of Quote(%q), script %q (-want +got):\n%s", arg, script, diff)
		}
	})
}
