package conflict

import (
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
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
)

// Persistence is when a writer writes again by itself.
type Persistence string

// When writers write again.
const (
	// Always: it watches the object, and corrects what it sees.
	Always Persistence = "Always"
	// OnSync: it applies its source again and again.
	OnSync Persistence = "OnSync"
	// OnRun: it writes when somebody runs it.
	OnRun Persistence = "OnRun"
	// Never: nobody writes under this name by itself.
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
	// Client is the program, where it is one whose settings are known.
	Client report.Client `json:"client,omitempty"`
}

// ManagerKindOf returns the kind of an entry's manager, as an applying manager sees
// it; empty for none. Of several rows of the
// table the first that fits counts.
// The manager that applies is known: it does not fight itself.
func ManagerKindOf(w report.Writer, applier string) ManagerKind {
	if w.Manager == applier && w.Operation == managedfields.Update && w.Subresource == "" {
		return ManagerKind{Kind: Self, Returns: Never, Certain: true,
			Name: "you: the same manager name with updates or client-side writes, which count as another owner than its applies"}
	}
	for _, k := range known {
		if k.fits(w) {
			return k.ManagerKind
		}
	}
	return unknown(w)
}

// row is one known writer. Empty conditions fit everything.
type row struct {
	names                  []string
	prefix, suffix         string
	operation, subresource string
	ManagerKind
}

func (k row) fits(w report.Writer) bool {
	return k.named(w.Manager) &&
		(k.operation == "" || k.operation == w.Operation) &&
		(k.subresource == "" || k.subresource == w.Subresource)
}

func (k row) named(manager string) bool {
	for _, n := range k.names {
		if n == manager {
			return true
		}
	}
	if len(k.names) > 0 {
		return false
	}
	return strings.HasPrefix(manager, k.prefix) && strings.HasSuffix(manager, k.suffix)
}

// unknown is a manager that no row fits: what its operation says of it.
func unknown(w report.Writer) ManagerKind {
	if w.Operation == managedfields.Apply {
		return ManagerKind{Kind: OtherApplier, Returns: OnRun, Name: "somebody who applies a manifest of their own with server-side apply"}
	}
	return ManagerKind{Kind: OtherWriter, Returns: Always, Name: "a client that writes the object with updates or patches, such as a controller or a script"}
}

func sure(kind WriterKind, returns Persistence, name string) ManagerKind {
	return ManagerKind{Kind: kind, Name: name, Returns: returns, Certain: true}
}

func likely(kind WriterKind, returns Persistence, name string) ManagerKind {
	return ManagerKind{Kind: kind, Name: name, Returns: returns}
}

func forcing(c ManagerKind) ManagerKind {
	c.Forces = true
	return c
}

