package show

import (
	"io"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/golden"
)

// in is a format of simulated writes.
func in(name string, w io.Writer, o Options) stream.Stream {
	f, err := Lookup(name)
	if err != nil {
		panic(err)
	}
	return f.New(w, o)
}

// The results below are written by hand: rendering is tested against the
// model, not against the engine.

func deployment(replicas int64, image string, labels map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{
			"name": "web", "namespace": "shop", "labels": labels,
			"resourceVersion": "812", "uid": "6a1b", "generation": replicas,
			"managedFields": []any{map[string]any{"manager": "helm", "operation": "Apply"}},
		},
		"spec": map[string]any{
			"replicas": replicas,
			"template": map[string]any{"spec": map[string]any{"containers": []any{
				map[string]any{"name": "main", "image": image},
			}}},
		},
		"status": map[string]any{"readyReplicas": int64(3)},
	}
}

func created() report.Result {
	return report.Result{
		Target: golden.Web(), Source: *golden.Source(1), Operation: report.Apply, Manager: "helm",
		Outcome: report.Created, Code: 201,
		Object: deployment(3, "nginx:1.27", map[string]any{"app": "web"}),
		Changes: []report.Change{
			{
				Field:  ".metadata.labels.app",
				Kind:   report.Added,
				After:  "web",
				Reason: report.ReasonApplied,
				Source: golden.Source(6),
			},
			{Field: ".spec.progressDeadlineSeconds", Kind: report.Added, After: int64(600), Reason: report.ReasonDefaulted},
			{
				Field:  ".spec.replicas",
				Kind:   report.Added,
				After:  int64(3),
				Reason: report.ReasonApplied,
				Source: golden.Source(8),
			},
		},
		Confidence: report.Confidence{Level: report.Partial, Reasons: []report.Caveat{{Kind: api.Admission,
			Message: "The ServiceAccount admission plug-in of a cluster was not simulated: the pods get a token volume there.",
		}}},
	}
}

func configured() report.Result {
	helm := report.Writer{Manager: "helm", Operation: "Apply", APIVersion: "apps/v1", Time: golden.At(21, 5)}
	hpa := report.Writer{
		Manager:     "kube-controller-manager",
		Operation:   "Update",
		Subresource: "scale",
		APIVersion:  "apps/v1",
	}
	return report.Result{
		Target: golden.Web(), Source: *golden.Source(1), Operation: report.Apply, Manager: "helm", Force: true,
		Outcome: report.Configured, Code: 200,
		Live:       deployment(5, "nginx:1.27", map[string]any{"app": "web", "tier": "front"}),
		LiveSource: &report.Source{File: "live.json", Document: 1, Line: 1},
		Object:     deployment(3, "nginx:1.28", map[string]any{"app": "web"}),
		Warnings: []string{
			`spec.template.spec.containers[0].env[1]: hides previous definition of "LOG", which may be dropped when using apply`,
		},
		Changes: []report.Change{
			{Field: ".metadata.labels.tier", Kind: report.Removed, Before: "front", Reason: report.ReasonUnowned},
			{
				Field:  ".spec.replicas",
				Kind:   report.Modified,
				Before: int64(5),
				After:  int64(3),
				Reason: report.ReasonApplied,
				Source: golden.Source(8),
			},
			{
				Field:  `.spec.template.spec.containers[name="main"].image`,
				Kind:   report.Modified,
				Before: "nginx:1.27",
				After:  "nginx:1.28",
				Reason: report.ReasonApplied,
				Source: golden.Source(21),
			},
			{
				Field:  `.spec.template.spec.containers[name="main"].resources.limits.cpu`,
				Kind:   report.Added,
				After:  "1",
				Reason: report.ReasonNormalised,
				Source: golden.Source(24),
			},
		},
		Ownership: []report.FieldOwners{
			{
				Field: ".metadata.labels.app",
				Managers: []report.Writer{
					helm,
					{Manager: "kubectl", Operation: "Apply", APIVersion: "apps/v1", Time: golden.At(1, 5)},
				},
			},
			{Field: ".spec.replicas", Managers: []report.Writer{helm}},
			{Field: `.spec.template.spec.containers[name="main"].image`, Managers: []report.Writer{helm}},
			{Field: ".status.readyReplicas", Managers: []report.Writer{hpa}},
		},
		Transfers: []report.Transfer{
			{Field: ".metadata.labels.tier", Manager: "helm", Operation: "Apply", Kind: report.TransferRemoved},
			{Field: ".spec.replicas", Manager: "helm", Operation: "Apply", Kind: report.Acquired},
			{
				Field:       ".spec.replicas",
				Manager:     "kube-controller-manager",
				Operation:   "Update",
				Subresource: "scale",
				Kind:        report.Overridden,
			},
		},
		Confidence: golden.Exact,
	}
}

