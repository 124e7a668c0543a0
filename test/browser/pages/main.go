// Command pages writes the pages that the browser tests open.
//
//	go run ./test/browser/pages DIRECTORY
//
// mixed.html has every outcome and many managers, hostile.html has what should
// not act in every value, large.html has thousands of objects.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/report"
)

// largeObjects is how many objects the large page has.
const largeObjects = 3000

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: pages DIRECTORY")
	}
	pages := map[string]report.Report{
		"mixed.html": report.New(
			runOf(
				"v1.36.3",
				report.Problem{Source: report.Source{File: "bad.yaml", Line: 7}, Message: "mapping values are not allowed"},
			),
			mixed(),
		),
		"hostile.html": report.New(
			runOf(hostileText, report.Problem{Source: report.Source{File: hostileText}, Message: hostileText}),
			hostile(),
		),
		"large.html": report.New(runOf("v1.36.3"), large(largeObjects)),
	}
	for name, doc := range pages {
		if err := write(filepath.Join(args[0], name), doc); err != nil {
			return err
		}
	}
	return nil
}

func write(path string, doc report.Report) error {
	html, err := show.Lookup("html")
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	err = html.Render(w, doc, show.Options{Now: time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)})
	return errors.Join(err, w.Flush(), f.Close())
}

// runOf is a run of a server, with inputs that could not be read.
func runOf(version string, problems ...report.Problem) report.Run {
	return report.Run{Version: version, Ending: report.Ending{Problems: problems}}
}

// mixed is what a run over a small release could give.
func mixed() []report.Result {
	failed := plain("Widget", "example.com/v1", "w", report.Failed)
	failed.Error, failed.Live, failed.Code = "conversion from example.com/v1 to example.com/v2 needs the webhook widgets.example.com, which cannot run offline", nil, 0
	results := []report.Result{
		conflicted("web"), configured("api"), configured("worker"), invalid("backup"), failed,
		plain("Service", "v1", "web", report.Unchanged), plain("Service", "v1", "api", report.Unchanged),
		settings(), created("cache"),
	}
	for i := range 12 {
		r := plain("Ingress", "networking.k8s.io/v1", fmt.Sprintf("site-%d", i), report.Unchanged)
		team := report.Writer{Manager: fmt.Sprintf("team-%c", 'a'+i), Operation: "Apply", APIVersion: "v1"}
		r.Ownership = append(r.Ownership, report.FieldOwners{Field: ".spec.replicas", Managers: []report.Writer{team}})
		metadata := r.Object["metadata"].(map[string]any)
		metadata["managedFields"] = append(metadata["managedFields"].([]any), map[string]any{
			"manager": team.Manager, "operation": team.Operation, "apiVersion": team.APIVersion,
			"fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": map[string]any{"f:replicas": map[string]any{}}},
		})
		results = append(results, r)
	}
	return results
}

func large(n int) []report.Result {
	var results []report.Result
	for i := 0; len(results) < n; i++ {
		name := fmt.Sprintf("app-%04d", i)
		switch i % 20 {
		case 0:
			results = append(results, conflicted(name))
		case 1, 2, 3:
			results = append(results, configured(name))
		case 4:
			results = append(results, created(name))
		default:
			results = append(results, plain("Deployment", "apps/v1", name, report.Unchanged))
		}
	}
	return results
}
