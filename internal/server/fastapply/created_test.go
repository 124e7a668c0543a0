package fastapply

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/mutate"
	"github.com/ssactl/ssactl/test/sampled"
)

// TestPathsCreatedRecorded: every recorded apply is answered the same on both paths where its
// object is not there.
func TestPathsCreatedRecorded(t *testing.T) {
	p := newPaths(t)
	for _, r := range sampled.Of(t, 20, p.configurations()) {
		p.compare(r)
		r.Call.Body = asYAML(r.Call.Body)
		p.compare(r)
	}
	p.concludeCreated(2000, 20)
}

// TestPathsCreated: and so are configurations that are changed at random.
func TestPathsCreated(t *testing.T) {
	p := newPaths(t)
	m := p.mutator(17)
	configurations := p.configurations()
	for range *requests / p.every {
		r := configurations[m.Random.IntN(len(configurations))]
		for range m.Random.IntN(4) {
			switch m.Random.IntN(7) {
			case 0, 1:
				r.Call.Body = m.overlaid(r.Call.Body)
			case 2, 3:
				r.Call.Body = m.lesser(r.Call.Body)
			case 4:
				r.Call.Body = m.identified(r.Call.Body)
			case 5:
				if m.Chance(4) {
					r.Call.Body = m.Text(r.Call.Body)
				}
			case 6:
				r.Call.Body = m.hollow(r.Call.Body)
			}
		}
		if m.Chance(20) {
			m.Parameters(&r.Call)
		}
		if m.Chance(4) {
			r.Call.Manager = m.One("someone else", "kubectl").(string)
		}
		r.Call.Force = m.Chance(3)
		if m.Random.IntN(10) > 0 {
			r.Call.Body = asYAML(r.Call.Body)
		}
		p.compare(r)
	}
	p.concludeCreated(*requests/5, *requests/50)
}

// TestCreatedLetters: answers are those of upstream to the letter, be the object created or
// not valid, and the configuration in a namespace or without one.
func TestCreatedLetters(t *testing.T) {
	full := bothServers(t)["full"]
	short := Around(newServer(t, server.ShortPath, nil))
	const (
		template = "  template:\n    metadata:\n      labels: {a: b}\n" +
			"    spec:\n      containers:\n      - name: c\n        image: i\n"
		deployment = "spec:\n  selector:\n    matchLabels: {a: b}\n" + template
	)
	unmounted := strings.Replace(deployment, "image: i", "volumeMounts: [{name: v, mountPath: /v}]", 1)
	for _, c := range []struct {
		apiVersion, kind, namespace, body string
		want                              int
	}{
		{"v1", "ConfigMap", "", "data:\n  a: <b> & c\n", 201},
		{"v1", "ConfigMap", "  namespace: d\n", "data:\n  z: 'true'\n  a: \"\\t\"\n", 201},
		{"v1", "ConfigMap", "", "data:\n  /: b\n", 422},
		{"apps/v1", "Deployment", "  labels: {a: b}\n", deployment, 201},
		{"apps/v1", "Deployment", "", strings.ReplaceAll(deployment, "name: c", "name: C"), 422},
		{"apps/v1", "Deployment", "", unmounted, 422},
		{"batch/v1", "Job", "", "spec:\n" + template + "      restartPolicy: Never\n", 201},
	} {
		gv, err := schema.ParseGroupVersion(c.apiVersion)
		if err != nil {
			t.Fatal(err)
		}
		head := "apiVersion: " + c.apiVersion + "\nkind: " + c.kind + "\nmetadata:\n  name: r\n"
		call := api.Request{
			Verb: api.Apply, Kind: gv.WithKind(c.kind), Namespace: "d", Name: "r", Manager: "m",
			Body: []byte(head + c.namespace + c.body), Now: fixedTime,
		}
		got, ok := short.plain(t.Context(), call)
		want, err := full.Do(t.Context(), call)
		if err != nil {
			t.Fatal(err)
		}
		if !ok || got.Code != c.want || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n got %d %s\nwant %d %s", call.Body, ok, got.Code, got.Body, want.Code, want.Body)
		}
	}
}

