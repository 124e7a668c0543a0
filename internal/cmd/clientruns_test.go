package cmd

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	kjson "sigs.k8s.io/json"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

var recordedRuns = filepath.Join("..", "..", "testdata", "clients", "*.jsonl.gz")

var clientRuns = flag.String("client-runs", recordedRuns, "recorded runs of clients, files by a pattern")

// TestClientRuns asks what recorded runs of the clients did: whether the client failed,
// what it sent, with which refusals (conflicts by owner and field), and the objects with
// their managed fields that it left.
func TestClientRuns(t *testing.T) {
	runs := sampled.Of(t, 8, recorded(t, *clientRuns))
	told := map[string]*clientScore{}
	for _, run := range runs {
		told[run.Version] = &clientScore{}
	}
	t.Run("runs", func(t *testing.T) {
		for _, run := range runs {
			t.Run(run.Name, func(t *testing.T) {
				t.Parallel()
				told[run.Version].add(t, askRun(t, run), known(run))
			})
		}
	})
	checkClientTable(t, told)
}

// recorded are the runs of all files of a pattern, each by the name of its file and its own.
func recorded(t *testing.T, pattern string) (out []parity.ClientRun) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded runs in %s: %v", pattern, err)
	}
	for _, name := range files {
		runs, err := parity.ReadClientRuns(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			runs[i].Name = strings.TrimSuffix(filepath.Base(name), ".jsonl.gz") + " " + runs[i].Name
		}
		out = append(out, runs...)
	}
	return out
}

// otherwise are the runs that are known to be answered otherwise, by how their names begin,
// with the reason that docs/parity.md gives.
var otherwise = map[string]string{
	"drawn-42-helm helm3 25": completed,
	"drawn-42-helm helm4 15": completed,
	"drawn-44 argocd 4":      "a Namespace that the sync prunes refuses what comes behind",
	"drawn-44 argocd 47":     "a hook at another API version than the preferred one",
}

const completed = "the recorder completed a Pod that is no hook of the run"

// known is the reason for which a run is answered otherwise; empty for none.
func known(run parity.ClientRun) string {
	name, _, _ := strings.Cut(run.Name, ":")
	return otherwise[name]
}