// known are the writers that clusters are full of. What is made up by the
// server itself comes first, then kubectl, the control plane, tools, and last
// patterns of names.
var known = []row{
	{names: []string{managedfields.BeforeFirstApply}, ManagerKind: sure(Bookkeeping, Never,
		"nobody: the server makes this name up for the fields of an object that had no managedFields before its first apply")},
	{names: []string{"ancient-changes"}, ManagerKind: sure(Bookkeeping, Never,
		"several writers of long ago: the server folds the oldest Update entries into this one when there are more than ten")},
	{names: []string{"unknown"}, ManagerKind: sure(OtherWriter, OnRun, "a client that sent no user agent")},

	{names: []string{"kubectl-client-side-apply"}, ManagerKind: sure(ClientSide, OnRun,
		"kubectl apply without --server-side, by hand or in a script")},
	{names: []string{"kubectl-last-applied"}, ManagerKind: sure(ClientSide, Never,
		"kubectl, which takes the last-applied annotation over while it migrates to server-side apply")},
	{names: []string{"kubectl-edit"}, ManagerKind: sure(Person, Never, "a person with kubectl edit")},
	{names: []string{"kubectl-patch"}, ManagerKind: sure(Person, Never, "kubectl patch, by hand or in a script")},
	{names: []string{"kubectl-rollout"}, ManagerKind: sure(Person, Never, "kubectl rollout (restart, undo, pause), mostly by hand")},
	{names: []string{"kubectl-create", "kubectl-run", "kubectl-expose", "kubectl-autoscale"}, ManagerKind: sure(Person, Never,
		"kubectl create or one of its relatives, once, when the object was made")},
	{names: []string{"kubectl-replace"}, ManagerKind: sure(Deployer, OnRun, "kubectl replace, by hand or in a script")},
	{names: []string{"kubectl-set", "kubectl-label", "kubectl-annotate", "kubectl-taint", "kubectl-drain", "kubectl-cordon"},
		ManagerKind: sure(Person, Never, "a person with kubectl set, label, annotate or the like")},
	{names: []string{"kubectl"}, operation: managedfields.Apply, ManagerKind: by(report.Kubectl, sure(Deployer, OnRun,
		"kubectl apply --server-side, by hand or in a script"))},
	{names: []string{"kubectl"}, subresource: "scale", ManagerKind: sure(Person, Never, "kubectl scale, mostly by hand")},
	{prefix: "kubectl", operation: managedfields.Update, ManagerKind: likely(Person, Never, "kubectl, mostly by hand")},
	{names: []string{"k9s", "node-fetch", "Mozilla", "freelens", "Lens", "dashboard", "kubernetes-dashboard"},
		ManagerKind: sure(Person, Never, "a person with a dashboard or desktop client")},

	{names: []string{"horizontal-pod-autoscaler", "kube-controller-manager"}, subresource: "scale", ManagerKind: sure(Autoscaler, Always,
		"the horizontal pod autoscaler")},
	{names: []string{"horizontal-pod-autoscaler", "hpa", "hpa-controller", "cluster-proportional-autoscaler"}, ManagerKind: sure(Autoscaler, Always, "the horizontal pod autoscaler")},
	{names: []string{"keda", "keda-operator"}, ManagerKind: sure(Autoscaler, Always, "KEDA, which scales workloads by events")},
	{names: []string{"vpa", "vpa-recommender", "vpa-updater", "vpa-admission-controller", "recommender"}, ManagerKind: likely(Autoscaler, Always,
		"the vertical pod autoscaler, which sets resource requests")},
	{subresource: "scale", ManagerKind: likely(Autoscaler, Always,
		"something that scales, through the scale subresource: an autoscaler, or a person with kubectl scale")},
	{names: []string{"kube-controller-manager"}, ManagerKind: sure(Controller, Always, "the control plane's own controllers")},
	{names: []string{"kube-scheduler", "kube-apiserver", "kubelet", "cloud-controller-manager", "cluster-autoscaler", "kubeadm", "k3s", "rke2"},
		ManagerKind: sure(Controller, Always, "a component of Kubernetes itself")},

	{names: []string{"argocd-controller"}, ManagerKind: by(report.ArgoCD, forcing(sure(GitOps, OnSync, "Argo CD, which forces at every sync")))},
	{names: []string{"argocd-application-controller", "argocd-server", "argocd"}, ManagerKind: sure(GitOps, OnSync, "Argo CD")},
	{names: []string{"kustomize-controller", "flux-client-side-apply"}, ManagerKind: by(report.Flux, forcing(sure(GitOps, OnSync,
		"Flux (kustomize-controller), which forces at every reconciliation")))},
	{names: []string{"flux", "helm-controller", "gotk"}, ManagerKind: sure(GitOps, OnSync, "Flux")},
	{names: []string{"fleetagent", "fleet-agent", "rancher", "configsync.gke.io", "configsync"}, ManagerKind: likely(GitOps, OnSync, "a GitOps agent")},
	{names: []string{"image-automation-controller", "argocd-image-updater"}, ManagerKind: sure(GitOps, OnSync, "an image automation")},
	{names: []string{"helm"}, ManagerKind: by(report.Helm, sure(Deployer, OnRun, "Helm, which writes again at the next upgrade or rollback"))},
	{names: []string{"Terraform", "terraform-provider-kubernetes", "HashiCorp"}, ManagerKind: by(report.Terraform, sure(Deployer, OnRun, "Terraform, which writes again at the next run"))},
	{prefix: "pulumi-kubernetes", ManagerKind: by(report.Pulumi, sure(Deployer, OnRun, "Pulumi, which writes again at the next run"))},
	{names: []string{"kapp-server", "kapp-controller", "kapp", "skaffold", "tilt", "cdk8s", "kpt", "kluctl"}, ManagerKind: sure(Deployer, OnRun, "a deployment tool, which writes again at its next run")},
	{names: []string{"OpenAPI-Generator", "python-requests", "Go-http-client", "fabric8-kubernetes-client", "Kubernetes Java Client", "kubernetes-client"},
		ManagerKind: likely(OtherWriter, OnRun, "a script or program that did not name itself: this is its client library's name")},

	{names: []string{"rollouts-controller", "argo-rollouts"}, ManagerKind: sure(Controller, Always, "Argo Rollouts")},
	{names: []string{"cainjector", "cert-manager-cainjector"}, ManagerKind: sure(Controller, Always, "cert-manager's CA injector")},
	{names: []string{"pilot-discovery", "istiod"}, ManagerKind: sure(Controller, Always, "Istio")},
	{prefix: "cert-manager", ManagerKind: sure(Controller, Always, "cert-manager")},
	{prefix: "crossplane", ManagerKind: likely(Controller, Always, "Crossplane")},
	{prefix: "apiextensions.crossplane.io", ManagerKind: sure(Controller, Always, "Crossplane")},
	{names: []string{"manager", "controller", "operator"}, operation: managedfields.Update, ManagerKind: likely(Controller, Always,
		"a controller or operator that did not choose a name of its own")},
	{subresource: "status", ManagerKind: likely(Controller, Always, "a controller that reports the status")},
	{suffix: "-controller", ManagerKind: likely(Controller, Always, "a controller, by its name")},
	{suffix: "-operator", ManagerKind: likely(Controller, Always, "an operator, by its name")},
	{suffix: "-autoscaler", ManagerKind: likely(Autoscaler, Always, "an autoscaler, by its name")},
}