// TestCreatedAtAnotherTime: what a strategy sets to the time of the request is left to
// upstream, which is asked as if at that time.
func TestCreatedAtAnotherTime(t *testing.T) {
	full := bothServers(t)["full"]
	short := Around(newServer(t, server.ShortPath, nil))
	for kind, body := range map[schema.GroupVersionKind]string{
		{Version: "v1", Kind: "Pod"}: "apiVersion: v1\nkind: Pod\nmetadata:\n  name: r\n" +
			"spec:\n  schedulingGates:\n  - name: example.com/a\n  containers:\n  - name: c\n    image: i\n",
		{Group: "apiregistration.k8s.io", Version: "v1", Kind: "APIService"}: "apiVersion: apiregistration.k8s.io/v1\n" +
			"kind: APIService\nmetadata:\n  name: v1.example.com\n" +
			"spec:\n  group: example.com\n  version: v1\n  groupPriorityMinimum: 1\n  versionPriority: 1\n",
	} {
		call := api.Request{Verb: api.Apply, Kind: kind, Manager: "m", Body: []byte(body), Now: fixedTime, Name: "r", Namespace: "d"}
		if kind.Kind == "APIService" {
			call.Name, call.Namespace = "v1.example.com", ""
		}
		got, err := short.Do(t.Context(), call)
		if err != nil {
			t.Fatal(err)
		}
		want, err := full.Do(t.Context(), call)
		if err != nil {
			t.Fatal(err)
		}
		if got.Code != 201 || !reflect.DeepEqual(got, want) || strings.Count(string(got.Body), "2026-03-01T12:00:00Z") != 2 {
			t.Errorf("%s\n got %s\nwant %s", kind, got.Body, want.Body)
		}
	}
}

// configurations are the recorded applies without their live objects.
func (p *bothPaths) configurations() []mutate.Recorded {
	var all []mutate.Recorded
	for _, r := range p.pool {
		if r.Call.Verb == api.Apply {
			r.Call.Now, r.Call.Live = fixedTime, nil
			all = append(all, r)
		}
	}
	return all
}

// identified changes what a configuration says of the identity of its object, or has it say
// something.
func (m *mutator) identified(text []byte) []byte {
	var object map[string]any
	if json.Unmarshal(text, &object) != nil {
		return text
	}
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return text
	}
	switch m.Random.IntN(8) {
	case 0, 1, 2:
		delete(metadata, "namespace")
	case 3:
		metadata["namespace"] = m.One("other", "", nil, metadata["name"])
	case 4:
		metadata["name"] = m.One("other", "", nil)
	case 5:
		metadata[m.One("uid", "resourceVersion", "creationTimestamp", "generateName").(string)] =
			m.One("", "1", "2026-02-01T00:00:00Z", nil)
	case 6:
		key := m.One("finalizers", "ownerReferences", "managedFields").(string)
		metadata[key] = m.One([]any{}, []any{"example.com/a"}, nil)
	case 7:
		object["status"] = m.One(map[string]any{}, nil)
	}
	changed, err := json.Marshal(object)
	if err != nil {
		return text
	}
	return changed
}

// concludeCreated is conclude of how many objects the shortcut created, and refused.
func (p *bothPaths) concludeCreated(created, refused int) {
	p.t.Logf("%v", p.tally)
	if got, want := p.tally["plain, created"], created/p.every; got < want {
		p.t.Errorf("%d requests took the shortcut and created an object, want %d at least", got, want)
	}
	if got, want := p.tally["plain, not valid"], refused/p.every; got < want {
		p.t.Errorf("%d requests took the shortcut and were refused, want %d at least", got, want)
	}
}
