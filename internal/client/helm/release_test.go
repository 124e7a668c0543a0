package helm

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"github.com/ssactl/ssactl/internal/engine"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/applies"
	"github.com/ssactl/ssactl/test/sending"
)

// TestHelmGuess: what live objects say of a release that no input has.
func TestHelmGuess(t *testing.T) {
	entry := func(operation string) string {
		return `, uid: u, managedFields: [{manager: helm, operation: ` + operation + `, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:k": {}}}}]`
	}
	for _, test := range []struct {
		name, live, method string
		says               string
	}{
		{"applied server-side", applies.ConfigMap("a", ofShop+entry("Apply"), "k: v"), "ssa", "No revision of the Helm release shop is given: by the entries of helm it is applied server-side"},
		{"client-side", applies.ConfigMap("a", ofShop+entry("Update"), "k: v"), "csa", "No revision of the Helm release shop is given: by the entries of helm it is applied client-side"},
		{"not written by helm", applies.ConfigMap("a", ofShop, "k: v"), "", "No revision of the Helm release shop is given: an install is assumed."},
		{"of no release", applies.ConfigMap("a", entry("Apply"), "k: v"), "", "No input names the Helm release"},
		{"no live object", "", "", ""},
	} {
		c, err := New("", client.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		w := sending.Write(t, c, applies.ConfigMap("a", "", "k: v"), test.live)
		c.Plan(t.Context(), applies.Server(), []engine.Write{w})
		confidence := c.Simulate(t.Context(), applies.Server(), w).Confidence
		got := ""
		for _, reason := range confidence.Reasons {
			if reason.Rule == report.RuleNoRelease {
				got += reason.Message
			}
		}
		if !strings.HasPrefix(got, test.says) || test.says == "" && got != "" ||
			test.says != "" && confidence.Level != report.Partial {
			t.Errorf("%s: %s, says %q", test.name, confidence.Level, got)
		}
		if want := test.method == "csa"; c.ClientSide != want {
			t.Errorf("%s: client-side %v", test.name, c.ClientSide)
		}
	}
}

// TestReleaseManifest: an object that left the chart is deleted, unless it is a hook or kept.
func TestReleaseManifest(t *testing.T) {
	c := released(
		t,
		applies.ConfigMap(
			"old",
			"",
			"k: v",
		)+"\n---\n"+applies.ConfigMap(
			"hook",
			`, annotations: {helm.sh/hook: pre-install}`,
			"",
		)+"\n---\n{apiVersion: v1, kind: Namespace, metadata: {name: x}}\n",
		client.Settings{},
	)
	w := sending.Write(t, c, applies.ConfigMap("a", "", "k: v"), "")
	c.Plan(t.Context(), applies.Server(), []engine.Write{w})
	of := func(metadata string) func() map[string]any {
		return func() map[string]any { return applies.Object(t, applies.ConfigMap("old", metadata, "k: v")) }
	}
	for _, test := range []struct {
		name string
		key  client.Key
		live func() map[string]any
		want bool
	}{
		{"what left the chart", client.Key{Kind: "ConfigMap", Namespace: "team", Name: "old"}, of(""), true},
		{"what is to be kept", client.Key{Kind: "ConfigMap", Namespace: "team", Name: "old"}, of(`, annotations: {helm.sh/resource-policy: keep}`), false},
		{"a hook", client.Key{Kind: "ConfigMap", Namespace: "team", Name: "hook"}, of(""), false},
		{"what it never had", client.Key{Kind: "ConfigMap", Namespace: "team", Name: "other"}, of(""), false},
	} {
		if policy, prune := c.Prunes(test.key, test.live); prune != test.want || prune && policy != "Background" {
			t.Errorf("%s: %v %s", test.name, prune, policy)
		}
	}
	if got := c.Applied(client.Key{Kind: "ConfigMap", Namespace: "team", Name: "old"}); objects.Text(
		got,
		"data",
		"k",
	) != "v" {
		t.Errorf("applied last: %v", got)
	}
}

// revision is the Secret of a deployed revision; Helm reads one that is not packed, too.
func revision(t *testing.T, manifest string) map[string]any {
	t.Helper()
	text, err := json.Marshal(
		map[string]any{
			"name":      "shop",
			"namespace": "team",
			"version":   1,
			"manifest":  manifest,
			"info":      map[string]any{"status": "deployed"},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString(text)))
	return map[string]any{"apiVersion": "v1", "kind": "Secret", "data": map[string]any{"release": encoded},
		"metadata": map[string]any{"name": "sh.helm.release.v1.shop.v1", "namespace": "team"}}
}

// TestBrokenReleaseManifest: a manifest that cannot be read is an error, without its text.
func TestBrokenReleaseManifest(t *testing.T) {
	for name, s := range map[string]client.Settings{
		"a file":   {ReleaseManifest: []byte("a: b: secret")},
		"a Secret": {Objects: []map[string]any{revision(t, "a: b: secret")}},
	} {
		_, err := New("4", s)
		if got := fmt.Sprint(err); !strings.Contains(got, "document 1 cannot be read; what leaves the chart is not known") ||
			strings.Contains(got, "b: secret") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestManifestsOfMany: a manifest of millions of documents, which is small as it is stored,
// is not read.
func TestManifestsOfMany(t *testing.T) {
	start := strings.Repeat("apiVersion: v1\nkind: A\n---\n", maxDocuments+2)
	if got, err := manifestsOf(start); err == nil || got != nil {
		t.Errorf("%d objects, %v", len(got), err)
	}
	if got, err := manifestsOf(strings.Repeat("apiVersion: v1\nkind: A\n---\n", 1000)); err != nil || len(got) != 1000 {
		t.Errorf("%d objects, %v", len(got), err)
	}
}
