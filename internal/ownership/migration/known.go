package migration

import (
	"cmp"
	"strings"
)

// role is what a field manager's name tells of what it writes.
type role int

const (
	// stranger: the name tells nothing.
	stranger role = iota
	// applier writes whole manifests with client-side apply, and nothing else
	// goes by its name.
	applier
	// writer writes whole objects (create, replace, a three-way merge of its
	// own), among other things perhaps.
	writer
	// collector is made up by the server and holds what others wrote.
	collector
	// editor changes single fields for a person.
	editor
	// controller reconciles by itself.
	controller
)

// known is a field manager whose name is known.
type known struct {
	role role
	// about completes "NAME is ...".
	about string
	// applies is the name under which the same tool applies server-side; empty
	// where there is none.
	applies string
}

// knownManagers are field managers by name: kubectl's own (kubectl,
// pkg/cmd/*: its commands are kubectl-VERB), those that the server makes up
// (apimachinery, managedfields/internal), and the tools that people deploy
// with.
var knownManagers = map[string]known{
	"kubectl-client-side-apply": {applier, "kubectl apply (client-side)", "kubectl"},
	"kubectl":                   {writer, "kubectl apply before 1.18, kubectl scale, or kubectl apply --server-side", "kubectl"},
	"kubectl-create":            {writer, "kubectl create", "kubectl"},
	"kubectl-replace":           {writer, "kubectl replace", "kubectl"},
	"kubectl-run":               {writer, "kubectl run", "kubectl"},
	"kubectl-expose":            {writer, "kubectl expose", "kubectl"},
	"kubectl-autoscale":         {writer, "kubectl autoscale", "kubectl"},
	"kubectl-auth-reconcile":    {writer, "kubectl auth reconcile", "kubectl"},
	"kubectl-edit":              {editor, "kubectl edit, a person's edit", ""},
	"kubectl-patch":             {editor, "kubectl patch", ""},
	"kubectl-set":               {editor, "kubectl set (image, env, resources and so on)", ""},
	"kubectl-scale":             {editor, "kubectl scale", ""},
	"kubectl-label":             {editor, "kubectl label", ""},
	"kubectl-annotate":          {editor, "kubectl annotate", ""},
	"kubectl-rollout":           {editor, "kubectl rollout (restart, undo, pause)", ""},
	"kubectl-taint":             {editor, "kubectl taint", ""},
	"kubectl-cordon":            {editor, "kubectl cordon", ""},
	"kubectl-drain":             {editor, "kubectl drain", ""},

	"before-first-apply": {collector, "made up by the server for what was there at the first apply to an object without managedFields", ""},
	"ancient-changes":    {collector, "the one into which the server folds the oldest of more than ten Update entries", ""},

	"helm":                          {writer, "Helm", "helm"},
	"Helm":                          {writer, "Helm", "helm"},
	"helm3":                         {writer, "Helm", "helm"},
	"helm-controller":               {writer, "Flux's helm-controller", "helm-controller"},
	"helmfile":                      {writer, "helmfile", ""},
	"argocd-controller":             {writer, "Argo CD", "argocd-controller"},
	"argocd-application-controller": {writer, "Argo CD, before it applied server-side", "argocd-controller"},
	"kustomize-controller":          {writer, "Flux's kustomize-controller", "kustomize-controller"},
	"gotk":                          {writer, "Flux's kustomize-controller, in its first versions", "kustomize-controller"},
	"fluxd":                         {writer, "Flux 1", "kustomize-controller"},
	"HashiCorp":                     {writer, "Terraform's Kubernetes provider", ""},
	"Terraform":                     {writer, "Terraform", ""},
	"terraform-provider-kubernetes": {writer, "Terraform's Kubernetes provider", ""},
	"pulumi-kubernetes":             {writer, "Pulumi", ""},
	"pulumi-resource-kubernetes":    {writer, "Pulumi", ""},
	"kapp":                          {writer, "kapp", ""},
	"kpt":                           {writer, "kpt", ""},
	"skaffold":                      {writer, "Skaffold", ""},
	"tilt":                          {writer, "Tilt", ""},
	"ansible":                       {writer, "Ansible", ""},
	"OpenAPI-Generator":             {writer, "a client of the Python or another generated library, Ansible among them", ""},
	"Go-http-client":                {stranger, "a Go program that gives no name", ""},
	"python-requests":               {stranger, "a Python program that gives no name", ""},
	"curl":                          {editor, "curl, a person's request", ""},
	"node-fetch":                    {editor, "Lens or another program on Node.js, a person's edit", ""},
	"Lens":                          {editor, "Lens, a person's edit", ""},
	"OpenLens":                      {editor, "Lens, a person's edit", ""},
	"k9s":                           {editor, "k9s, a person's edit", ""},
	"dashboard":                     {editor, "the Kubernetes dashboard, a person's edit", ""},
	"Mozilla":                       {editor, "a browser (a dashboard), a person's edit", ""},
	"rancher":                       {editor, "Rancher", ""},
	"kube-controller-manager":       {controller, "the controllers of Kubernetes", ""},
	"kube-scheduler":                {controller, "the scheduler", ""},
	"kube-apiserver":                {controller, "the API server itself", ""},
	"kubelet":                       {controller, "the kubelet", ""},
	"cloud-controller-manager":      {controller, "the cloud's controllers", ""},
	"horizontal-pod-autoscaler":     {controller, "the horizontal autoscaler", ""},
	"vpa-updater":                   {controller, "the vertical autoscaler", ""},
	"vpa-recommender":               {controller, "the vertical autoscaler", ""},
	"keda":                          {controller, "KEDA", ""},
	"keda-operator":                 {controller, "KEDA", ""},
	"cert-manager-cainjector":       {controller, "cert-manager's CA injector", ""},
	"cainjector":                    {controller, "cert-manager's CA injector", ""},
	"cluster-autoscaler":            {controller, "the cluster autoscaler", ""},
	"flagger":                       {controller, "Flagger", ""},
	"rollouts-controller":           {controller, "Argo Rollouts", ""},
	"image-automation-controller":   {controller, "Flux's image automation", ""},
}

// lookUp finds what is known of a name; the version that some programs put
// behind theirs does not count.
func lookUp(name string) known {
	if k, ok := knownManagers[name]; ok {
		return k
	}
	for _, prefix := range []string{"terraform-provider-kubernetes", "pulumi-resource-kubernetes", "pulumi-kubernetes"} {
		if strings.HasPrefix(name, prefix) {
			return knownManagers[prefix]
		}
	}
	return known{}
}

// ServerSideName is the field manager as which the tool behind a client-side entry
// applies server-side: the same name, where none is known.
func ServerSideName(manager string) string { return cmp.Or(lookUp(manager).applies, manager) }

// The managers of kubectl that a plan knows by heart.
const (
	// ServerSideKubectl is the default of kubectl apply --server-side.
	ServerSideKubectl = "kubectl"
	// ClientSideKubectl is the default of kubectl apply.
	ClientSideKubectl = "kubectl-client-side-apply"
	// AnnotationKeeper applies nothing but the annotation, so that it stays
	// when kubectl goes on server-side (kubectl, pkg/cmd/apply/apply.go).
	AnnotationKeeper = "kubectl-last-applied"
)
