package cmd

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	kjson "sigs.k8s.io/json"

	"github.com/ssactl/ssactl/internal/cmd/write"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

// unsayable are the recorded requests that the command line has no words for,
// each with the reason.
var unsayable = map[string]string{
	"another media type":  "the verb decides the media type",
	"force without apply": "only apply has --force-conflicts",
	"dryRun":              "--dry-run takes none, client, server",
	"another name":        "the manifest names the object",
	"not simulated":       "the answer says so",
	"no field manager":    "--field-manager has a default",
	"two documents":       "each document of a file is a manifest",
	"unknown validation":  "--validate takes strict, warn, ignore",
	"propagation":         "delete always sends a propagation policy, one that there is",
	"preconditions":       "delete sends none",
	"body is no object":   "a manifest that cannot be parsed names no object",
}

var allSteps = flag.Bool("all-steps", false, "run every recorded request through the command line, not one of a few")

// sampledSteps is of how many recorded requests one is run through the command line
// where not all are. The replay in the process (internal/server) has all of them.
const sampledSteps = 3

// TestReplay runs recorded requests through the command line, as other programs do,
// and compares the report with the recorded answer.
func TestReplay(t *testing.T) {
	packs, err := filepath.Glob(filepath.Join("..", "..", "testdata", "corpus", "*.jsonl.gz"))
	if err != nil || len(packs) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	recorded, steps, identical, skipped := 0, 0, 0, map[string]int{}
	every := sampledSteps * sampled.Every(t, 16)
	if *allSteps {
		every = 1
	}
	for _, pack := range packs {
		scenarios, err := parity.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		for _, scenario := range scenarios {
			for i := range scenario.Steps {
				if recorded++; recorded%every != 0 {
					continue
				}
				reason, diff := replayStep(t, scenario, i)
				if reason != "" {
					if unsayable[reason] == "" {
						t.Errorf("%s step %d: unknown reason %q", scenario.Name, i, reason)
					}
					skipped[reason]++
					continue
				}
				steps++
				if diff == "" {
					identical++
					continue
				}
				if steps-identical > 30 {
					t.Fail()
					continue
				}
				t.Errorf(
					"%s step %d (%s %s): (-recorded +answered)\n%s",
					scenario.Name,
					i,
					scenario.Steps[i].Op,
					scenario.Steps[i].Request.Path,
					diff,
				)
			}
		}
	}
	t.Logf("%d of %d steps identical; not sayable: %v", identical, steps, skipped)
}

func replayStep(t *testing.T, scenario parity.Scenario, i int) (reason, diff string) {
	t.Helper()
	dir := t.TempDir()
	args, reason := sayStep(t, dir, scenario.Steps[i])
	if reason != "" {
		return reason, ""
	}
	if given := append(texts(scenario.CRDsAt(i)), texts(scenario.ObjectsAt(i))...); len(given) > 0 {
		args = append(args, "--crds", writeIn(t, dir, "given.json", listOf(given)))
	}
	return answerStep(t, scenario.Steps[i], args)
}

// sayStep is the command line of a recorded request, but for the objects that are
// given besides, or the reason why there is none.
func sayStep(t *testing.T, dir string, step parity.Step) (args []string, reason string) {
	t.Helper()
	request, err := parity.Request(step)
	if err != nil {
		t.Fatal(err)
	}
	return arguments(t, dir, step, request)
}

// answerStep runs a command line and compares its report with the recorded answer.
func answerStep(t *testing.T, step parity.Step, args []string) (reason, diff string) {
	t.Helper()
	request, err := parity.Request(step)
	if err != nil {
		t.Fatal(err)
	}
	var out, errOut bytes.Buffer
	streams := iostreams.New(strings.NewReader(""), &out, &errOut, func(string) string { return "" })
	code := Main(args, streams)
	var doc report.Report
	// Whole numbers stay whole, as the server reads them.
	if err := kjson.UnmarshalCaseSensitivePreserveInts(out.Bytes(), &doc); err != nil || len(doc.Results) != 1 {
		if unparsable(step, doc) {
			return "body is no object", ""
		}
		if bytes.Contains(request.Body, []byte("\n---\n")) {
			return "two documents", ""
		}
		return "", fmt.Sprintf("exit code %d, no report of one result: %v\n%s%s", code, err, out.String(), errOut.String())
	}
	if err := misfits(t, out.Bytes()); err != nil {
		return "", fmt.Sprintf("the report does not fit its schema: %v", err)
	}
	result := doc.Results[0]
	if result.Outcome == report.Failed && strings.Contains(result.Error, api.ErrNotSimulated.Error()) {
		return "not simulated", ""
	}
	if want := exitOf(result.Outcome); code != want {
		return "", fmt.Sprintf("exit code %d for %s", code, result.Outcome)
	}
	response := asResponse(t, result)
	if answersAnother(request) && result.Code < http.StatusMultipleChoices {
		return "", parity.DiffStored(step, response)
	}
	return "", parity.Diff(step, response)
}

// answersAnother reports whether the server answers an accepted call with
// something else than the object, which is what a report tells.
func answersAnother(r api.Request) bool {
	return r.Verb == api.Delete || r.Subresource == "scale" || r.Subresource == "binding" || r.Subresource == "eviction"
}

// unparsable reports whether a body is no YAML: it names no object to ask about.
func unparsable(step parity.Step, doc report.Report) bool {
	return step.Status == http.StatusBadRequest && len(doc.Problems) == 1
}

