package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFromFile: each key is a flag, with the line that it stands on; paths are relative to
// the folder of the settings. Errors name the line, and what there is.
func TestFromFile(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []Setting
		err  string
	}{
		"nothing":   {text: "# nothing\n"},
		"a manager": {text: "manager: helm\n", want: []Setting{setAt("manager", 1, "helm")}},
		"paths": {text: "manager: m\nlive: [a.yaml, /b.yaml, \"-\"]\n",
			want: []Setting{setAt("manager", 1, "m"),
				setAt("live", 2, "up/a.yaml", "/b.yaml", "-")}},
		"one path": {text: "crds: crds\n", want: []Setting{setAt("crds", 1, "up/crds")}},
		"null":     {text: "live: ~\n"},
		"two of a flag": {text: "policy: p.yaml\nownership: {a: b}\n",
			want: []Setting{setAt("policy", 1, "up/p.yaml", "up/.ssactl.yaml")}},
		"fields": {text: "ignore:\n- .spec.replicas\n- .a\n",
			want: []Setting{setAt("ignore", 1, ".spec.replicas", ".a")}},
		"no map":       {text: "[a]\n", err: "up/.ssactl.yaml:1: settings are a map with the keys client, field-manager,"},
		"no such key":  {text: "manager: m\nowner: m\n", err: `up/.ssactl.yaml:2: there is no such setting: known are client, field-manager,`},
		"a key nearly": {text: "client: helm\nrelase: shop\n", err: `up/.ssactl.yaml:2: there is no setting relase: did you mean release?`},
		"the file":     {text: "config: none\n", err: `up/.ssactl.yaml:1: config is for the command line and SSACTL_CONFIG`},
		"a client": {text: "client: helm@3\nrelease-manifest: v1.yaml\nserver-side: true\nprune: false\nfail-on: [error, conflict]\n",
			want: []Setting{setAt("client", 1, "helm@3"), setAt("release-manifest", 2, "up/v1.yaml"), setAt("server-side", 3, "true"),
				setAt("prune", 4, "false"), setAt("fail-on", 5, "error", "conflict")}},
		"no switch":     {text: "prune: hunter2\n", err: "up/.ssactl.yaml:1: prune: this is true or false"},
		"switches":      {text: "prune: [true]\n", err: "up/.ssactl.yaml:1: prune: this is true or false"},
		"two managers":  {text: "manager: [a, b]\n", err: "up/.ssactl.yaml:1: manager: this is one text"},
		"a map of live": {text: "live: {a: b}\n", err: "up/.ssactl.yaml:1: live: this is a text or a list of them"},
		"a list in one": {text: "live: [[a]]\n", err: "up/.ssactl.yaml:1: live: each item is a text"},
		"no YAML":       {text: "a: [\n", err: "read the settings up/.ssactl.yaml: line 1: did not find"},
		"too large":     {text: strings.Repeat("#", maxBytes+1), err: "it has more than 1048576 bytes"},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "up", FileName)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := FromFile(file, dir)
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v repeats a value", name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" || (err == nil) != (c.err == "") ||
			err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, want %q (-want +got):\n%s", name, err, c.err, diff)
		}
	}
	if _, err := FromFile(filepath.Join(t.TempDir(), "none"), "."); err == nil || strings.Count(err.Error(), "none") != 1 {
		t.Errorf("a file that is not there: %v", err)
	}
}

// setAt is a setting of the file, of a key at a line.
func setAt(key string, line int, values ...string) Setting {
	k, _ := find(key)
	return Setting{
		Flag:   k.flag,
		Values: values,
		Origin: fmt.Sprintf("up/.ssactl.yaml:%d", line),
		Key:    key,
		File:   "up/.ssactl.yaml",
		Line:   line,
	}
}

// TestFind: settings are those in the folder, or in the nearest one above it in the
// repository.
func TestFind(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"repo/.git", "repo/a/b", "plain/a"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"repo/.ssactl.yaml", "repo/a/.ssactl.yaml", "plain/.ssactl.yaml"} {
		if err := os.WriteFile(filepath.Join(root, file), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{
		"repo": "repo/.ssactl.yaml", "repo/a": "repo/a/.ssactl.yaml", "repo/a/b": "repo/a/.ssactl.yaml",
		"plain": "plain/.ssactl.yaml", "plain/a": "",
	} {
		if want != "" {
			want = filepath.Join(root, want)
		}
		if got := Find(filepath.Join(root, dir)); got != want {
			t.Errorf("of %s: %q, want %q", dir, got, want)
		}
	}
}

// TestOfHelm: as a plug-in of Helm the namespace is Helm's; a variable of ours goes before it, and
// for other plug-ins it is none of ours.
func TestOfHelm(t *testing.T) {
	for name, c := range map[string]struct {
		env  map[string]string
		want []string
	}{
		"the plug-in": {map[string]string{"HELM_NAMESPACE": "shop", "HELM_PLUGIN_NAME": "ssa"}, []string{"HELM_NAMESPACE shop"}},
		"another one": {map[string]string{"HELM_NAMESPACE": "shop", "HELM_PLUGIN_NAME": "diff"}, nil},
		"a variable too": {map[string]string{"HELM_NAMESPACE": "shop", "HELM_PLUGIN_NAME": "ssa", "SSACTL_NAMESPACE": "own"},
			[]string{"SSACTL_NAMESPACE own", "HELM_NAMESPACE shop"}},
	} {
		var got []string
		for _, s := range FromEnvironment(func(name string) string { return c.env[name] }) {
			got = append(got, s.Origin+" "+s.Values[0])
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestFromEnvironment: a variable has a value on each line; an empty one sets nothing.
func TestFromEnvironment(t *testing.T) {
	env := map[string]string{
		"SSACTL_MANAGER": "helm", "SSACTL_LIVE": "a.yaml\n\n  b c.yaml \n", "SSACTL_FAIL_ON": " \n", "SSACTL_SNAPSHOT_KEY": "key",
		"SSACTL_OWNERSHIP": "x", "SSACTL_FIELD_MANAGER": "", "SSACTL_TAKE_OWNERSHIP": "true",
	}
	want := []Setting{{Flag: "field-manager", Values: []string{"helm"}, Origin: "SSACTL_MANAGER", Key: "manager"},
		{Flag: "take-ownership", Values: []string{"true"}, Origin: "SSACTL_TAKE_OWNERSHIP", Key: "take-ownership"},
		{Flag: "live", Values: []string{"a.yaml", "b c.yaml"}, Origin: "SSACTL_LIVE", Key: "live"},
		{Flag: "snapshot-key", Values: []string{"key"}, Origin: "SSACTL_SNAPSHOT_KEY", Key: "snapshot-key"}}
	got := FromEnvironment(func(name string) string { return env[name] })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	if text := got[2].String(); text != "--live a.yaml --live b c.yaml (SSACTL_LIVE)" {
		t.Errorf("it is shown as %s", text)
	}
}

// TestStateDir: the state directory is that of the system that says it; relative ones count
// for nothing.
func TestStateDir(t *testing.T) {
	for _, c := range []struct{ xdg, local, home, want string }{
		{"/state", "/local", "/home/me", "/state"}, {"state", "/local", "/home/me", "/local"},
		{"", "", "/home/me", "/home/me/.local/state"}, {"", "", "", ""}, {"", "", "me", ""},
	} {
		env := map[string]string{"XDG_STATE_HOME": c.xdg, "LOCALAPPDATA": c.local, "HOME": c.home}
		if got := StateDir(func(name string) string { return env[name] }); filepath.ToSlash(got) != c.want {
			t.Errorf("%v: %q", c, got)
		}
	}
}
