package writers

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
)

// Replicas is the field that autoscalers write.
const Replicas = ".spec.replicas"

// ClaimKind is what an object of the inputs has its controller write to another one.
type ClaimKind string

// The kinds of claim.
const (
	// Scales: .spec.replicas.
	Scales ClaimKind = "Scales"
	// Generates: the whole object.
	Generates ClaimKind = "Generates"
	// Selects: .spec.selector of a Service.
	Selects ClaimKind = "Selects"
	// Weighs: the weights of routes.
	Weighs ClaimKind = "Weighs"
	// Resizes: the resources of the pods, and not those of the object.
	Resizes ClaimKind = "Resizes"
	// Idles: .spec.replicas, which is 0 while no canary is under way.
	Idles ClaimKind = "Idles"
)

// Claim is one of them, by an object that By names.
type Claim struct {
	Kind ClaimKind
	By   string
	// Scaling is that of an autoscaler; zero for other claims.
	Scaling Scaling
	// Hash is that of the pods which a Service is to select; empty where it is not known.
	Hash string
	// Goes: the object goes with the run.
	Goes bool
}

// Manager is the field manager that writes what is claimed; empty where that is not
// known, and where the object itself is not written.
func (c Claim) Manager() string {
	switch c.Kind {
	case Scales:
		return ControllerManager
	case Selects, Weighs:
		return "rollouts-controller"
	case Idles:
		return "flagger"
	}
	return ""
}

// Claims are those of all objects of the inputs, by whom they are on.
type Claims map[claimed][]Claim

// claimed names an object that another one has something written to.
type claimed struct{ namespace, group, kind, name string }

// claimants are the kinds that have something written to other objects, with what each
// has, and on which kinds: none for all whose objects have replicas. References leave
// out the namespace: they are to their own.
var claimants = map[schema.GroupKind]struct {
	claim func(c claimant)
	on    []schema.GroupKind
}{
	{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}: {
		claim: func(c claimant) {
			c.scaling = hpaScaling(c.object)
			c.reference(Scales, "scaleTargetRef")
		},
	},
	{Group: "keda.sh", Kind: "ScaledObject"}: {
		claim: func(c claimant) {
			c.scaling = kedaScaling(c.object)
			c.reference(Scales, "scaleTargetRef")
		},
	},
	{Group: "autoscaling.k8s.io", Kind: "VerticalPodAutoscaler"}: {claim: func(c claimant) {
		if c.spec("updatePolicy", "updateMode") != "Off" {
			c.reference(Resizes, "targetRef")
		}
	}},
	{Group: "external-secrets.io", Kind: "ExternalSecret"}: {func(c claimant) {
		if c.spec("target", "creationPolicy") != "None" {
			c.add(Generates, "", "Secret", cmp.Or(c.spec("target", "name"), nameOf(c.object)))
		}
	}, secrets},
	{Group: "bitnami.com", Kind: "SealedSecret"}: {
		func(c claimant) { c.add(Generates, "", "Secret", nameOf(c.object)) },
		secrets,
	},
	{Group: "cert-manager.io", Kind: "Certificate"}: {
		func(c claimant) { c.add(Generates, "", "Secret", c.spec("secretName")) },
		secrets,
	},
	{Group: "argoproj.io", Kind: "Rollout"}: {rollout, rolloutKinds},
	{Group: "flagger.app", Kind: "Canary"}:  {canary, canaryKinds},
}

const (
	istio   = "networking.istio.io"
	gateway = "gateway.networking.k8s.io"
	traefik = "traefik.io"
	smi     = "split.smi-spec.io"
)

// WeightsOf is where objects of a kind of route have their weights.
func WeightsOf(kind string) []string {
	switch kind {
	case "VirtualService":
		return []string{"spec", "http"}
	case "TraefikService":
		return []string{"spec", "weighted", "services"}
	case "TrafficSplit":
		return []string{"spec", "backends"}
	}
	return []string{"spec", "rules"}
}

// rolloutKinds are the kinds that Argo Rollouts writes to.
var rolloutKinds = []schema.GroupKind{
	{Kind: "Service"}, {Group: istio, Kind: "VirtualService"}, {Group: traefik, Kind: "TraefikService"},
	{Group: smi, Kind: "TrafficSplit"}, {Group: gateway, Kind: "HTTPRoute"}, {Group: gateway, Kind: "GRPCRoute"},
	{Group: gateway, Kind: "TCPRoute"}, {Group: gateway, Kind: "TLSRoute"},
}