// checkClientTable compares the table of docs/parity.md with the runs, or writes it.
func checkClientTable(t *testing.T, told map[string]*clientScore) {
	t.Helper()
	var b strings.Builder
	b.WriteString("\n| client | runs | success or failure | requests | objects | all |\n|---|---:|---:|---:|---:|---:|\n")
	for _, version := range slices.Sorted(maps.Keys(told)) {
		s := told[version]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", version, s.Runs, s.Verdicts, s.Requests, s.Objects, s.All)
	}
	if *clientRuns != recordedRuns || testing.Short() {
		t.Log(b.String())
		return
	}
	page := filepath.Join("..", "..", "docs", "parity.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), "<!-- clients -->\n")
	_, tail, _ := strings.Cut(rest, "\n<!-- end of clients -->")
	want := head + "<!-- clients -->\n" + b.String() + "\n<!-- end of clients -->" + tail
	switch {
	case want == string(text):
	case *update:
		err = os.WriteFile(page, []byte(want), 0o600)
	default:
		t.Errorf("docs/parity.md has another table than\n%s", b.String())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// clientScore counts runs that are told right.
type clientScore struct {
	mu                                     sync.Mutex
	Runs, Verdicts, Requests, Objects, All int
}

func (s *clientScore) add(t *testing.T, d runDifference, reason string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	count := func(n *int, difference string) {
		if difference == "" {
			*n++
		}
	}
	s.Runs++
	count(&s.Verdicts, d.verdict)
	count(&s.Requests, d.requests)
	count(&s.Objects, d.objects)
	count(&s.All, d.verdict+d.requests+d.objects)
	switch all := d.verdict + d.requests + d.objects; {
	case all != "" && reason == "":
		t.Errorf("%s\n%s", d.about, all)
	case all == "" && reason != "":
		t.Logf("answered as recorded: %s makes no difference any more", reason)
	}
}

// runDifference is how an answer differs from a run; empty texts for the same.
type runDifference struct{ about, verdict, requests, objects string }

// askedAs are the arguments that ask a command about a recorded run, whose files are written into a directory.
func askedAs(t *testing.T, run parity.ClientRun, command string) []string {
	t.Helper()
	dir := t.TempDir()
	live := append(texts(run.Before), texts(run.Settings)...)
	for _, release := range run.Releases {
		live = append(live, []byte(releaseSecret(t, run.Namespace, release)))
	}
	var manifests bytes.Buffer
	for i, m := range run.Manifests {
		manifests.WriteString("---\n")
		if run.Sources != nil {
			fmt.Fprintf(&manifests, "# Source: %s\n", run.Sources[i])
		}
		fmt.Fprintf(&manifests, "%s\n", m)
	}
	args := []string{command, "-n", run.Namespace}
	if run.Bare {
		args = args[:1]
	}
	return append(append(
		args, "--client", run.Client, "--show-secrets", "--now",
		run.At.Format(time.RFC3339), "--crds",
		writeIn(t, dir, "crds.json", listOf(texts(run.Definitions))),
		"--live",
		writeIn(t, dir, "live.json", listOf(live)),
		"-f",
		writeIn(t, dir, "manifests.yaml", manifests.Bytes()),
	), run.Flags...)
}

func askRun(t *testing.T, run parity.ClientRun) runDifference {
	t.Helper()
	args := append(askedAs(t, run, "apply"), "-o", "report")
	var out, errOut bytes.Buffer
	code := Main(args, iostreams.New(strings.NewReader(""), &out, &errOut, func(string) string { return "" }))
	var doc report.Report
	if err := kjson.UnmarshalCaseSensitivePreserveInts(out.Bytes(), &doc); err != nil && out.Len() > 0 {
		t.Fatalf("exit code %d: %v\n%s", code, err, errOut.String())
	}
	checkLasting(t, run, doc)
	return runDifference{
		about: fmt.Sprintf(
			"%s; ssactl %s: %s\nit printed: %s", run.Command, strings.Join(run.Flags, " "), errOut.String(),
			run.Output,
		),
		verdict: differs(
			"failed",
			run.Failed,
			code != app.ExitDone,
		), requests: diffRequests(run, doc), objects: diffObjects(t, run, doc),
	}
}

func differs(what string, want, got any) string {
	if want == got {
		return ""
	}
	return fmt.Sprintf("%s: recorded %v, answered %v\n", what, want, got)
}

// writesOf are the steps of a sequence by how they write.
var writesOf = map[string]string{
	"Apply": "Apply", "ApplyAgain": "Apply", "KeepAnnotation": "Apply", "DryRun": "Apply", "MoveEntries": "json",
	"Create": "Create", "Replace": "Update", "Delete": "Delete", "Patch": "patch",
}

// diffRequests compares the requests for each object, in their order.
func diffRequests(run parity.ClientRun, doc report.Report) string {
	want, got := map[string][]string{}, map[string][]string{}
	for _, s := range run.Requests {
		if s.Write == "Delete" && s.Code == http.StatusNotFound {
			// Helm deletes what is not there.
			continue
		}
		if s.Write == "merge" || s.Write == "strategic" {
			s.Write = "patch"
		}
		name := path.Base(s.Path)
		resource := path.Base(path.Dir(s.Path))
		want[resource+"/"+name] = append(want[resource+"/"+name], sentText(s.Write, s.DryRun, s.Code, s.Message))
	}
	for _, r := range doc.Results {
		key := resources[r.Target.Kind] + "/" + r.Target.Name
		if r.Client == nil {
			got[key] = append(got[key], sentText("Delete", false, r.Code, ""))
			continue
		}
		for _, s := range r.Client.Steps {
			if s.Code != 0 {
				write := writesOf[s.Request]
				if s.Request == "DryRun" && run.Client == "argocd" {
					write = "Update"
				}
				got[key] = append(got[key], sentText(write, s.Request == "DryRun", s.Code, s.Message))
			}
		}
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(both(want, got))) {
		b.WriteString(
			differs(key, strings.Join(slices.Compact(want[key]), "; "), strings.Join(slices.Compact(got[key]), "; ")),
		)
	}
	return b.String()
}

func sentText(write string, dry bool, code int, message string) string {
	if dry {
		write += " dry run"
	}
	switch {
	case code < http.StatusMultipleChoices:
		return write
	case code == http.StatusInternalServerError:
		// It quotes the manifest as the client writes it.
		message = ""
	}
	// Behind a brace is an object, with its times.
	message, _, _ = strings.Cut(message, `"{`)
	return fmt.Sprintf("%s %d: %s", write, code, message)
}

func both[V any](a, b map[string]V) map[string]V {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// resources are those of the recorded kinds.
var resources = map[string]string{
	"Deployment": "deployments", "Service": "services", "ConfigMap": "configmaps", "Secret": "secrets", "CronJob": "cronjobs",
	"Widget": "widgets", "HorizontalPodAutoscaler": "horizontalpodautoscalers", "Role": "roles", "RoleBinding": "rolebindings",
	"ClusterRole": "clusterroles", "Ingress": "ingresses", "PersistentVolumeClaim": "persistentvolumeclaims", "StatefulSet": "statefulsets",
	"Job": "jobs", "Pod": "pods", "DaemonSet": "daemonsets", "NetworkPolicy": "networkpolicies", "PodDisruptionBudget": "poddisruptionbudgets",
	"ServiceAccount": "serviceaccounts", "StorageClass": "storageclasses", "PriorityClass": "priorityclasses", "ClusterRoleBinding": "clusterrolebindings",
	"ValidatingWebhookConfiguration": "validatingwebhookconfigurations", "Namespace": "namespaces",
	"CustomResourceDefinition": "customresourcedefinitions", "Gear": "gears",
}

// diffObjects compares what is left.
func diffObjects(t *testing.T, run parity.ClientRun, doc report.Report) string {
	want, got := objectsByName(t, run.After), objectsByName(t, run.Before)
	for _, r := range doc.Results {
		key := r.Target.Kind + "/" + r.Target.Name
		switch {
		case r.Object != nil && !r.Deleted:
			if r.Target.Kind == "CustomResourceDefinition" {
				// Nothing has written to it in a recording.
				delete(r.Object, "status")
			}
			got[key] = atStoredVersion(t, r.Object, want[key])
		case r.Deleted:
			delete(got, key)
		}
	}
	var b strings.Builder
	for _, all := range []map[string]json.RawMessage{want, got} {
		maps.DeleteFunc(all, func(_ string, object json.RawMessage) bool { return isCollected(t, object) })
	}
	for _, key := range slices.Sorted(maps.Keys(both(want, got))) {
		if diff := run.DiffLeft(want[key], got[key]); diff != "" {
			fmt.Fprintf(&b, "%s: (-recorded +answered)\n%s", key, diff)
		}
	}
	return b.String()
}

// isCollected reports whether the garbage collector, which runs nowhere here, would delete
// an object.
func isCollected(t *testing.T, object json.RawMessage) bool {
	var is struct {
		Metadata struct {
			DeletionTimestamp string
			Finalizers        []string
		}
	}
	if err := json.Unmarshal(object, &is); err != nil {
		t.Fatal(err)
	}
	return is.Metadata.DeletionTimestamp != "" && slices.Equal(is.Metadata.Finalizers, []string{"foregroundDeletion"})
}

// atStoredVersion is an object as JSON, at the API version of another: a recording lists
// custom resources at one of their versions, whose schemas are the same.
func atStoredVersion(t *testing.T, object map[string]any, like []byte) json.RawMessage {
	t.Helper()
	var id struct{ APIVersion string }
	if json.Unmarshal(like, &id) == nil && strings.HasPrefix(id.APIVersion, "example.com/") {
		object["apiVersion"] = id.APIVersion
	}
	raw, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func objectsByName(t *testing.T, all []json.RawMessage) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for _, raw := range all {
		var id struct {
			Kind     string
			Metadata struct{ Name string }
		}
		if err := json.Unmarshal(raw, &id); err != nil {
			t.Fatal(err)
		}
		out[id.Kind+"/"+id.Metadata.Name] = raw
	}
	return out
}

// releaseSecret is the Secret in which Helm keeps a release.
func releaseSecret(t *testing.T, namespace string, release json.RawMessage) string {
	t.Helper()
	var id struct {
		Name    string
		Version int
	}
	if err := json.Unmarshal(release, &id); err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write(release); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	inner := base64.StdEncoding.EncodeToString(zipped.Bytes())
	return fmt.Sprintf(
		`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"sh.helm.release.v1.%s.v%d","namespace":%q},"type":"helm.sh/release.v1","data":{"release":%q}}`,
		id.Name,
		id.Version,
		namespace,
		base64.StdEncoding.EncodeToString([]byte(inner)),
	)
}
