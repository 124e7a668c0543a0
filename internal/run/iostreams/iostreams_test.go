package iostreams

import (
	"fmt"
	"io"
	"os"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func env(m map[string]string) func(string) string {
	return func(k string) string { return m[k] }
}

func TestColorEnabled(t *testing.T) {
	cases := []struct {
		name     string
		flag     Color
		env      map[string]string
		terminal bool
		want     bool
	}{
		{"pipe", ColorAuto, nil, false, false},
		{"terminal", ColorAuto, nil, true, true},
		{"flag over NO_COLOR", ColorAlways, map[string]string{"NO_COLOR": "1"}, false, true},
		{"flag over force", ColorNever, map[string]string{"CLICOLOR_FORCE": "1"}, true, false},
		{"NO_COLOR over force", ColorAuto, map[string]string{"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, true, false},
		{"empty NO_COLOR", ColorAuto, map[string]string{"NO_COLOR": ""}, true, true},
		{"force in a pipe", ColorAuto, map[string]string{"CLICOLOR_FORCE": "1"}, false, true},
		{"force 0", ColorAuto, map[string]string{"CLICOLOR_FORCE": "0"}, false, false},
		{"CLICOLOR 0", ColorAuto, map[string]string{"CLICOLOR": "0"}, true, false},
		{"dumb terminal", ColorAuto, map[string]string{"TERM": "dumb"}, true, false},
		{"zero flag", "", nil, true, true},
	}
	for _, c := range cases {
		s := New(nil, nil, nil, env(c.env))
		s.OutIsTerminal = c.terminal
		if diff := cmp.Diff(c.want, s.ColorEnabled(c.flag)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}

func TestWidth(t *testing.T) {
	cases := []struct {
		columns  string
		terminal int
		want     int
	}{
		{"", 0, 80}, {"120", 0, 120}, {"120", 100, 120}, {"", 100, 100},
		{"0", 100, 100}, {"-3", 0, 80}, {"wide", 0, 80},
	}
	for _, c := range cases {
		s := New(nil, nil, nil, env(map[string]string{"COLUMNS": c.columns}))
		s.OutIsTerminal, s.terminalWidth = c.terminal > 0, c.terminal
		if diff := cmp.Diff(c.want, s.Width()); diff != "" {
			t.Errorf("COLUMNS=%q, terminal %d: (-want +got)\n%s", c.columns, c.terminal, diff)
		}
	}
}

func TestIsBrokenPipe(t *testing.T) {
	cases := []struct {
		err  error
		want bool
	}{
		{nil, false}, {io.EOF, false},
		{fmt.Errorf("write: %w", &os.PathError{Op: "write", Path: "stdout", Err: syscall.EPIPE}), true},
		{io.ErrClosedPipe, true},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, IsBrokenPipe(c.err)); diff != "" {
			t.Errorf("%v: (-want +got)\n%s", c.err, diff)
		}
	}
}

func TestParseColor(t *testing.T) {
	got, err := ParseColor("blue")
	if err == nil {
		t.Fatalf("blue is read as %q", got)
	}
	if diff := cmp.Diff(`unknown color mode "blue": use one of auto, always, never`, err.Error()); diff != "" {
		t.Errorf("error: (-want +got)\n%s", diff)
	}
}
