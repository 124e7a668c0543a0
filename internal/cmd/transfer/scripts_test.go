package transfer

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/clients"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/lab"
)

// TestWriteSteps: a folder is written as a whole or not at all, and replaced only where an
// earlier run wrote it.
func TestWriteSteps(t *testing.T) {
	safe := planned(lab.Gadget(former, next), nil)
	safe.Target = report.Target{APIVersion: "lab/v1", Kind: "Gadget", Name: "g"}
	unsafe, secret := planned(lab.Gadget(former), func(q *Request) { q.To = "a" }), safe
	secret.Target.APIVersion, secret.Target.Kind = "v1", "Secret"
	all := []string{"README.md", "apply.sh", "step-1-b.yaml", "step-2-a.yaml"}
	for _, tt := range []struct {
		name   string
		plans  []Plan
		before map[string]string
		edit   func(*transferOptions)
		err    string
		says   string
		files  []string
		mode   os.FileMode
	}{
		{name: "a safe plan", plans: []Plan{safe}, says: "wrote 4 files into ", files: all, mode: 0o755},
		{name: "no safe plan for one", plans: []Plan{safe, unsafe}, says: "nothing was written, since not every object has a safe plan"},
		{name: "a Secret", plans: []Plan{secret}, err: "--output-dir needs --show-secrets for them; nothing was written"},
		{name: "a Secret that may be shown", plans: []Plan{secret}, edit: func(o *transferOptions) { o.ShowSecrets = true }, says: "wrote 4 files", files: all, mode: 0o700},
		{name: "a folder of an earlier run", plans: []Plan{safe}, before: map[string]string{"step-1-x.yaml": "old"}, err: "replace what an earlier run wrote with --overwrite", files: []string{"step-1-x.yaml"}},
		{name: "it is replaced", plans: []Plan{safe}, before: map[string]string{"step-1-x.yaml": "old"}, edit: func(o *transferOptions) { o.overwrite = true }, says: "wrote 4 files", files: all, mode: 0o755},
		{name: "another folder is not", plans: []Plan{safe}, before: map[string]string{"mine.yaml": "x"}, edit: func(o *transferOptions) { o.overwrite = true }, err: "mine.yaml in it was not generated", files: []string{"mine.yaml"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "steps")
			for name, text := range tt.before {
				if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			o := &transferOptions{folder: dir}
			if tt.edit != nil {
				tt.edit(o)
			}
			var said bytes.Buffer
			streams := iostreams.New(nil, &said, &said, nil)
			err := o.writeSteps(t.Context(), &app.App{Streams: streams}, NewDocument(report.Run{}, tt.plans, 0))
			if flushed := streams.Flush(); flushed != nil {
				t.Fatal(flushed)
			}
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) ||
				!strings.Contains(said.String(), tt.says) {
				t.Errorf("%v, said %q; want %q, %q", err, &said, tt.err, tt.says)
			}
			var names []string
			entries, _ := os.ReadDir(dir)
			for _, e := range entries {
				names = append(names, e.Name())
				if info, err := e.Info(); err != nil || e.Name() == "apply.sh" && info.Mode().Perm() != tt.mode {
					t.Errorf("apply.sh has the mode %s, want %s", info.Mode(), tt.mode)
				}
			}
			if diff := cmp.Diff(tt.files, names); diff != "" {
				t.Errorf("files (-want +got)\n%s", diff)
			}
		})
	}
}

// TestScriptStops: apply.sh stops at the first step that fails, and says how to go on.
func TestScriptStops(t *testing.T) {
	files, err := filesOf(NewDocument(report.Run{}, []Plan{planned(lab.Gadget(former, next), nil)}, 0))
	if err != nil {
		t.Fatal(err)
	}
	for fails, want := range map[string]string{"none": "b\na\n", "b": "b\nA step failed; those before it hold.", "a": "b\na\nA step failed; those before it hold."} {
		dir := t.TempDir()
		fake := "#!/bin/sh\nfor a in \"$@\"; do case $a in --field-manager=*) m=${a#--field-manager=}; echo $m; test $m != " + fails + "; exit;; esac; done\n"
		for _, f := range files {
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(f.Name)), f.Text, f.Mode); err != nil {
				t.Fatal(err)
			}
		}
		bin := t.TempDir()
		if err := os.WriteFile(filepath.Join(bin, "kubectl"), []byte(fake), 0o700); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("sh", filepath.Join(dir, "apply.sh"))
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if !strings.HasPrefix(string(out), want) || (err == nil) != (fails == "none") {
			t.Errorf("%s fails: %v\n%s", fails, err, out)
		}
	}
}

// TestReasons: why an option is the one to take, in words about the managers.
func TestReasons(t *testing.T) {
	update := func(q *Request) { q.Writes, q.To = ByUpdate, "hpa" }
	manifest := func(q *Request) {
		q.FromManifest = appliedManifest(
			`{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"mode":"fast"}}`,
		)
	}
	for _, tt := range []struct {
		entries []string
		edit    func(*Request)
		want    string
	}{
		{[]string{former, both}, nil, "b owns it already, together with a: it stays when a drops it."},
		{[]string{next, "a Apply lab/v1 .: spec/replicas", "b Update lab/v1 .: spec/mode"}, manifest, "a has lost it already; it only has to leave its manifest, which conflicts as long as it is there."},
		{[]string{updates, next}, nil, "a owns it by updates only, and no apply drops what an Update entry owns: once b shares it, it leaves the entry by a patch. It has an owner all the time."},
		{[]string{former, next}, nil, "b shares the live value before a drops it: it has an owner all the time, and nothing is forced."},
		{[]string{former}, update, "hpa writes by updates and owns nothing before it changes the value, so that between keeps the value in between; its entry is removed automatically with the first change by hpa."},
		{[]string{updates}, update, "a owns it by updates only: once it has left the entry, it is left unowned until hpa writes it, and no apply removes a field without an owner."},
	} {
		if p := planned(lab.Gadget(tt.entries...), tt.edit); p.Reason.String() != tt.want {
			t.Errorf("%v: %q (%s), want %q", tt.entries, p.Reason, p.Message, tt.want)
		}
	}
}

// TestUndone: a plan is not safe where the next apply of the former owner's client takes
// the live value too, as Helm's client-side upgrade does.
func TestUndone(t *testing.T) {
	const applied = `{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"mode":"fast","replicas":2}}`
	live := lab.Gadget("helm Update lab/v1 .: spec/mode spec/replicas", next)
	for serverSide, want := range map[string]string{
		"true": "", "false": "once .spec.mode is gone from the manifest of helm, the next apply of Helm takes the live value, too: it applies client-side, and compares with the manifest before",
	} {
		c, err := clients.New(
			"helm",
			"",
			client.Settings{ServerSide: serverSide, Release: "r", ReleaseManifest: []byte(applied)},
		)
		if err != nil {
			t.Fatal(err)
		}
		c.Plan(
			t.Context(),
			lab.Server{},
			[]engine.Write{{Verb: api.Apply, Kind: gadgets, Name: "g", Manager: "helm", LiveObject: live}},
		)
		p := planned(live, func(q *Request) { q.From, q.Next = "helm", &Next{Client: c, Applied: lab.Object(applied)} })
		if problem := p.Options[0].Problem.String(); (p.Chosen == "") != (want != "") || !strings.HasPrefix(problem, want) {
			t.Errorf("--server-side=%s: %q, %q, want %q", serverSide, p.Chosen, problem, want)
		}
	}
}