func exitOf(o report.Outcome) int {
	switch {
	case o == report.Failed:
		return app.ExitTrouble
	case o.Refused():
		return app.ExitNo
	}
	return app.ExitDone
}

// asResponse reads a report's result as what the server answered.
func asResponse(t *testing.T, r report.Result) api.Response {
	t.Helper()
	response := api.Response{Code: r.Code, Warnings: r.Warnings, Deleted: r.Deleted, Unsimulated: r.Confidence.Reasons}
	marshal := func(v any) []byte {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	if r.Status != nil {
		response.Body = marshal(r.Status)
	}
	if r.Object != nil {
		response.Body, response.Stored = marshal(r.Object), marshal(r.Object)
	}
	return response
}

var verbCommands = map[api.Verb][]string{
	api.Apply:          {"apply"},
	api.Create:         {"create"},
	api.Update:         {"update"},
	api.MergePatch:     {"patch", "--type", "merge"},
	api.JSONPatch:      {"patch", "--type", "json"},
	api.StrategicPatch: {"patch", "--type", "strategic"},
	api.Delete:         {"delete"},
}

// arguments say a recorded request as a command line.
func arguments(t *testing.T, dir string, step parity.Step, r api.Request) ([]string, string) {
	t.Helper()
	args := append([]string{}, verbCommands[r.Verb]...)
	args = append(args, "-o", "report", "--show-secrets", "--now", r.Now.Format(time.RFC3339))
	if r.Namespace != "" {
		args = append(args, "-n", r.Namespace)
	}
	switch {
	case r.Force && r.Verb != api.Apply:
		return nil, "force without apply"
	case r.Force:
		args = append(args, "--force-conflicts")
	}
	if r.Verb == api.Apply {
		// A recording is of one request.
		args = append(args, "--client", "none")
	}
	switch r.DryRun {
	case "":
	case "All":
		args = append(args, "--dry-run", "server")
	default:
		return nil, "dryRun"
	}
	if r.Subresource != "" {
		args = append(args, "--subresource", r.Subresource)
	}
	if r.Manager != "" {
		args = append(args, "--field-manager", r.Manager)
	} else if r.Verb == api.Apply {
		return nil, "no field manager"
	} else if r.UserAgent != "" {
		args = append(args, "--user-agent", r.UserAgent)
	}
	switch v := strings.ToLower(r.FieldValidation); v {
	case "strict", "warn", "ignore":
		args = append(args, "--validate", v)
	case "":
		args = append(args, "--validate", "warn")
	default:
		return nil, "unknown validation"
	}
	if r.Live != nil {
		args = append(args, "--live", writeIn(t, dir, "live.json", r.Live))
	}
	return bodyArguments(t, dir, args, step, r)
}

func bodyArguments(t *testing.T, dir string, args []string, step parity.Step, r api.Request) ([]string, string) {
	t.Helper()
	switch r.Verb {
	case api.Delete:
		cascade := strings.ToLower(r.PropagationPolicy)
		switch {
		case write.Propagation[cascade] == "":
			return nil, "propagation"
		case len(r.Body) > 0:
			return nil, "preconditions"
		case r.GracePeriodSeconds != nil:
			args = append(args, "--grace-period", fmt.Sprint(*r.GracePeriodSeconds))
		}
		return append(args, "--cascade", cascade, step.Target.Kind+"/"+r.Name), ""
	case api.MergePatch, api.JSONPatch, api.StrategicPatch:
		args = append(args, "--patch-file", writeIn(t, dir, "patch.json", r.Body))
		return append(args, "-f", writeIn(t, dir, "target.json", identityOf(r))), ""
	}
	if r.Verb == api.Apply && r.MediaType != "application/apply-patch+yaml" {
		return nil, "another media type"
	}
	if !namesTarget(r) {
		return nil, "another name"
	}
	return append(args, "-f", writeIn(t, dir, "manifest.yaml", r.Body)), ""
}

// namesTarget reports whether the body says what the path says.
func namesTarget(r api.Request) bool {
	var body struct {
		APIVersion, Kind string
		Metadata         struct{ Name, Namespace string }
	}
	if json.Unmarshal(r.Body, &body) != nil {
		return !json.Valid(r.Body)
	}
	named := body.Metadata.Name == r.Name && (body.Metadata.Namespace == "" || body.Metadata.Namespace == r.Namespace)
	if r.Subresource == "scale" && body.APIVersion == "autoscaling/v1" && body.Kind == "Scale" {
		// A Scale names its object by namespace and name; its kind is the live one's.
		return r.Live != nil && named
	}
	apiVersion, kind := r.Kind.ToAPIVersionAndKind()
	switch {
	case r.Subresource == "binding" && body.Kind == "Binding":
		apiVersion, kind = "v1", "Binding"
	case r.Subresource == "eviction" && body.Kind == "Eviction":
		apiVersion, kind = "policy/v1", "Eviction"
	}
	return body.APIVersion == apiVersion && body.Kind == kind && named
}

func identityOf(r api.Request) []byte {
	apiVersion, kind := r.Kind.ToAPIVersionAndKind()
	metadata := map[string]any{"name": r.Name}
	if r.Namespace != "" {
		metadata["namespace"] = r.Namespace
	}
	raw, err := json.Marshal(map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata})
	if err != nil {
		panic(err)
	}
	return raw
}

func writeIn(t *testing.T, dir, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