// gatewayRoutes are the routes of the plug-in for the Gateway API, by what names one of
// them or a list (argoproj-labs/rollouts-plugin-trafficrouter-gatewayapi).
var gatewayRoutes = map[string]string{
	"httpRoute": "HTTPRoute", "grpcRoute": "GRPCRoute", "tcpRoute": "TCPRoute", "tlsRoute": "TLSRoute",
}

var secrets = []schema.GroupKind{{Kind: "Secret"}}

// services are the Services of a Rollout, and where its status has the hash of the pods that
// each selects (argoproj/argo-rollouts, rollout/service.go).
var services = []struct {
	strategy, field string
	hash            []string
}{
	{"canary", "canaryService", []string{"currentPodHash"}},
	{"canary", "stableService", []string{"stableRS"}},
	{"blueGreen", "activeService", []string{"blueGreen", "activeSelector"}},
	{"blueGreen", "previewService", []string{"blueGreen", "previewSelector"}},
}

// canaryKinds are the kinds that Flagger writes to, but for routes.
var canaryKinds = []schema.GroupKind{
	{Group: "apps", Kind: "Deployment"}, {Group: "apps", Kind: "DaemonSet"}, {Kind: "Service"},
}

// canary is what Flagger writes (fluxcd/flagger, pkg/canary, pkg/router): the Services of the
// target, and the replicas of the target, which is idle but for a canary that is under way.
func canary(c claimant) {
	target := c.spec("targetRef", "name")
	name := cmp.Or(c.spec("service", "name"), target)
	for _, suffix := range []string{"", "-primary", "-canary"} {
		if name != "" {
			c.add(Generates, "", "Service", name+suffix)
		}
	}
	switch phase, _ := fieldtree.Value(c.object, "status", "phase").(string); phase {
	case "Initialized", "Succeeded", "Failed":
		c.reference(Idles, "targetRef")
	}
}

func rollout(c claimant) {
	for _, service := range services {
		hash, _ := fieldtree.Value(c.object, append([]string{"status"}, service.hash...)...).(string)
		c.note(Claim{Kind: Selects, Hash: hash}, "", "Service", c.spec("strategy", service.strategy, service.field))
	}
	c.add(
		Weighs, istio, "VirtualService",
		c.spec("strategy", "canary", "trafficRouting", "istio", "virtualService", "name"),
	)
	routing, _ := fieldtree.Value(c.object, "spec", "strategy", "canary", "trafficRouting").(map[string]any)
	c.addAll(Weighs, istio, "VirtualService", fieldtree.Value(routing, "istio", "virtualServices"))
	name, _ := fieldtree.Value(routing, "traefik", "weightedTraefikServiceName").(string)
	c.add(Weighs, traefik, "TraefikService", name)
	if routing["smi"] != nil {
		name, _ = fieldtree.Value(routing, "smi", "trafficSplitName").(string)
		c.add(Weighs, smi, "TrafficSplit", cmp.Or(name, nameOf(c.object)))
	}
	for one, kind := range gatewayRoutes {
		name, _ = fieldtree.Value(routing, "plugins", "argoproj-labs/gatewayAPI", one).(string)
		c.add(Weighs, gateway, kind, name)
		c.addAll(Weighs, gateway, kind, fieldtree.Value(routing, "plugins", "argoproj-labs/gatewayAPI", one+"s"))
	}
}

// addAll claims the objects of a list of references by name.
func (c claimant) addAll(kind ClaimKind, group, of string, list any) {
	references, _ := list.([]any)
	for _, one := range references {
		m, _ := one.(map[string]any)
		name, _ := m["name"].(string)
		c.add(kind, group, of, name)
	}
}

// IsClaimant reports whether objects of a kind have something written to others.
func IsClaimant(kind schema.GroupKind) bool { return claimants[kind].claim != nil }

// Add notes what an object has written to others of its namespace.
func (c Claims) Add(kind schema.GroupKind, namespace string, object map[string]any) {
	if claim := claimants[kind].claim; claim != nil {
		claim(claimant{to: c, by: kind.Kind + " " + nameOf(object), namespace: namespace, object: object})
	}
}

// Of lists the claims on an object, in the order in which they were added.
func (c Claims) Of(t report.Target) []Claim {
	return c[claimed{t.Namespace, groupOf(t.APIVersion), t.Kind, t.Name}]
}

// Scaler names the autoscaler that scales an object; empty for none.
func (c Claims) Scaler(t report.Target) string { return c.scaler(t, false) }

