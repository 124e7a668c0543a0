package writers

import (
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldpattern"
	"github.com/ssactl/ssactl/internal/report"
)

// WriterKind is what kind of writer a field manager is.
type WriterKind string

// The kinds of writer.
const (
	Controller  WriterKind = "Controller"
	Autoscaler  WriterKind = "Autoscaler"
	GitOps      WriterKind = "GitOps"
	Deployer    WriterKind = "Deployer"
	Person      WriterKind = "Person"
	ClientSide  WriterKind = "ClientSideApply"
	Bookkeeping WriterKind = "Bookkeeping"
	// Self: the manager that asks, in another role.
	Self         WriterKind = "Self"
	OtherApplier WriterKind = "OtherApplier"
	OtherWriter  WriterKind = "OtherWriter"
	// Creator: it created the object, and wrote nothing since; see Judge.
	Creator WriterKind = "Creator"
)

// Persistence is when a writer writes again by itself.
type Persistence string

// When writers write again.
const (
	// Always: it watches the object, and corrects what it sees.
	Always Persistence = "Always"
	// OnSync: it applies its source again and again.
	OnSync Persistence = "OnSync"
	// OnRun: it writes when it is run.
	OnRun Persistence = "OnRun"
	// Never: no program writes under this name by itself.
	Never Persistence = "Never"
)

// ManagerKind is what is known of a field manager by its name, operation and
// subresource. Names are given by clients and prove nothing: Certain is false
// where only the pattern of the name speaks.
type ManagerKind struct {
	Kind WriterKind `json:"kind"`
	// Name is who that is, in words.
	Name    string      `json:"name"`
	Returns Persistence `json:"returns"`
	// Forces is true for a manager that applies with force by itself.
	Forces  bool `json:"forces,omitempty"`
	Certain bool `json:"certain"`
	// Scripted is true for a name under which scripts write, too, and may write again.
	Scripted bool `json:"scripted,omitempty"`
	// Client is the program, where it is one whose settings are known.
	Client report.Client `json:"client,omitempty"`
}

// Manager is a field manager that the table has.
type Manager struct {
	ManagerKind
	// Who is the program alone, without when it writes.
	Who string `json:"-"`
	// Whole is true for a program that writes whole objects, such as by a create, a replace
	// or a client-side apply.
	Whole bool `json:"-"`
	// Source is where it is documented or seen that the program writes so; empty for rows
	// whose source is said of all of them.
	Source string `json:"-"`
	// Applies is the name under which the program applies server-side; empty where there
	// is none.
	Applies string `json:"-"`
}

// ManagerKindOf is the kind of an entry's manager, as an applying manager sees it, which is
// known to itself; empty for none. It is never without a name.
func ManagerKindOf(w report.Writer, applier string) ManagerKind {
	if w.Manager == applier && w.Operation == managedfields.Update && w.Subresource == "" {
		return ManagerKind{Kind: Self, Returns: Never, Certain: true,
			Name: "you: the same manager name with updates or client-side writes, which count as another owner than its applies"}
	}
	if m, _, ok := find(w); ok {
		return m.ManagerKind
	}
	if w.Operation == managedfields.Apply {
		return ManagerKind{
			Kind:    OtherApplier,
			Returns: OnRun,
			Name:    "a client that applies a manifest of its own with server-side apply",
		}
	}
	return ManagerKind{Kind: OtherWriter, Returns: Always,
		Name: "a client that writes the object with updates or patches, such as a controller or a script"}
}

// ManagerNamed is what is known of a manager by its very name: of patterns, only those
// that are certain count. It is false for a manager that the table does not have.
func ManagerNamed(name, operation string) (Manager, bool) {
	m, exact, ok := find(report.Writer{Manager: name, Operation: operation})
	if !ok || !exact && !m.Certain {
		return Manager{}, false
	}
	return m, true
}