func unchanged() report.Result {
	r := configured()
	r.Target.Name = "api"
	r.Outcome, r.Object = report.Unchanged, r.Live
	r.Changes, r.Transfers, r.Warnings = nil, nil, nil
	return r
}

func conflicted() report.Result {
	message := "Apply failed with 2 conflicts: conflicts with \"kube-controller-manager\" with subresource \"scale\" using apps/v1:\n- .spec.replicas\nconflicts with \"kubectl-edit\" using apps/v1:\n- .spec.template.spec.containers[name=\"main\"].image"
	hpa := report.Writer{
		Manager:     "kube-controller-manager",
		Operation:   "Update",
		Subresource: "scale",
		APIVersion:  "apps/v1",
		Time:        golden.At(18, 5),
	}
	edit := report.Writer{Manager: "kubectl-edit", Operation: "Update", APIVersion: "apps/v1", Time: golden.At(20, 21)}
	return contested(report.Result{
		Target: golden.Web(), Source: *golden.Source(1), Operation: report.Apply, Manager: "helm",
		Outcome: report.Conflicted, Code: 409,
		Status: &report.Status{Message: message, Reason: "Conflict", Raw: map[string]any{
			"kind": "Status", "status": "Failure", "message": message, "reason": "Conflict", "code": int64(409)}},
		Live: deployment(
			5,
			"nginx:1.29-debug",
			map[string]any{"app": "web"},
		), LiveSource: &report.Source{File: "live.json", Document: 1, Line: 1},
		Conflicts: []report.Conflict{
			{
				Field:   ".spec.replicas",
				Writer:  hpa,
				Live:    int64(5),
				Applied: int64(3),
				Source:  golden.Source(8),
			},
			{
				Field:   `.spec.template.spec.containers[name="main"].image`,
				Writer:  edit,
				Live:    "nginx:1.29-debug",
				Applied: "nginx:1.28",
				Source:  golden.Source(21),
			},
		},
		Ownership: []report.FieldOwners{{Field: ".spec.replicas", Managers: []report.Writer{hpa}}},
		Forced: &report.Forced{Outcome: report.Configured, Code: 200,
			Changes: []report.Change{
				{
					Field:  ".spec.replicas",
					Kind:   report.Modified,
					Before: int64(5),
					After:  int64(3),
					Reason: report.ReasonApplied,
					Source: golden.Source(8),
				},
				{
					Field:  `.spec.template.spec.containers[name="main"].image`,
					Kind:   report.Modified,
					Before: "nginx:1.29-debug",
					After:  "nginx:1.28",
					Reason: report.ReasonApplied,
					Source: golden.Source(21),
				},
			},
			Transfers: []report.Transfer{
				{
					Field:       ".spec.replicas",
					Manager:     "kube-controller-manager",
					Operation:   "Update",
					Subresource: "scale",
					Kind:        report.Overridden,
				},
				{
					Field:     `.spec.template.spec.containers[name="main"].image`,
					Manager:   "kubectl-edit",
					Operation: "Update",
					Kind:      report.Overridden,
				},
			}},
		Confidence: golden.Exact,
	}, autoscaled, usedByHand)
}

// contested is a result with what is recommended about each of its conflicts.
func contested(r report.Result, stories ...conflict.Conflict) report.Result {
	conflicts := r.Conflicts
	r.Conflicts, r.Contested = nil, nil
	for i, c := range conflicts {
		stories[i].Field, stories[i].Source = c.Field, c.Source
		stories[i].Owners = []conflict.Owner{{Writer: c.Writer}}
		stories[i].Live, stories[i].Yours = conflict.Value{Value: c.Live}, conflict.Value{Value: c.Applied}
	}
	return conflict.Conflicting(r, stories)
}

// The advice on both fields.
var (
	autoscaled = conflict.Conflict{Recommended: conflict.StopManaging, Because: conflict.Reason{Kind: conflict.Autoscaled, Managers: []string{"kube-controller-manager"}}}
	usedByHand = conflict.Conflict{Recommended: conflict.Force, Because: conflict.Reason{Kind: conflict.UsedByHand, Managers: []string{"kubectl-edit"}}}
)