// GoingScaler names the autoscaler that has scaled an object and goes with the run; empty for none, and
// where another one stays.
func (c Claims) GoingScaler(t report.Target) string {
	if c.Scaler(t) != "" {
		return ""
	}
	return c.scaler(t, true)
}

func (c Claims) scaler(t report.Target, goes bool) string {
	for _, claim := range c.Of(t) {
		if claim.Kind == Scales && claim.Goes == goes {
			return claim.By
		}
	}
	return ""
}

// Leave notes that an object goes with the run. What it has written to others stays as it is then.
func (c Claims) Leave(kind schema.GroupKind, namespace, name string) {
	by := kind.Kind + " " + name
	for on, list := range c {
		if on.namespace != namespace {
			continue
		}
		list = slices.DeleteFunc(slices.Clone(list), func(one Claim) bool { return one.By == by && one.Kind != Scales })
		for i := range list {
			list[i].Goes = list[i].Goes || list[i].By == by
		}
		c[on] = list
	}
}

// claimant is an object while its claims are noted.
type claimant struct {
	to            Claims
	by, namespace string
	object        map[string]any
	// scaling is that of an autoscaler.
	scaling Scaling
}

func (c claimant) add(kind ClaimKind, group, of, name string) {
	c.note(Claim{Kind: kind, Scaling: c.scaling}, group, of, name)
}

// note adds a claim on an object; none on one without a name.
func (c claimant) note(claim Claim, group, of, name string) {
	if name == "" {
		return
	}
	claim.By = c.by
	key := claimed{c.namespace, group, of, name}
	c.to[key] = append(c.to[key], claim)
}

// reference claims the object that a field of the spec refers to; what the reference leaves
// out means a Deployment.
func (c claimant) reference(kind ClaimKind, field string) {
	c.add(
		kind,
		groupOf(cmp.Or(c.spec(field, "apiVersion"), "apps/v1")),
		cmp.Or(c.spec(field, "kind"), "Deployment"),
		c.spec(field, "name"),
	)
}

// spec is a text in the spec of the object; empty for none.
func (c claimant) spec(path ...string) string {
	text, _ := fieldtree.Value(c.object, append([]string{"spec"}, path...)...).(string)
	return text
}

func groupOf(apiVersion string) string {
	if group, _, grouped := strings.Cut(apiVersion, "/"); grouped {
		return group
	}
	return ""
}

func nameOf(object map[string]any) string {
	name, _ := fieldtree.Value(object, "metadata", "name").(string)
	return name
}

// ClaimantsOn are the kinds of objects that have something written to objects of some
// kinds, sorted; scales reports of a kind whether its objects have replicas.
func ClaimantsOn(kinds map[schema.GroupKind]bool, scales func(schema.GroupKind) bool) []schema.GroupKind {
	var out []schema.GroupKind
	for kind, c := range claimants {
		for k := range kinds {
			if slices.Contains(c.on, k) || c.on == nil && scales(k) {
				out = append(out, kind)
				break
			}
		}
	}
	slices.SortFunc(out, func(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// Injector writes CA bundles into objects that ask for it.
type Injector struct {
	// Name is who that is, and Manager its field manager.
	Name, Manager string
}

var (
	certManager = Injector{"cert-manager", "cert-manager-cainjector"}
	openShift   = Injector{"OpenShift's service CA operator", "service-ca-operator"}
)

// Writes reports whether the injector looks at objects of a kind: ConfigMaps are those of
// OpenShift's alone (openshift/service-ca-operator).
func (i Injector) Writes(kind schema.GroupKind) bool {
	return i == openShift || kind != schema.GroupKind{Kind: "ConfigMap"}
}

// InjectorOf is who an object's annotations ask to write CA bundles into it; without a
// name for none.
func InjectorOf(object map[string]any) Injector {
	annotations, _ := fieldtree.Value(object, "metadata", "annotations").(map[string]any)
	by := Injector{}
	for name := range annotations {
		switch name {
		case "service.beta.openshift.io/inject-cabundle":
			by = cmp.Or(by, openShift)
		case "cert-manager.io/inject-ca-from", "cert-manager.io/inject-ca-from-secret",
			"cert-manager.io/inject-apiserver-ca", "certmanager.k8s.io/inject-ca-from":
			return certManager
		}
	}
	return by
}

// IsInjected reports whether a field path is one that injectors write.
func IsInjected(field string) bool { return strings.HasSuffix(field, ".caBundle") }