// find is the first row of the table that fits; exact reports whether it has the name.
func find(w report.Writer) (m Manager, exact, ok bool) {
	for _, r := range managers {
		if r.operation != "" && r.operation != w.Operation || r.subresource != "" && r.subresource != w.Subresource {
			continue
		}
		exact = slices.Contains(r.names, w.Manager)
		alike := func(name string) bool { return fieldpattern.Glob(name, w.Manager) }
		if exact || len(r.names) == 0 || slices.ContainsFunc(r.names, alike) {
			return r.Manager, exact, true
		}
	}
	return Manager{}, false, false
}

// manager is a row of the table: a field manager by its name, in which * stands for any
// text. Empty conditions fit everything.
type manager struct {
	names                  []string
	operation, subresource string
	Manager
}

// program is a row for a manager that writes as said for certain; note is when.
func program(kind WriterKind, returns Persistence, who, note string, names ...string) manager {
	name := who
	if note != "" {
		name += ", " + note
	}
	return manager{
		names:   names,
		Manager: Manager{ManagerKind: ManagerKind{Kind: kind, Name: name, Returns: returns, Certain: true}, Who: who},
	}
}

func (m manager) likely() manager {
	m.Certain = false
	return m
}

func (m manager) whole(applies string) manager {
	m.Whole, m.Applies = true, applies
	return m
}

func (m manager) client(c report.Client) manager {
	m.Client = c
	return m
}

func (m manager) forcing() manager {
	m.Forces = true
	return m
}

func (m manager) from(source string) manager {
	m.Source = source
	return m
}

func (m manager) scripted() manager {
	m.Scripted = true
	return m
}

func (m manager) by(operation string) manager {
	m.operation = operation
	return m
}

func (m manager) through(subresource string) manager {
	m.subresource = subresource
	return m
}

const (
	byHand  = "by hand or in a script"
	unnamed = "a script or program that did not name itself: this is its client library's name"
	again   = "which writes again at the next run"
)

