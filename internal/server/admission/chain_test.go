package admission

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/kubeapiserver/options"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/exchange"
	"github.com/ssactl/ssactl/internal/server/faithful"
	"github.com/ssactl/ssactl/internal/server/given"
	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// request is one write that a chain is asked about, and what it says, line by line.
type request struct {
	name string
	// given are the other objects of the cluster; all of the kinds that are assumed to be
	// absent are listed, but where open.
	given []string
	open  bool
	// more are plug-ins that are off by default.
	more        []string
	operation   admission.Operation
	resource    string
	subresource string
	object, old string
	dryRun      bool
	want        []string
}

// everything of the kinds without which an answer makes assumptions.
func listAll() sets.Set[api.Listed] {
	all := sets.New[api.Listed]()
	for _, a := range assumables {
		for _, kind := range a.kinds {
			all.Insert(api.Listed{Kind: kind})
		}
	}
	return all
}

// served serves built-in kinds, and the parameters of the group lab.io.
type served struct{ types *faithful.TypeConverter }

func (s served) Resource(kind schema.GroupVersionKind) api.Resource {
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	return api.Resource{Known: kind.Group != "nobody.io", Resource: plural.Resource, Namespaced: kind.Kind != "Limit"}
}

func (s served) TypeConverter(schema.GroupVersionKind) managedfields.TypeConverter { return s.types }

