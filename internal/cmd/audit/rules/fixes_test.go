package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/cmd/audit/rules"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// commands are the commands that fix findings, by their rules.
func commands(list []report.Finding) []string {
	var out []string
	for _, f := range list {
		for _, fix := range f.Fixes {
			out = append(out, f.Rule+": "+fix.Command.String())
		}
	}
	return out
}

// TestFixes: each finding has the commands that fix it, the best one first, on the file and
// the object that it is about.
func TestFixes(t *testing.T) {
	of := func(manager, operation, rest string) string {
		return `{manager: ` + manager + `, operation: ` + operation + `, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {` + rest + `}}`
	}
	data := func(entries ...string) string {
		return `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop, managedFields: [` + strings.Join(
			entries,
			", ",
		) + `]}, data: {a: "1", b: "1"}}`
	}
	for _, test := range []struct {
		name, live string
		fate       rules.Effect
		want       []string
	}{
		{"what a tool left behind is handed over", data(of("flux", "Apply", `"f:data": {"f:a": {}, "f:b": {}}`), of("kubectl-client-side-apply", "Update", `"f:data": {"f:a": {}, "f:b": {}}`)), "", []string{
			"stays-when-dropped: ssactl migrate -f dump.yaml -n shop --from=kubectl-client-side-apply --to=flux -- configmap/c"}},
		{"what a person left behind is cleared first", data(of("flux", "Apply", `"f:data": {"f:a": {}, "f:b": {}}`), of("kubectl-edit", "Update", `"f:data": {"f:a": {}}`)), "", []string{
			"stays-when-dropped: ssactl clear -f dump.yaml -n shop --manager=kubectl-edit --operation=Update --subresource= -- configmap/c",
			"stays-when-dropped: ssactl migrate -f dump.yaml -n shop --from=kubectl-edit --to=flux -- configmap/c"}},
		{"a name of nobody, with an heir", data(of("before-first-apply", "Update", `"f:data": {"f:a": {}}`), of("flux", "Apply", `"f:data": {"f:a": {}}`)), "", []string{
			"before-first-apply: ssactl migrate -f dump.yaml -n shop --from=before-first-apply --to=flux -- configmap/c",
			"before-first-apply: ssactl clear -f dump.yaml -n shop --manager=before-first-apply --operation=Update --subresource= -- configmap/c"}},
		{"a name of nobody, and nobody applies", data(of("ancient-changes", "Update", `"f:data": {"f:a": {}}`)), "", []string{
			"ancient-changes: ssactl clear -f dump.yaml -n shop --manager=ancient-changes --operation=Update --subresource= -- configmap/c"}},
		{"an entry that is dropped, of one who applies", data(strings.Replace(of("flux", "Apply", `"f:data": {"f:a": {}}`), "apiVersion: v1", "apiVersion: v0", 1)), rules.Dropped, []string{
			"entry-version-removed: ssactl clear -f dump.yaml -n shop --unserved -- configmap/c",
			"entry-version-removed: ssactl migrate -f dump.yaml -n shop --from=flux --to=flux -- configmap/c"}},
		{"an entry that is dropped, of one who updates", data(strings.Replace(of("old", "Update", `"f:data": {"f:a": {}}`), "apiVersion: v1", "apiVersion: v0", 1), of("flux", "Apply", `"f:data": {"f:b": {}}`)), rules.Dropped, []string{
			"entry-version-removed: ssactl clear -f dump.yaml -n shop --unserved -- configmap/c",
			"entry-version-removed: ssactl migrate -f dump.yaml -n shop --from=old --to=flux -- configmap/c"}},
		{"an entry that is dropped, and nobody applies", data(strings.Replace(of("old", "Update", `"f:data": {"f:a": {}}`), "apiVersion: v1", "apiVersion: v0", 1)), rules.Dropped, []string{
			"entry-version-removed: ssactl clear -f dump.yaml -n shop --unserved -- configmap/c"}},
		{"an entry that is kept", data(strings.Replace(of("flux", "Apply", `"f:data": {"f:a": {}}`), "apiVersion: v1", "apiVersion: v0", 1)), rules.Kept, nil},
		{"managedFields that cannot be read", data(`text`), "", []string{"managed-fields-unreadable: ssactl clear -f dump.yaml -n shop --all -- configmap/c"}},
		{"a field that is not there, of one who applies", data(of("flux", "Apply", `"f:data": {"f:gone": {}}`)), "", []string{
			"owned-field-missing: ssactl clear -f dump.yaml -n shop --missing-fields --manager=flux --operation=Apply -- configmap/c"}},
		{"an atomic list that two apply", `{apiVersion: v1, kind: Service, metadata: {name: s, namespace: shop, managedFields: [` + of("a", "Apply", `"f:spec": {"f:selector": {}}`) + `, ` + of("b", "Apply", `"f:spec": {"f:selector": {}}`) + `]}, spec: {selector: {a: b}}}`, "", []string{
			"atomic-shared: ssactl owners -f dump.yaml -n shop -- service/s .spec.selector"}},
		{"an object at a removed version", `{apiVersion: extensions/v1beta1, kind: Ingress, metadata: {name: i, managedFields: [` + strings.Replace(of("a", "Apply", `"f:spec": {}`), "apiVersion: v1", "apiVersion: extensions/v1beta1", 1) + `]}}`, "", []string{
			"object-version-removed: kubectl get --output=yaml --show-managed-fields -- ingress.v1.networking.k8s.io i"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := newScripted(t)
			if test.fate != "" {
				server.fate = test.fate
			}
			doc := conclude(t, server, server.object(t, test.live))
			if diff := cmp.Diff(test.want, commands(doc.Findings)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, f := range doc.Findings {
				for _, fix := range f.Fixes {
					if fix.Does.IsZero() {
						t.Errorf("%s: nothing says what %s does", f.Rule, fix.Command)
					}
				}
			}
		})
	}
}

// TestRefusingEntries: an entry that makes every apply fail is an error.
func TestRefusingEntries(t *testing.T) {
	server := newScripted(t)
	server.fate = rules.Refuses
	doc := conclude(
		t,
		server,
		server.object(
			t,
			strings.Replace(
				configMap("c", entry("old", "Update", "2026-01-01T00:00:00Z")),
				"Update, apiVersion: v1",
				"Update, apiVersion: v0",
				1,
			),
		),
	)
	want := []string{
		"error entry-version-removed: the entry of old (Update) is at v0, which is not served: the API server refuses every apply to the object because of it",
	}
	if diff := cmp.Diff(want, lines(doc.Findings)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestConflictFixes: what is recommended about a conflict is its first fix, with the flags
// of the run, and a takeover is one finding with one migration.
func TestConflictFixes(t *testing.T) {
	server := newScripted(t)
	settings := rules.Settings{
		Clock:  testClock,
		Flags:  []shell.Flag{shell.File("--crds", "crds")},
		Sender: []shell.Flag{shell.Value("--client", "flux")},
		Inputs: []shell.Flag{shell.File("-f", "dump.yaml")},
	}
	examine := func(name string, settings rules.Settings, edit report.Edit, fields ...string) rules.Examined {
		o := server.object(t, configMap(name, entry("helm", "Update", "2026-01-01T00:00:00Z")))
		r := report.Result{
			Outcome:    report.Conflicted,
			Manager:    "me",
			Source:     report.Source{File: "m.yaml", Line: 1},
			LiveSource: &report.Source{File: "dump.yaml"},
		}
		for _, field := range fields {
			owner := report.Writer{Manager: "helm", Operation: "Update"}
			r.Conflicts = append(r.Conflicts, report.Conflict{Field: field, Writer: owner, Live: "1", Applied: "2"})
			c := conflict.Rule.On(report.Target{}, r.Source, text.New("owned by helm")).About(field)
			c.Manager, c.Owners, c.Before, c.After = "helm", []report.Writer{owner}, "1", "2"
			c.Fixes = []report.Fix{
				{Edit: edit, Manager: "helm", Does: text.New(conflict.ResolutionKind(edit).Does())},
				{Edit: report.EditExplain, Does: text.New("explains it")},
			}
			r.Contested = append(r.Contested, c)
		}
		o.Manifest = &r
		return rules.Examine(o, server, settings)
	}
	first := func(settings rules.Settings, examined ...rules.Examined) report.Finding {
		return rules.Conclude(rules.Run{Examined: examined, Settings: settings}).Findings[0]
	}
	const on = " -f m.yaml --live=dump.yaml -n shop"
	const explain = "conflict: ssactl explain" + on + " --client=flux --field-manager=me --crds=crds -- configmap/c"
	folder := settings
	folder.Kustomization = "overlay"
	for _, test := range []struct {
		name     string
		settings rules.Settings
		edit     report.Edit
		want     []string
	}{
		{"stop managing it", settings, report.EditStop, []string{"conflict: ssactl resolve" + on + " --client=flux --field-manager=me --crds=crds --stop-managing=.data.a --write -- configmap/c", explain}},
		{"use the live value", settings, report.EditShare, []string{"conflict: ssactl resolve" + on + " --client=flux --field-manager=me --crds=crds --use-live-value=.data.a --write -- configmap/c", explain}},
		{"force is advised without a command", settings, report.EditForce, []string{"conflict: ", explain}},
		{"what a kustomization builds is not written", folder, report.EditStop, []string{
			"conflict: ssactl resolve -k overlay --live=dump.yaml -n shop --client=flux --field-manager=me --crds=crds --stop-managing=.data.a -- configmap/c",
			"conflict: ssactl explain -k overlay --live=dump.yaml -n shop --client=flux --field-manager=me --crds=crds -- configmap/c"}},
	} {
		got := commands([]report.Finding{first(test.settings, examine("c", test.settings, test.edit, ".data.a"))})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	takeover := report.EditMigrate
	f := first(settings, examine("c", settings, takeover, ".data.a", ".data.b"))
	if want := "me takes over what helm (Update) applied: conflicts over .data.a and .data.b"; f.Message.String() != want ||
		len(f.Fields) != 2 {
		t.Errorf("%q about %v, want %q", f.Message, f.Fields, want)
	}
	f = first(
		settings,
		examine("c", settings, takeover, ".data.a", ".data.b"),
		examine("d", settings, takeover, ".data.a"),
	)
	if want := "me takes over 2 objects that helm (Update) applied: conflicts over 3 fields"; f.Message.String() != want ||
		len(f.Objects) != 2 ||
		f.Target != (report.Target{}) {
		t.Errorf("%q on %v, want %q", f.Message, f.Objects, want)
	}
	if want := []string{"conflict: ssactl migrate -f dump.yaml --crds=crds --from=helm --to=me"}; !cmp.Equal(
		want,
		commands([]report.Finding{f}),
	) {
		t.Errorf("%v, want %v", commands([]report.Finding{f}), want)
	}
}

// TestSecrets: no finding on a Secret has a value, and with --show-secrets it has.
func TestSecrets(t *testing.T) {
	server := newScripted(t)
	live := `{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: shop, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"data":{"a":"hunter22"}}'}, managedFields: [
		{manager: kubectl-client-side-apply, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}, "v:\"hunter22\"": {}}, "f:metadata": {"f:annotations": {"f:kubectl.kubernetes.io/last-applied-configuration": {}}}}}]}, data: {a: b3RoZXI=}}`
	server.reapply = report.Result{
		Outcome: report.Configured,
		Changes: []report.Change{
			{Field: ".data.a", Kind: report.Modified, Before: "b3RoZXI=", After: "hunter22", Reason: report.ReasonApplied},
		},
	}
	for secrets, want := range map[rules.Secrets]bool{rules.HideSecrets: false, rules.ShowSecrets: true} {
		o := server.object(t, live)
		o.Manifest = &report.Result{Outcome: report.Conflicted, Manager: "me", Status: &report.Status{Message: "is hunter22"},
			Conflicts: []report.Conflict{
				{Field: ".data.a", Writer: report.Writer{Manager: "x", Operation: "Apply"}, Live: "b3RoZXI=", Applied: "hunter22"},
			}}
		settings := rules.Settings{Clock: testClock, Secrets: secrets}
		doc := rules.Conclude(rules.Run{Examined: []rules.Examined{rules.Examine(o, server, settings)}, Settings: settings})
		said := strings.Join(append(lines(doc.Findings), commands(doc.Findings)...), "\n")
		if len(doc.Findings) < 4 || strings.Contains(said, "hunter22") != want {
			t.Errorf("with %v, %d findings say:\n%s", secrets, len(doc.Findings), said)
		}
	}
}

// TestForbiddenOwners: who owns what a policy leaves to others, with a hand-over where it
// leaves it to one; other rules say nothing of the field.
func TestForbiddenOwners(t *testing.T) {
	server := newScripted(t)
	for _, test := range []struct {
		name, owners string
		want         []string
	}{
		{"one may own it", "[flux]", []string{"ssactl transfer -f dump.yaml -n shop --from=helm --to=flux -- configmap/c .data.a", "ssactl owners -f dump.yaml -n shop -- configmap/c .data.a", "ssactl clear -f dump.yaml -n shop --manager=helm --operation=Update --subresource= -- configmap/c"}},
		{"nobody may", "[]", []string{"ssactl owners -f dump.yaml -n shop -- configmap/c .data.a", "ssactl clear -f dump.yaml -n shop --manager=helm --operation=Update --subresource= -- configmap/c"}},
		{"it may itself", "[helm]", nil},
	} {
		p, err := policy.Parse(
			"policy.yaml",
			[]byte("ownership:\n- kinds: [ConfigMap]\n  fields: [.data.a]\n  owners: "+test.owners+"\n"),
		)
		if err != nil {
			t.Fatal(err)
		}
		settings := rules.Settings{Clock: testClock, Policy: p}
		doc := rules.Conclude(
			rules.Run{
				Settings: settings,
				Examined: []rules.Examined{
					rules.Examine(server.object(t, configMap("c", entry("helm", "Update", "2026-01-01T00:00:00Z"))), server, settings),
				},
			},
		)
		var got []string
		for _, f := range doc.Findings {
			if f.Rule != "forbidden-owner" || f.Severity != report.SeverityError || f.Policy == nil || f.Policy.Line == 0 {
				t.Errorf("%s: found %s at %v", test.name, f.Rule, f.Policy)
			}
			for _, fix := range f.Fixes {
				got = append(got, fix.Command.String())
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestLastAppliedOfOthers: an annotation that says too little, and one of another object.
func TestLastAppliedOfOthers(t *testing.T) {
	for applied, want := range map[string]string{
		``:     "warning last-applied-unreadable: the last-applied annotation cannot be read: it is empty",
		`[]`:   "warning last-applied-unreadable: the last-applied annotation cannot be read: it is not an object",
		`null`: "warning last-applied-unreadable: the last-applied annotation cannot be read: it is not an object",
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"c"}}`:                            "warning last-applied-of-other-object: the last-applied annotation is of a Pod named c",
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"d"}}`:                      "warning last-applied-of-other-object: the last-applied annotation is of the ConfigMap d",
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"other"}}`:  "warning last-applied-of-other-object: the last-applied annotation is of the ConfigMap c in the namespace other",
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":"1"}}`:     "",
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"shop"}}`:   "",
		`{"apiVersion":"old/v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":"2"}}`: "warning last-applied-version-removed: the last-applied annotation is at old/v1, which is not served",
	} {
		server := newScripted(t)
		o := server.object(t, configMap("c", entry("kubectl-client-side-apply", "Update", "2026-01-01T00:00:00Z")))
		o.Live["metadata"].(map[string]any)["annotations"] = map[string]any{
			"kubectl.kubernetes.io/last-applied-configuration": applied,
		}
		all := []string{}
		if want != "" {
			all = append(all, want)
		}
		if diff := cmp.Diff(all, lines(conclude(t, server, o).Findings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", applied, diff)
		}
	}
}
