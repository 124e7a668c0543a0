package explain

import "github.com/ssactl/ssactl/internal/managedfields"

func sure(kind CharacterKind, returns Persistence, name string) Character {
	return Character{Kind: kind, Name: name, Returns: returns, Certain: true}
}

func likely(kind CharacterKind, returns Persistence, name string) Character {
	return Character{Kind: kind, Name: name, Returns: returns}
}

func forcing(c Character) Character {
	c.Forces = true
	return c
}

// known are the writers that clusters are full of. What is made up by the
// server itself comes first, then kubectl, the control plane, tools, and last
// patterns of names.
var known = []row{
	{names: []string{managedfields.BeforeFirstApply}, Character: sure(Bookkeeping, Never,
		"nobody: the server makes this name up for the fields of an object that had no managedFields before its first apply")},
	{names: []string{"ancient-changes"}, Character: sure(Bookkeeping, Never,
		"several writers of long ago: the server folds the oldest Update entries into this one when there are more than ten")},
	{names: []string{"unknown"}, Character: sure(OtherWriter, OnRun, "a client that sent no user agent")},

	{names: []string{"kubectl-client-side-apply"}, Character: sure(ClientSide, OnRun,
		"kubectl apply without --server-side, by hand or in a script")},
	{names: []string{"kubectl-last-applied"}, Character: sure(ClientSide, Never,
		"kubectl, which takes the last-applied annotation over while it migrates to server-side apply")},
	{names: []string{"kubectl-edit"}, Character: sure(Person, Never, "a person with kubectl edit")},
	{names: []string{"kubectl-patch"}, Character: sure(Person, Never, "kubectl patch, by hand or in a script")},
	{names: []string{"kubectl-rollout"}, Character: sure(Person, Never, "kubectl rollout (restart, undo, pause), mostly by hand")},
	{names: []string{"kubectl-create", "kubectl-run", "kubectl-expose", "kubectl-autoscale"}, Character: sure(Person, Never,
		"kubectl create or one of its relatives, once, when the object was made")},
	{names: []string{"kubectl-replace"}, Character: sure(Deployer, OnRun, "kubectl replace, by hand or in a script")},
	{names: []string{"kubectl-set", "kubectl-label", "kubectl-annotate", "kubectl-taint", "kubectl-drain", "kubectl-cordon"},
		Character: sure(Person, Never, "a person with kubectl set, label, annotate or the like")},
	{names: []string{"kubectl"}, operation: managedfields.Apply, Character: sure(Deployer, OnRun,
		"kubectl apply --server-side, by hand or in a script")},
	{names: []string{"kubectl"}, subresource: "scale", Character: sure(Person, Never, "kubectl scale, mostly by hand")},
	{prefix: "kubectl", operation: managedfields.Update, Character: likely(Person, Never, "kubectl, mostly by hand")},
	{names: []string{"k9s", "node-fetch", "Mozilla", "freelens", "Lens", "dashboard", "kubernetes-dashboard"},
		Character: sure(Person, Never, "a person with a dashboard or desktop client")},

	{names: []string{"horizontal-pod-autoscaler", "kube-controller-manager"}, subresource: "scale", Character: sure(Autoscaler, Always,
		"the horizontal pod autoscaler, which sets replicas through the scale subresource")},
	{names: []string{"horizontal-pod-autoscaler", "hpa", "hpa-controller", "cluster-proportional-autoscaler"}, Character: sure(Autoscaler, Always, "the horizontal pod autoscaler")},
	{names: []string{"keda", "keda-operator"}, Character: sure(Autoscaler, Always, "KEDA, which scales workloads by events")},
	{names: []string{"vpa", "vpa-recommender", "vpa-updater", "vpa-admission-controller", "recommender"}, Character: likely(Autoscaler, Always,
		"the vertical pod autoscaler, which sets resource requests")},
	{subresource: "scale", Character: likely(Autoscaler, Always,
		"something that scales, through the scale subresource: an autoscaler, or a person with kubectl scale")},
	{names: []string{"kube-controller-manager"}, Character: sure(Controller, Always, "the control plane's own controllers")},
	{names: []string{"kube-scheduler", "kube-apiserver", "kubelet", "cloud-controller-manager", "cluster-autoscaler", "kubeadm", "k3s", "rke2"},
		Character: sure(Controller, Always, "a component of Kubernetes itself")},

	{names: []string{"argocd-controller"}, Character: forcing(sure(GitOps, OnSync, "Argo CD with server-side apply; it forces at every sync"))},
	{names: []string{"argocd-application-controller", "argocd-server", "argocd"}, Character: sure(GitOps, OnSync, "Argo CD")},
	{names: []string{"kustomize-controller", "flux-client-side-apply"}, Character: forcing(sure(GitOps, OnSync,
		"Flux (kustomize-controller), which forces at every reconciliation"))},
	{names: []string{"flux", "helm-controller", "gotk"}, Character: sure(GitOps, OnSync, "Flux")},
	{names: []string{"fleetagent", "fleet-agent", "rancher", "configsync.gke.io", "configsync"}, Character: likely(GitOps, OnSync, "a GitOps agent")},
	{names: []string{"image-automation-controller", "argocd-image-updater"}, Character: sure(GitOps, OnSync, "an image automation")},
	{names: []string{"helm"}, Character: sure(Deployer, OnRun, "Helm: the next upgrade or rollback of the release writes it again")},
	{names: []string{"Terraform", "terraform-provider-kubernetes", "HashiCorp"}, Character: sure(Deployer, OnRun, "Terraform: the next run writes it again")},
	{prefix: "pulumi-kubernetes", Character: sure(Deployer, OnRun, "Pulumi: the next run writes it again")},
	{names: []string{"kapp-server", "kapp-controller", "kapp", "skaffold", "tilt", "cdk8s", "kpt", "kluctl"}, Character: sure(Deployer, OnRun, "a deployment tool: its next run writes it again")},
	{names: []string{"OpenAPI-Generator", "python-requests", "Go-http-client", "fabric8-kubernetes-client", "Kubernetes Java Client", "kubernetes-client"},
		Character: likely(OtherWriter, OnRun, "a script or program that did not name itself: this is its client library's name")},

	{names: []string{"rollouts-controller", "argo-rollouts"}, Character: sure(Controller, Always, "Argo Rollouts")},
	{names: []string{"cainjector", "cert-manager-cainjector"}, Character: sure(Controller, Always, "cert-manager's CA injector")},
	{names: []string{"pilot-discovery", "istiod"}, Character: sure(Controller, Always, "Istio")},
	{prefix: "cert-manager", Character: sure(Controller, Always, "cert-manager")},
	{prefix: "crossplane", Character: likely(Controller, Always, "Crossplane")},
	{prefix: "apiextensions.crossplane.io", Character: sure(Controller, Always, "Crossplane")},
	{names: []string{"manager", "controller", "operator"}, operation: managedfields.Update, Character: likely(Controller, Always,
		"a controller or operator that did not choose a name of its own")},
	{subresource: "status", Character: likely(Controller, Always, "a controller that reports the status")},
	{suffix: "-controller", Character: likely(Controller, Always, "a controller, by its name")},
	{suffix: "-operator", Character: likely(Controller, Always, "an operator, by its name")},
	{suffix: "-autoscaler", Character: likely(Autoscaler, Always, "an autoscaler, by its name")},
}