// managers are the field managers that clusters are full of. Those that the server
// synthesizes come first (apimachinery, managedfields/internal), then kubectl, whose
// commands are kubectl-VERB (kubectl, pkg/cmd), the control plane, tools, and last patterns
// of names. The first that fits counts.
var managers = []manager{
	program(
		Bookkeeping, Never, "the server",
		"for the fields of an object that had no managedFields before its first apply",
		managedfields.BeforeFirstApply,
	),
	program(
		Bookkeeping, Never,
		"several writers of long ago: the server folds the oldest Update entries into this one when there are more than ten",
		"", "ancient-changes",
	),
	program(OtherWriter, OnRun, "a client that sent no user agent", "", "unknown"),

	program(
		ClientSide, OnRun, "kubectl apply without --server-side", byHand, "kubectl-client-side-apply",
	).whole("kubectl"),
	program(
		ClientSide, Never, "kubectl",
		"which takes the last-applied annotation over while it migrates to server-side apply",
		"kubectl-last-applied",
	),
	program(Person, Never, "a person with kubectl edit", "", "kubectl-edit"),
	program(Person, Never, "kubectl patch", byHand, "kubectl-patch").scripted(),
	program(Person, Never, "kubectl rollout (restart, undo, pause)", "mostly by hand", "kubectl-rollout").scripted(),
	program(Person, Never, "kubectl create or one of its relatives", "once, when the object was made",
		"kubectl-create", "kubectl-run", "kubectl-expose", "kubectl-autoscale").whole("kubectl"),
	program(Deployer, OnRun, "kubectl replace", byHand, "kubectl-replace").whole("kubectl"),
	program(Deployer, OnRun, "kubectl auth reconcile", byHand, "kubectl-auth-reconcile").whole("kubectl"),
	program(Person, Never, "a person with kubectl set, label, annotate or the like", "",
		"kubectl-set", "kubectl-label", "kubectl-annotate", "kubectl-taint", "kubectl-drain", "kubectl-cordon"),
	program(Person, Never, "kubectl scale", "mostly by hand", "kubectl-scale").scripted(),
	program(Deployer, OnRun, "kubectl apply --server-side", byHand,
		"kubectl").by(managedfields.Apply).client(report.Kubectl).whole("kubectl"),
	program(Person, Never, "kubectl scale", "mostly by hand", "kubectl").through("scale").scripted(),
	// Of kubectl apply before 1.18 too.
	program(Person, Never, "kubectl", "mostly by hand",
		"kubectl").by(managedfields.Update).likely().scripted().whole("kubectl"),
	program(Person, Never, "kubectl", "mostly by hand", "kubectl*").by(managedfields.Update).likely().scripted(),
	program(Person, Never, "a person with a dashboard or desktop client", "",
		"k9s", "node-fetch", "Mozilla", "freelens", "Lens", "OpenLens", "dashboard", "kubernetes-dashboard"),
	program(Person, Never, "a person with curl", "", "curl"),

	program(
		Autoscaler, Always, "the horizontal pod autoscaler", "", "horizontal-pod-autoscaler",
		ControllerManager,
	).through("scale"),
	program(Autoscaler, Always, "the horizontal pod autoscaler", "",
		"horizontal-pod-autoscaler", "hpa", "hpa-controller", "cluster-proportional-autoscaler"),
	program(Autoscaler, Always, "KEDA", "which scales workloads by events", "keda", "keda-operator"),
	program(Autoscaler, Always, "the vertical pod autoscaler", "which sets resource requests",
		"vpa", "vpa-recommender", "vpa-updater", "vpa-admission-controller", "recommender").likely(),
	program(Autoscaler, Always, "something that scales",
		"through the scale subresource: an autoscaler, or a person with kubectl scale").through("scale").likely(),
	program(Controller, Always, "the control plane's own controllers", "", ControllerManager),
	// pkg/controller/clusterroleaggregation; an Update is from before server-side apply.
	program(
		Controller, Always, "the controller of aggregated ClusterRoles", "which applies with force",
		"clusterrole-aggregation-controller",
	).by(managedfields.Apply).
		forcing(),
	program(Controller, Always, "the controller of aggregated ClusterRoles", "", "clusterrole-aggregation-controller"),
	program(
		Controller, Always, "a component of Kubernetes itself", "", "kube-scheduler", "kube-apiserver",
		"kubelet", "cloud-controller-manager", "cluster-autoscaler", "kubeadm", "k3s", "rke2",
	),

	program(GitOps, OnSync, "Argo CD", "which forces at every sync",
		"argocd-controller").client(report.ArgoCD).forcing().whole("argocd-controller"),
	program(
		GitOps, OnSync, "Argo CD", "", "argocd-application-controller", "argocd-server", "argocd",
	).whole("argocd-controller"),
	program(GitOps, OnSync, "Flux (kustomize-controller)", "which forces at every reconciliation",
		"kustomize-controller", "flux-client-side-apply").client(report.Flux).forcing().whole("kustomize-controller"),
	program(GitOps, OnSync, "Flux", "", "gotk", "fluxd").whole("kustomize-controller"),
	program(GitOps, OnSync, "Flux", "", "helm-controller").whole("helm-controller"),
	program(GitOps, OnSync, "Flux", "", "flux"),
	program(
		GitOps, OnSync, "a GitOps agent", "", "fleetagent", "fleet-agent", "rancher", "configsync.gke.io",
		"configsync",
	).likely(),
	program(GitOps, OnSync, "an image automation", "", "image-automation-controller", "argocd-image-updater"),
	program(Deployer, OnRun, "Helm", "which writes again at the next upgrade or rollback",
		"helm", "Helm", "helm3").client(report.Helm).whole("helm"),
	program(Deployer, OnRun, "Terraform", again,
		"Terraform", "HashiCorp", "terraform-provider-kubernetes*").client(report.Terraform).whole(""),
	program(
		Deployer, OnRun, "Pulumi", again, "pulumi-kubernetes*", "pulumi-resource-kubernetes*",
	).client(report.Pulumi).
		whole(""),
	program(
		Deployer, OnRun, "a deployment tool", "which writes again at its next run", "kapp-server",
		"kapp-controller", "kapp", "skaffold", "tilt", "cdk8s", "kpt", "kluctl", "helmfile", "ansible",
	).whole(""),
	program(OtherWriter, OnRun, unnamed, "", "OpenAPI-Generator").likely().whole(""),
	program(
		OtherWriter, OnRun, unnamed, "", "python-requests", "Go-http-client", "fabric8-kubernetes-client",
		"Kubernetes Java Client", "kubernetes-client",
	).likely(),

	program(Controller, Always, "Argo Rollouts", "", "rollouts-controller", "argo-rollouts"),
	program(Controller, Always, "Flagger", "", "flagger"),
	program(Controller, Always, "cert-manager's CA injector", "", "cainjector", "cert-manager-cainjector"),
	program(Controller, Always, "Istio", "which writes the CA bundle and the failurePolicy of its webhooks",
		"pilot-discovery", "istiod").from("istio/istio, pkg/webhooks"),
	program(Controller, Always, "OpenShift's service CA operator", "which writes CA bundles",
		"service-ca-operator", "service-ca-controller").from("openshift/service-ca-operator"),
	program(Controller, Always, "the admissions enforcer of AKS",
		"which rewrites the namespaceSelector of webhook configurations that are not marked admissions.enforcer/disabled",
		Enforcer).from("aws-observability/helm-charts#350, DataDog/datadog-agent#55778"),
	program(Controller, OnRun, "kube-webhook-certgen", "a Job that writes the CA bundle at each install and upgrade",
		"kube-webhook-certgen").from("newrelic/k8s-metadata-injection#733"),
	program(Controller, Always, "Kyverno", "which writes its webhook configurations and what its policies generate",
		"kyverno", "kyverno-*").from("kyverno/kyverno, cmd"),
	program(Controller, Always, "Gatekeeper", "which writes the CA bundle of its webhooks",
		"gatekeeper").from("open-policy-agent/gatekeeper, pkg/version"),
	program(Controller, Always, "Linkerd", "", "linkerd*").likely().from("linkerd/linkerd2, controller/cmd"),
	program(Controller, Always, "Karpenter", "", "karpenter").from("kubernetes-sigs/karpenter"),
	program(Controller, Always, "ExternalDNS", "", "external-dns").from("kubernetes-sigs/external-dns"),
	program(Controller, Always, "Cluster API", "which applies with force",
		"capi-*").by(managedfields.Apply).forcing().from("kubernetes-sigs/cluster-api, internal/controllers"),
	program(Controller, Always, "Cluster API", "", "capi-*").from("kubernetes-sigs/cluster-api"),
	program(Deployer, OnRun, "clusterctl", again,
		"clusterctl").whole("").from("kubernetes-sigs/cluster-api, cmd/clusterctl"),
	program(Creator, Never, "Velero", "which creates objects when it restores a backup, and does not keep them",
		"velero-server", "velero").from("vmware-tanzu/velero, pkg/restore"),
	program(Autoscaler, Always, "an autoscaler", "such as Knative's",
		"autoscaler").likely().from("knative/serving, cmd/autoscaler"),
	program(Controller, Always, "a webhook", "which writes its own certificate, as Knative's does",
		"webhook").by(managedfields.Update).likely().from("knative/pkg, webhook/certificates"),
	program(Controller, Always, "cert-manager", "", "cert-manager*"),
	program(Controller, Always, "Crossplane", "", "crossplane*").likely(),
	program(Controller, Always, "Crossplane", "", "apiextensions.crossplane.io*"),
	program(Controller, Always, "a controller or operator that did not choose a name of its own", "",
		"manager", "controller", "operator").by(managedfields.Update).likely(),
	program(Controller, Always, "a controller that reports the status", "").through("status").likely(),
	program(Controller, Always, "a controller", "by its name", "*-controller").likely(),
	program(Controller, Always, "an operator", "by its name", "*-operator").likely(),
	program(Autoscaler, Always, "an autoscaler", "by its name", "*-autoscaler").likely(),
}
