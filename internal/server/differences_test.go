package server

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// TestDifferences asks what the releases of clusters answer differently.
func TestDifferences(t *testing.T) {
	full := map[string]any{"data": map[string]any{"a": "1"}}
	empty := map[string]any{"data": nil}
	settings := schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}
	last := api.Answered{
		Request: api.Request{Verb: api.Apply, Kind: settings},
		Code:    http.StatusOK,
		Live:    full,
		Stored:  empty,
	}
	same := last
	same.Stored = full
	put := last
	put.Verb = api.Update
	invalid := api.Answered{Request: last.Request, Code: http.StatusUnprocessableEntity, Live: full}
	fields := func(data string) map[string]any {
		return map[string]any{
			"metadata": map[string]any{"managedFields": []any{map[string]any{"manager": "a"}}},
			"data":     data,
		}
	}
	lost := api.Answered{
		Request: api.Request{Verb: api.MergePatch, Kind: settings},
		Code:    http.StatusOK,
		Live:    fields("a"),
		Stored:  fields("b"),
	}
	removes := " removes all managed fields, as it cannot work out those of this write: here they stay as they were."
	keeps := " keeps an object or a list empty where this apply takes its last field or item away, and may refuse that with 422: here it is null or gone."
	words := " may word this refusal differently, or see no reason for it: the code of " + newest().Name() + " runs."
	for _, test := range []struct {
		name, simulated string
		runs            []string
		answered        api.Answered
		want            []api.Caveat
	}{
		{"last key", "1.36", []string{"v1.36.1"}, last, said("Kubernetes 1.36.1" + keeps)},
		{"last key of a distribution", "1.36", []string{"v1.36.2+k3s1"}, last, said("Kubernetes 1.36.2+k3s1" + keeps)},
		{"last key, mended", "1.36", []string{"v1.36.3"}, last, nil},
		{"last key, patch not known", "1.36", nil, last, nil},
		{"nothing goes", "1.36", []string{"v1.36.1"}, same, nil},
		{"no apply", "1.36", []string{"v1.36.1"}, put, nil},
		{"fields not worked out", "1.36", nil, lost, said("Kubernetes 1.36" + removes)},
		{"fields not worked out by the newest", "1.37", nil, lost, nil},
		{"refused", "1.36", nil, invalid, said("Kubernetes 1.36" + words)},
		{"refused by the newest", newest().Name(), nil, invalid, nil},
		{"no version", "1.36", []string{"tip"}, last, nil},
		{"newer than all", newest().Name(), []string{"v1.99.0"}, same, []api.Caveat{{Kind: api.Version, Rule: api.OtherRelease,
			Message: "The cluster runs Kubernetes 1.99.0, which is not simulated: this is the answer of " + newest().Name() + "."}}},
		{"another", newest().Name(), []string{"v1.36.1"}, last, []api.Caveat{{Kind: api.Version, Rule: api.OtherRelease, Nearest: "1.36",
			Message: "The cluster runs Kubernetes 1.36.1: this is the answer of " + newest().Name() + "."}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := releaseOf(test.simulated)
			if err != nil {
				t.Fatal(err)
			}
			s := &Server{flags: flags{process: process{release: r}}}
			for _, version := range test.runs {
				s.Runs(version)
			}
			if diff := cmp.Diff(test.want, s.Differences(test.answered)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func said(message string) []api.Caveat { return []api.Caveat{{Kind: api.Version, Message: message}} }

// TestDifferencesAreWhole: each is of releases that can be simulated, and has a source.
func TestDifferencesAreWhole(t *testing.T) {
	oldest := mergeschema.Release{Minor: mergeschema.Releases()[0].Minor}
	for _, d := range differences {
		if d.source == "" || !d.since.Before(d.until) || !oldest.Before(d.until) {
			t.Errorf("%+v: it has no source, or no release that is simulated", d)
		}
	}
}

// TestVersions reads versions as people and servers write them.
func TestVersions(t *testing.T) {
	oldest := mergeschema.Releases()[0]
	for _, test := range []struct {
		options   Options
		want      mergeschema.Release
		runs, err string
	}{
		{Options{}, newest(), "", ""},
		{Options{KubernetesVersion: "1.36"}, mergeschema.Releases()[2], "", ""},
		{Options{KubernetesVersion: "v1.36.1"}, mergeschema.Releases()[2], "1.36.1", ""},
		{Options{ClusterVersion: "v1.36.1-eks-2025"}, mergeschema.Releases()[2], "1.36.1-eks-2025", ""},
		{Options{ClusterVersion: "1.36", KubernetesVersion: oldest.Name()}, oldest, "1.36", ""},
		{Options{ClusterVersion: "v1.99.0"}, newest(), "1.99.0", ""},
		{Options{KubernetesVersion: "1.12"}, mergeschema.Release{}, "", `unknown Kubernetes version "1.12": known are 1.37, 1.36, 1.35, 1.34`},
		{Options{KubernetesVersion: "36"}, mergeschema.Release{}, "", `unknown Kubernetes version "36": known are 1.37, 1.36, 1.35, 1.34`},
		{Options{KubernetesVersion: "1.36.1\n"}, mergeschema.Release{}, "", `unknown Kubernetes version "1.36.1\n": known are 1.37, 1.36, 1.35, 1.34`},
		{Options{ClusterVersion: "latest"}, mergeschema.Release{}, "", `"latest" is no version of a cluster, such as v1.37.2: 1.37, 1.36, 1.35, 1.34 can be simulated`},
	} {
		got, runs, err := test.options.version()
		if text := errorText(err); text != test.err || got != test.want {
			t.Errorf("%+v: %v, %q; want %v, %q", test.options, got, text, test.want, test.err)
		}
		var known string
		for _, v := range runs {
			known = v.text
		}
		if known != test.runs {
			t.Errorf("%+v: the cluster runs %q, want %q", test.options, known, test.runs)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
