package faithful

import (
	"encoding/json"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	core "k8s.io/kubernetes/pkg/apis/core"

	"github.com/ssactl/ssactl/internal/server/api"
	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// TestFillPlaceholders: a live object gets what the server's code needs and it lacks, and
// nothing else.
func TestFillPlaceholders(t *testing.T) {
	const whole = `{"metadata":{"namespace":"a","resourceVersion":"7","uid":"u"}}`
	const balancer = `{"metadata":{"namespace":"a","resourceVersion":"7","uid":"u"},"spec":{"externalTrafficPolicy":"Local","type":"LoadBalancer"}}`
	for _, c := range []struct{ name, live, namespace, want, err, kind string }{
		{"none", "", "a", "", "", ""},
		{"a whole one, to the byte", `{ "metadata": {"uid":"u","resourceVersion":"7","namespace":"a"} }`, "a", `{ "metadata": {"uid":"u","resourceVersion":"7","namespace":"a"} }`, "", ""},
		{"without a uid", strings.Replace(whole, `,"uid":"u"`, "", 1), "a", strings.Replace(whole, `"u"`, `"`+placeholderUID+`"`, 1), "", ""},
		{"without a version", strings.Replace(whole, `"resourceVersion":"7",`, "", 1), "a", strings.Replace(whole, `"7"`, `"1"`, 1), "", ""},
		{"without a namespace", strings.Replace(whole, `"namespace":"a",`, "", 1), "a", whole, "", ""},
		{"of the cluster", strings.Replace(whole, `"namespace":"a",`, "", 1), "", strings.Replace(whole, `"namespace":"a",`, "", 1), "", ""},
		{"no object", `[]`, "", "", "it is no object but of the type array", ""},
		{"metadata that are a text", `{"metadata":"x"}`, "", "", ".metadata is of the wrong type string", ""},
		{"a uid that is a number", `{"metadata":{"uid":1}}`, "", "", ".metadata.uid is of the wrong type number", ""},
		{"no metadata", `{}`, "", "", "it has no metadata", ""},
		{"a health check without its port", balancer, "a", strings.Replace(balancer, `"Local",`, `"Local","healthCheckNodePort":64536,`, 1), "", "Service"},
		{"the same of another kind", balancer, "a", balancer, "", "Other"},
		{"with its port", strings.Replace(balancer, `"Local",`, `"Local","healthCheckNodePort":30001,`, 1), "a", strings.Replace(balancer, `"Local",`, `"Local","healthCheckNodePort":30001,`, 1), "", "Service"},
		{"of all nodes", strings.Replace(balancer, "Local", "Cluster", 1), "a", strings.Replace(balancer, "Local", "Cluster", 1), "", "Service"},
	} {
		var live []byte
		if c.live != "" {
			live = []byte(c.live)
		}
		filled, err := FillPlaceholders(
			live,
			schema.GroupKind{Kind: c.kind},
			c.namespace,
			utilnet.PortRange{Base: 64536, Size: 1000},
		)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %s", c.name, err, c.err)
			}
			continue
		}
		if err != nil || string(filled.Live) != c.want {
			t.Errorf("%s: %s, %v, want %s", c.name, filled.Live, err, c.want)
		}
	}
}