func newChain(t *testing.T, objects *given.Objects, more ...string) *Chain {
	t.Helper()
	types, err := faithful.NewTypeConverter(mergeschema.Newest(), func(schema.GroupVersion) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	on := sets.New(options.AllOrderedPlugins...).Difference(options.DefaultOffAdmissionPlugins()).Insert(more...)
	c, err := New(objects, served{types}, Settings{Plugins: on}, authorizerfactory.NewAlwaysAllowAuthorizer())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// decoded is an object in its internal form, with defaults; nil for none.
func decoded(t *testing.T, text string) runtime.Object {
	t.Helper()
	if text == "" {
		return nil
	}
	object, err := runtime.Decode(legacyscheme.Codecs.UniversalDecoder(), []byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return object
}

func (r request) attributes(t *testing.T) admission.Attributes {
	t.Helper()
	object, old := decoded(t, r.object), decoded(t, r.old)
	named := object
	if named == nil {
		named = old
	}
	accessor, err := meta.Accessor(named)
	if err != nil {
		t.Fatal(err)
	}
	text := r.object
	if text == "" {
		text = r.old
	}
	_, kind, err := legacyscheme.Codecs.UniversalDeserializer().Decode([]byte(text), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	gvr := kind.GroupVersion().WithResource(r.resource)
	namespace := accessor.GetNamespace()
	if r.resource == "namespaces" {
		namespace = accessor.GetName()
	}
	return admission.NewAttributesRecord(
		object,
		old,
		*kind,
		namespace, accessor.GetName(), gvr, r.subresource, r.operation, nil, r.dryRun, exchange.Requester,
	)
}

// heard collects warnings.
type heard struct{ texts []string }

func (h *heard) AddWarning(_, text string) { h.texts = append(h.texts, text) }

// ask puts a request through a chain.
func ask(t *testing.T, c *Chain, a admission.Attributes) (*Record, []string) {
	t.Helper()
	record, warnings := &Record{}, &heard{}
	ctx := warning.WithWarningRecorder(WithRecord(context.Background(), record), warnings)
	o := admission.NewObjectInterfacesFromScheme(legacyscheme.Scheme)
	err := c.Admit(ctx, a, o)
	if err == nil {
		err = c.Validate(ctx, a, o)
	}
	var lines []string
	for _, change := range record.Changes {
		lines = append(lines, change.Plugin+" sets "+strings.Join(change.Fields, " "))
	}
	for _, caveat := range record.Absent() {
		lines = append(lines, caveat.Message)
	}
	for _, text := range warnings.texts {
		lines = append(lines, "warning: "+text)
	}
	for _, denial := range record.Denials {
		lines = append(lines, "denial: "+denial)
	}
	others, failed := record.Written()
	if failed != nil {
		t.Fatal(failed)
	}
	for _, other := range others {
		lines = append(lines, "leaves "+strings.TrimSpace(string(other)))
	}
	if err != nil {
		lines = append(lines, "error: "+err.Error())
	}
	return record, lines
}

func check(t *testing.T, cases []request) {
	t.Helper()
	for _, r := range cases {
		t.Run(r.name, func(t *testing.T) {
			var texts [][]byte
			for _, text := range r.given {
				texts = append(texts, []byte(text))
			}
			objects := given.New(texts)
			if !r.open {
				objects.Listed = listAll()
			}
			_, got := ask(t, newChain(t, objects, r.more...), r.attributes(t))
			if diff := cmp.Diff(r.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

const (
	nsA     = `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a","labels":{"kubernetes.io/metadata.name":"a","team":"x"}}}`
	account = `{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default","namespace":"a"}}`
	pod     = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"a"},"spec":{"automountServiceAccountToken":false,"containers":[{"name":"c","image":"i"}]}}`
	config  = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"a"},"data":{"k":"v"}}`
	claim   = `{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"d","namespace":"a"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`

	tolerates    = "DefaultTolerationSeconds sets .spec.tolerations"
	prioritizes  = "Priority sets .spec.priority .spec.preemptionPolicy .spec.priorityClassName"
	accounts     = "ServiceAccount sets .spec.serviceAccountName .spec.volumes .spec.containers .spec.initContainers .spec.imagePullSecrets"
	protects     = "StorageObjectInUseProtection sets .metadata.finalizers"
	limited      = "LimitRanger sets .spec.containers .spec.initContainers .metadata.annotations"
	noClasses    = "PriorityClasses were not given, so that the priority of the default one was not set."
	noAccount    = "ServiceAccount admission, which sets serviceAccountName and adds the token volume, was not simulated: the Pod's ServiceAccount was not given."
	noNamespace  = "PodSecurity admission needs the Namespace's labels, and the Namespace was not given."
	assumesOpen  = "Assumes no admission policies, webhooks, quotas or limit ranges: none are given."
	highPriority = `{"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"high"},"value":7}`
)

// TestPluginsOverGivenObjects: each plug-in sets and refuses what the given objects say,
// and says what was not given.
func TestPluginsOverGivenObjects(t *testing.T) {
	check(t, []request{
		{
			name: "nothing given", open: true, operation: admission.Create, resource: "pods", object: pod,
			want: []string{prioritizes, tolerates, noAccount, noNamespace, noClasses, assumesOpen},
		}, {
			name: "what is not looked at", operation: admission.Create, resource: "configmaps", object: config,
		}, {
			name: "all that a Pod needs", given: []string{nsA, account, highPriority}, operation: admission.Create, resource: "pods", object: pod,
			want: []string{accounts, prioritizes, tolerates},
		}, {
			name: "the class of a Pod", given: []string{nsA, account, highPriority}, operation: admission.Create, resource: "pods",
			object: strings.Replace(pod, `"containers"`, `"priorityClassName":"high","containers"`, 1),
			want:   []string{accounts, prioritizes, tolerates},
		}, {
			name: "a class that was not given", given: []string{nsA, account}, operation: admission.Create, resource: "pods",
			object: strings.Replace(pod, `"containers"`, `"priorityClassName":"high","containers"`, 1),
			want:   []string{accounts, tolerates, "The Pod's priority was not set: its PriorityClass was not given."},
		}, {
			name: "limits of the namespace", operation: admission.Create, resource: "pods", object: pod,
			given: []string{
				nsA, account, highPriority,
				`{"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"l","namespace":"a"},"spec":{"limits":[{"type":"Container","default":{"cpu":"1"}}]}}`,
			},
			want: []string{limited, accounts, prioritizes, tolerates},
		}, {
			name: "limits that are exceeded, in one order", operation: admission.Create, resource: "pods",
			given: []string{
				nsA, account, highPriority,
				`{"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"l","namespace":"a"},"spec":{"limits":[{"type":"Container","max":{"memory":"1Mi","cpu":"1"}}]}}`,
			},
			object: strings.Replace(pod, `"image":"i"`, `"image":"i","resources":{"limits":{"memory":"2Mi","cpu":"2"}}`, 1),
			want: []string{accounts, prioritizes, tolerates,
				`error: pods "p" is forbidden: [maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Container is 1Mi, but limit is 2Mi]`},
		}, {
			name: "limits of another namespace", open: true, operation: admission.Create, resource: "persistentvolumeclaims", object: claim,
			given: []string{nsA, `{"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"l","namespace":"b"}}`},
			want: []string{
				protects,
				"LimitRanges of the namespace, which may set or refuse resources, were not given and not simulated.",
				"StorageClasses were not given, so that the default one was not set.",
				"Assumes no admission policies, webhooks or quotas: none are given.",
			},
		}, {
			name: "the default class of a claim", operation: admission.Create, resource: "persistentvolumeclaims", object: claim,
			given: []string{
				nsA,
				`{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"s","annotations":{"storageclass.kubernetes.io/is-default-class":"true"}},"provisioner":"p"}`,
			},
			want: []string{"DefaultStorageClass sets .spec.storageClassName", protects},
		}, {
			name: "a namespace that is not among the given ones", given: []string{`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"b"}}`},
			operation: admission.Create, resource: "configmaps", object: config,
			want: []string{`error: namespaces "a" not found`},
		}, {
			name: "a namespace that is going", given: []string{`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a","deletionTimestamp":"2026-01-01T00:00:00Z"},"status":{"phase":"Terminating"}}`},
			operation: admission.Create, resource: "configmaps", object: config,
			want: []string{
				`error: configmaps "c" is forbidden: unable to create new content in namespace a because it is being terminated`,
			},
		}, {
			name: "an update in a namespace that is going", given: []string{`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"},"status":{"phase":"Terminating"}}`},
			operation: admission.Update, resource: "configmaps", object: config, old: config,
		}, {
			name: "a second default class", given: []string{highPriority}, operation: admission.Create, resource: "priorityclasses",
			object: `{"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"low"},"value":1,"globalDefault":true}`,
		}, {
			name: "a default class, alone", operation: admission.Create, resource: "priorityclasses",
			object: `{"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"low"},"value":1,"globalDefault":true}`,
			want:   []string{"No other PriorityClasses were given; another one may already be the default."},
		}, {
			name: "the default class, as before", operation: admission.Update, resource: "priorityclasses",
			object: `{"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"low"},"value":1,"globalDefault":true}`,
			old:    `{"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"low"},"value":1,"globalDefault":true}`,
		}, {
			name: "a plug-in that is off by default", given: []string{nsA, account, highPriority}, more: []string{"AlwaysPullImages", "ImagePolicyWebhook"},
			operation: admission.Create, resource: "pods", object: strings.Replace(pod, `"image":"i"`, `"image":"i:1"`, 1),
			want: []string{
				accounts,
				"AlwaysPullImages sets .spec.containers .spec.initContainers .spec.ephemeralContainers .spec.volumes",
				prioritizes, tolerates,
				"ImagePolicyWebhook, which may refuse the Pod's images, was not called.",
			},
		},
	})
}

func quotaOf(used, hard string) string {
	return `{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q","namespace":"a"},"spec":{"hard":{"count/configmaps":"` + hard +
		`"}},"status":{"hard":{"count/configmaps":"` + hard + `"},"used":{"count/configmaps":"` + used + `"}}}`
}

// TestQuotas: a request that exceeds a quota is refused, one that does not changes what is
// used of it, and a dry run changes nothing.
func TestQuotas(t *testing.T) {
	const absent = "ResourceQuotas of the namespace, which may refuse the object, were not given and not simulated."
	other := strings.Replace(quotaOf("0", "1"), `"namespace":"a"`, `"namespace":"b"`, 1)
	check(t, []request{
		{
			name: "within", given: []string{nsA, quotaOf("1", "2")}, operation: admission.Create, resource: "configmaps", object: config,
			want: []string{
				"leaves " + strings.Replace(
					quotaOf("2", "2"), `"apiVersion":"v1","kind":"ResourceQuota"`,
					`"kind":"ResourceQuota","apiVersion":"v1"`, 1,
				),
			},
		}, {
			name: "within, for a trial", given: []string{nsA, quotaOf("1", "2")}, operation: admission.Create, resource: "configmaps", object: config, dryRun: true,
		}, {
			name: "exceeded", given: []string{nsA, quotaOf("2", "2")}, operation: admission.Create, resource: "configmaps", object: config,
			want: []string{
				`error: configmaps "c" is forbidden: exceeded quota: q, requested: count/configmaps=1, used: count/configmaps=2, limited: count/configmaps=2`,
			},
		}, {
			name: "an update takes nothing", given: []string{nsA, quotaOf("2", "2")}, operation: admission.Update, resource: "configmaps", object: config, old: config,
		}, {
			name: "of another namespace", open: true, given: []string{nsA, other}, operation: admission.Create, resource: "configmaps", object: config,
			want: []string{"Assumes no admission policies, webhooks or limit ranges: none are given."},
		}, {
			name: "of another namespace, for a claim", open: true, given: []string{nsA, other}, operation: admission.Create, resource: "persistentvolumeclaims", object: claim,
			want: []string{protects, "StorageClasses were not given, so that the default one was not set.", absent,
				"Assumes no admission policies, webhooks or limit ranges: none are given."},
		}, {
			name: "unknown, and nothing to count", open: true, given: []string{nsA}, operation: admission.Update, resource: "configmaps", object: config, old: config,
			want: []string{"Assumes no admission policies, webhooks, quotas or limit ranges: none are given."},
		},
	})
}

// TestAssumption: the sentence names what the inputs leave open, in one order, and nothing
// that they list.
func TestAssumption(t *testing.T) {
	policies := []string{"MutatingAdmissionPolicy", "ValidatingAdmissionPolicy"}
	for _, c := range []struct {
		name   string
		listed []schema.GroupKind
		looked string
		want   string
	}{
		{"nothing listed", nil, "", "Assumes no admission policies, webhooks, quotas or limit ranges: none are given."},
		{"in a dump", nil, "in dump.yaml", "Assumes no admission policies, webhooks, quotas or limit ranges: none are in dump.yaml."},
		{"one of a noun", policyKinds(policies[0]), "", "Assumes no validating admission policies, webhooks, quotas or limit ranges: none are given."},
		{"policies without bindings", []schema.GroupKind{policyKinds(policies[0])[0], policyKinds(policies[1])[0]}, "", "Assumes no webhooks, quotas or limit ranges: none are given."},
		{"the other webhooks", []schema.GroupKind{validatingWebhookObjects.kinds[0], {Kind: "ResourceQuota"}}, "",
			"Assumes no admission policies, mutating webhooks or limit ranges: none are given."},
		{"one thing", append(append(policyKinds(policies[0]), policyKinds(policies[1])...),
			mutatingWebhookObjects.kinds[0], validatingWebhookObjects.kinds[0], schema.GroupKind{Kind: "LimitRange"}), "", "Assumes no quotas: none are given."},
	} {
		objects := given.New(nil)
		objects.LookedFor, objects.Listed = c.looked, sets.New[api.Listed]()
		for _, kind := range c.listed {
			objects.Listed.Insert(api.Listed{Kind: kind})
		}
		if got := newChain(t, objects).assumption; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	objects := given.New(nil)
	objects.Listed = listAll()
	if got := newChain(t, objects).assumption; got != "" {
		t.Errorf("everything listed: %q", got)
	}
}