func invalid() report.Result {
	message := `CronJob.batch "backup" is invalid: [spec.schedule: Invalid value: "every night": expected exactly 5 fields, found 2: [every night], spec.jobTemplate.spec.template.spec.containers: Required value]`
	at := func(line int) *report.Source { return &report.Source{File: "backup.yaml", Document: 2, Line: line} }
	return report.Result{
		Target: report.Target{APIVersion: "batch/v1", Kind: "CronJob", Namespace: "ops", Name: "backup"},
		Source: report.Source{File: "backup.yaml", Document: 2, Line: 14}, Operation: report.Apply, Manager: "kubectl",
		Outcome: report.Invalid, Code: 422, Confidence: golden.Exact,
		Status: &report.Status{
			Message: message,
			Reason:  "Invalid",
			Raw:     map[string]any{"message": message, "reason": "Invalid"},
		},
		Causes: []report.Cause{
			{
				Field:   "spec.schedule",
				Message: `Invalid value: "every night": expected exactly 5 fields, found 2: [every night]`,
				Source:  at(20),
			},
			{Field: "spec.jobTemplate.spec.template.spec.containers", Message: "Required value", Source: at(25)},
		},
	}
}

func failed() report.Result {
	return report.Result{
		Target: report.Target{APIVersion: "example.com/v1", Kind: "Widget", Name: "w"}, Source: *golden.Source(30),
		Operation: report.Apply, Manager: "kubectl", Outcome: report.Failed, Confidence: golden.Exact,
		Error: "conversion from example.com/v1 to example.com/v2 needs the webhook widgets.example.com, which cannot run offline",
	}
}

// hostile has what must not act on a terminal in every place that a stranger
// can fill.
func hostile() report.Result {
	bad := "a\x1b[2Jb\u202ec\x00d\xffe\r\nf\u200bg\u009b"
	r := conflicted()
	r.Target.Name, r.Target.Namespace = bad, bad
	r.Status.Message = bad
	r.Conflicts = []report.Conflict{
		{Field: ".data." + bad, Writer: report.Writer{Manager: bad, Operation: bad, APIVersion: bad},
			Live: bad, Applied: map[string]any{bad: bad}, Source: &report.Source{File: bad, Line: 1}},
	}
	r = contested(r, conflict.Conflict{
		Recommended: conflict.UseLiveValue, Because: conflict.Reason{Kind: conflict.SameValue}})
	r.Warnings, r.Notices = []string{bad}, []string{bad}
	r.Confidence = report.Confidence{Level: report.Partial, Reasons: []report.Caveat{{Kind: api.Admission, Message: bad}}}
	r.Forced.Changes = []report.Change{
		{Field: bad, Kind: report.Modified, Before: bad, After: bad, Reason: report.Reason(bad), Detail: bad},
	}
	r.Forced.Transfers = []report.Transfer{{Field: bad, Manager: bad, Operation: bad, Kind: report.Overridden}}
	r.Source.File, r.LiveSource.File, r.Manager = bad, bad, bad
	return r
}

// wide has runes of two columns, long values and tabs.
func wide() report.Result {
	r := configured()
	r.Warnings = nil
	r.Live = map[string]any{"data": map[string]any{"あいさつ": "こんにちは、世界", "text": "one\ntwo\n"}}
	r.Object = map[string]any{"data": map[string]any{"あいさつ": "さようなら、世界", "text": "one\n\ttwo\n"}}
	r.Changes = []report.Change{
		{
			Field:  ".data.あいさつ",
			Kind:   report.Modified,
			Before: "こんにちは、世界",
			After:  "さようなら、世界",
			Reason: report.ReasonApplied,
			Source: golden.Source(4),
		},
		{
			Field:  ".data.text",
			Kind:   report.Modified,
			Before: "one\ntwo\n",
			After:  "one\n\ttwo\n" + longText,
			Reason: report.ReasonApplied,
			Source: golden.Source(5),
		},
	}
	return r
}

const longText = "a certificate or a script that goes on and on, far beyond what any terminal could show in one line, and further still"

// secret is a Secret as it comes here: masked.
func secret() report.Result {
	object := func(password string) map[string]any {
		return map[string]any{
			"apiVersion": "v1",
			"kind":       "Secret",
			"metadata":   map[string]any{"name": "db", "namespace": "shop"},
			"data":       map[string]any{"user": "*** (secret 1)", "password": password},
		}
	}
	return report.Result{
		Target: report.Target{APIVersion: "v1", Kind: "Secret", Namespace: "shop", Name: "db"}, Source: *golden.Source(1),
		Operation: report.Apply, Manager: "helm", Outcome: report.Configured, Code: 200, Confidence: golden.Exact,
		Live: object("*** (secret 2)"), Object: object("*** (secret 3)"),
		Changes: []report.Change{
			{Field: ".data.password", Kind: report.Modified, Before: "*** (secret 2)", After: "*** (secret 3)",
				Reason: report.ReasonApplied, Source: golden.Source(7)},
		},
	}
}