// TestTakeBack: what only a server can give leaves the answer, and its paths are reported.
func TestTakeBack(t *testing.T) {
	const (
		token = `{"kind":"Pod","metadata":{"name":"p","uid":"x"},"spec":{"volumes":[{"name":"data"},{"name":"kube-api-access-abcde"}],` +
			`"containers":[{"name":"c","volumeMounts":[{"name":"kube-api-access-abcde"},{"name":"data"}]}]}}`
		service = `{"kind":"Service","metadata":{"uid":"u"},"spec":{"clusterIP":"240.0.0.1","clusterIPs":["240.0.0.1"],"healthCheckNodePort":64600,"ports":[{"port":80,"protocol":"TCP","nodePort":64601},{"port":81,"protocol":"TCP","nodePort":30000}]}}`
	)
	live := []byte(`{}`)
	for _, c := range []struct {
		name   string
		filled Placeholders
		call   api.Request
		code   int
		body   string
		want   string
		taken  []string
	}{
		{"an object that is there", Placeholders{}, api.Request{Live: live}, 200, `{"metadata":{"uid":"u"}}`, `{"metadata":{"uid":"u"}}`, nil},
		{"with a placeholder", Placeholders{uid: true}, api.Request{Live: live}, 200, `{"metadata":{"name":"a","uid":"u"}}`, `{"metadata":{"name":"a"}}`, []string{".metadata.uid"}},
		{"with a namespace that was filled in", Placeholders{namespace: true}, api.Request{Live: live}, 200, `{"metadata":{"namespace":"a"}}`, `{"metadata":{}}`, nil},
		{"a refusal of it", Placeholders{uid: true}, api.Request{Live: live}, 409, `{"metadata":{"uid":"u"}}`, `{"metadata":{"uid":"u"}}`, nil},
		{"a new object", Placeholders{}, api.Request{Name: "a"}, 201, `{"metadata":{"creationTimestamp":"t","name":"a","resourceVersion":"1","uid":"u"}}`,
			`{"metadata":{"name":"a"}}`, []string{".metadata.creationTimestamp", ".metadata.resourceVersion", ".metadata.uid"}},
		{"a new Status", Placeholders{}, api.Request{}, 422, `{"apiVersion":"v1","kind":"Status","metadata":{"uid":"u"}}`, `{"apiVersion":"v1","kind":"Status","metadata":{"uid":"u"}}`, nil},
		{"a generated name, and where it stands", Placeholders{}, api.Request{}, 201,
			`{"metadata":{"generateName":"j-","labels":{"job":"j-abc","uid":"u","x":"y"},"name":"j-abc","uid":"u"}}`,
			`{"metadata":{"generateName":"j-","labels":{"x":"y"}}}`, []string{".metadata.labels.job", ".metadata.labels.uid", ".metadata.name", ".metadata.uid"}},
		{"who asks for a certificate", Placeholders{}, api.Request{Kind: schema.GroupVersionKind{Kind: "CertificateSigningRequest"}}, 201,
			`{"spec":{"groups":["g"],"request":"r","username":"n"}}`, `{"spec":{"request":"r"}}`, []string{".spec.groups", ".spec.username"}},
		{"the volume of a token", Placeholders{}, api.Request{Kind: schema.GroupVersionKind{Kind: "Pod"}, Name: "p"}, 201, token,
			`{"kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","volumeMounts":[{},{"name":"data"}]}],"volumes":[{"name":"data"},{}]}}`,
			[]string{".metadata.uid", `.spec.containers[name="c"].volumeMounts[0].name`, ".spec.volumes[1].name"}},
		{"such a volume that was asked for", Placeholders{}, api.Request{Kind: schema.GroupVersionKind{Kind: "Pod"}, Name: "p", Body: []byte("kube-api-access-abcde")}, 201,
			strings.Replace(token, `,"uid":"x"`, "", 1), `{"kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","volumeMounts":[{"name":"kube-api-access-abcde"},{"name":"data"}]}],"volumes":[{"name":"data"},{"name":"kube-api-access-abcde"}]}}`, nil},
		{"what a Service is given", Placeholders{Ports: utilnet.PortRange{Base: 64536, Size: 1000}}, api.Request{Kind: schema.GroupVersionKind{Kind: "Service"}, Live: live}, 200, service,
			`{"kind":"Service","metadata":{"uid":"u"},"spec":{"ports":[{"port":80,"protocol":"TCP"},{"nodePort":30000,"port":81,"protocol":"TCP"}]}}`,
			[]string{".spec.clusterIP", ".spec.clusterIPs", ".spec.healthCheckNodePort", `.spec.ports[port=80,protocol="TCP"].nodePort`}},
	} {
		r, err := c.filled.TakeBack(c.call, api.Response{Code: c.code, Body: []byte(c.body), Stored: []byte(c.body)})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if string(r.Body) != c.want || string(r.Stored) != c.want {
			t.Errorf("%s:\n%s\n%s, want\n%s", c.name, r.Body, r.Stored, c.want)
		}
		if diff := cmp.Diff(c.taken, r.ServerValues); diff != "" {
			t.Errorf("%s: taken (-want +got)\n%s", c.name, diff)
		}
	}
}

func network(t *testing.T, text string) *net.IPNet {
	t.Helper()
	_, n, err := net.ParseCIDR(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPlaceholderAddresses: addresses are given of reserved networks, and those that are
// asked for are judged by the range, where it is known.
func TestPlaceholderAddresses(t *testing.T) {
	primary, all := NewPlaceholderAddresses([]*net.IPNet{network(t, "fd00::/112"), network(t, "10.0.0.0/24")})
	if primary != core.IPv6Protocol || len(all) != 2 {
		t.Fatalf("primary %s, %d families", primary, len(all))
	}
	for _, allocator := range all {
		first, err := allocator.AllocateNext()
		second, again := allocator.AllocateNext()
		if err != nil || again != nil || first.Equal(second) || !IsPlaceholderAddress(first.String()) {
			t.Errorf("%s: %s, %s, %v, %v", allocator.IPFamily(), first, second, err, again)
		}
	}
	for address, ok := range map[string]bool{"10.0.0.7": true, "10.0.0.0": false, "10.0.0.255": false, "10.0.1.1": false} {
		if err := all[core.IPv4Protocol].Allocate(net.ParseIP(address)); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
	primary, all = NewPlaceholderAddresses(nil)
	if primary != core.IPv4Protocol || all[primary].Allocate(net.ParseIP("192.168.1.1")) != nil {
		t.Error("without a range an address is refused")
	}
	for address, want := range map[string]bool{"240.0.0.1": true, "100::1": true, "10.0.0.1": false, "None": false, "": false} {
		if got := IsPlaceholderAddress(address); got != want {
			t.Errorf("%q is a placeholder: %t", address, got)
		}
	}
}

// TestPlaceholderPorts: ports are given outside of the range of those that are allocated.
func TestPlaceholderPorts(t *testing.T) {
	for _, c := range []struct {
		base, size, want int
		ok               bool
	}{
		{30000, 2768, 64536, true},
		{64000, 1536, 63000, true},
		{1, 65535, -999, false},
	} {
		allocated := utilnet.PortRange{Base: c.base, Size: c.size}
		outside, ok := PortsOutside(allocated)
		if ok != c.ok || outside.Base != c.want || outside.Size != PlaceholderPortCount {
			t.Errorf("%s: %v, %t", allocated.String(), outside, ok)
		}
		if !ok {
			continue
		}
		ports := NewPlaceholderPorts(allocated)
		port, err := ports.AllocateNext()
		if err != nil || !outside.Contains(port) || allocated.Contains(port) {
			t.Errorf("%s: gives %d, %v", allocated.String(), port, err)
		}
		if err := ports.Allocate(port); err == nil {
			t.Errorf("%s: accepts %d", allocated.String(), port)
		}
		if err := ports.Allocate(c.base); err != nil {
			t.Errorf("%s: %v", allocated.String(), err)
		}
	}
}

// TestLetterPaths: where objects of a kind keep JSON to the letter.
func TestLetterPaths(t *testing.T) {
	revision := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "ControllerRevision"}
	if diff := cmp.Diff([][]string{{"data"}}, LetterPaths(revision)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var texts []string
	for _, path := range LetterPaths(schema.GroupVersionKind{Group: "resource.k8s.io", Version: "v1", Kind: "ResourceClaim"}) {
		texts = append(texts, strings.Join(path, "."))
	}
	if !strings.Contains(strings.Join(texts, " "), "spec.devices.config.*.opaque.parameters") {
		t.Errorf("of a claim: %v", texts)
	}
	for _, kind := range []string{"Deployment", "Nothing"} {
		if paths := LetterPaths(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: kind}); paths != nil {
			t.Errorf("of a %s: %v", kind, paths)
		}
	}
}

// TestLettersOfRequests: what a write makes of the letters of the live object depends on its
// verb: an update has those of its body, and most write them sorted.
func TestLettersOfRequests(t *testing.T) {
	const live = `{"data":{"b":1, "a":2}}`
	resource := schema.GroupResource{Group: "apps", Resource: "controllerrevisions"}
	kind := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "ControllerRevision"}
	for _, c := range []struct {
		name     string
		resource schema.GroupResource
		verb     api.Verb
		body     string
		want     string
	}{
		{"an apply", resource, api.Apply, `{"data":{"b":1,"a":2}}`, `{"data":{"a":2,"b":1}}`},
		{"an update", resource, api.Update, `{"data":{"b":1,  "a":2}}`, `{"data":{"b":1,  "a":2}}`},
		{"an update to something else", resource, api.Update, `{"data":{"b":3,"a":2}}`, `{"data":{"a":2,"b":1}}`},
		{"a JSON patch", resource, api.JSONPatch, `[{"op":"add","path":"/data","value":{"b":1, "a":2}}]`, `{"data":{"b":1,"a":2}}`},
		{"of another resource", schema.GroupResource{Resource: "configmaps"}, api.Update, `{"data":{"a":2,"b":1}}`, live},
	} {
		l := LettersOf(api.Request{Verb: c.verb, Kind: kind, Body: []byte(c.body), Live: []byte(live)}, c.resource)
		if got := string(l.In([]byte(live))); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestDropLater: an older release writes no field that came after it, and has no later
// warnings.
func TestDropLater(t *testing.T) {
	old, err := NewTypeConverter(mergeschema.Releases()[0], func(schema.GroupVersion) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	node := schema.GroupVersionKind{Group: "storage.k8s.io", Version: "v1", Kind: "CSINode"}
	const written = `{"apiVersion":"storage.k8s.io/v1","kind":"CSINode","spec":{},"status":{}}`
	for _, c := range []struct{ name, body, want string }{
		{"an empty field", written, `{"apiVersion":"storage.k8s.io/v1","kind":"CSINode","spec":{}}`},
		{"one that is not", strings.Replace(written, `"status":{}`, `"status":{"a":1}`, 1), strings.Replace(written, `"status":{}`, `"status":{"a":1}`, 1)},
		{"of another kind", strings.Replace(written, "CSINode", "Status", 1), strings.Replace(written, "CSINode", "Status", 1)},
	} {
		r := api.Response{Body: []byte(c.body), Stored: []byte(c.body)}
		if err := old.DropLater(node, &r); err != nil || string(r.Body) != c.want || string(r.Stored) != c.want {
			t.Errorf("%s: %s, %s, %v", c.name, r.Body, r.Stored, err)
		}
	}
	if later := old.LaterFields(schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}); later != nil {
		t.Errorf("a ConfigMap has %v", later)
	}
	for text := range laterWarnings {
		r := api.Response{Warnings: []string{"another", text}}
		if AsRelease(mergeschema.Releases()[0], &r); len(r.Warnings) != 1 || r.Warnings[0] != "another" {
			t.Errorf("warnings of the oldest release: %q", r.Warnings)
		}
		r = api.Response{Warnings: []string{text}}
		if AsRelease(mergeschema.Newest(), &r); len(r.Warnings) != 1 {
			t.Errorf("warnings of the newest release: %q", r.Warnings)
		}
	}
}

// TestTimesAreShifted: the server's code sees times around its clock, in the order that
// they have at the time of answering, and the answer has those of the request again.
func TestTimesAreShifted(t *testing.T) {
	live := `{"metadata":{"creationTimestamp":"2026-01-01T00:00:00Z","managedFields":[{"time":"2026-01-02T00:00:00Z"}]},"note":"2026-01-02T00:00:00Z and more"}`
	body := "metadata:\n  creationTimestamp: 2026-01-01T00:00:00Z\n"
	now := mustParse(t, "2026-01-03T00:00:00Z")
	var seen api.Request
	response, err := AtTime(
		api.Request{Live: []byte(live), Body: []byte(body), JSON: []byte(`{}`), Now: now},
		func(call api.Request) (api.Response, error) {
			seen = call
			return api.Response{Body: call.Live, Stored: call.Live}, nil
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	var times Times
	if err := json.Unmarshal(seen.Live, &times); err != nil {
		t.Fatal(err)
	}
	created, entry := mustParse(t, times.Metadata.CreationTimestamp), mustParse(t, times.Metadata.ManagedFields[0].Time)
	if entry.Sub(created) != 24*60*60*1e9 || created.Equal(mustParse(t, "2026-01-01T00:00:00Z")) {
		t.Errorf("the server's code sees %s and %s", created, entry)
	}
	if !strings.Contains(string(seen.Live), "2026-01-02T00:00:00Z and more") {
		t.Errorf("a time in a text is shifted: %s", seen.Live)
	}
	if want := "creationTimestamp: " + times.Metadata.CreationTimestamp + "\n"; !strings.Contains(
		string(seen.Body),
		want,
	) ||
		seen.JSON != nil {
		t.Errorf("the body says %s, %s", seen.Body, seen.JSON)
	}
	if string(response.Body) != live || string(response.Stored) != live {
		t.Errorf("the answer is %s", response.Body)
	}
}
