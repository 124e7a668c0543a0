// Package writers knows who writes: the tables that schema shows, by which risk and lint
// find manifests that set such a field, and by which entries are known.
//
//	cluster.go   the components of a default cluster, by kind and field
//	claims.go    what objects of the inputs have written to others, as autoscalers do;
//	             annotations that ask for CA bundles
//	managers.go  field managers by their names
//
// Rows come from what those programs do; that nothing is here of a field proves
// nothing.
package writers

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// Writer is a component that writes a field of a kind by itself.
type Writer struct {
	// Field is the key of a map that is written; empty for all of it.
	Field string `json:"field,omitempty"`
	// Manager is the field manager; empty where no managed fields entry says so, as of
	// what the API server writes itself.
	Manager string `json:"manager,omitempty"`
	// Operation and Subresource are those of the managed fields entry.
	Operation   string `json:"operation,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	// Who is the component, in words.
	Who string `json:"who"`
	// When says under which condition, as "if …" or "when …"; empty for always.
	When string `json:"when,omitempty"`
}

// Kind is a kind with what its resource is served with.
type Kind struct {
	schema.GroupKind
	// Scale is true where it has the scale subresource.
	Scale bool
	// Custom is true for kinds of CustomResourceDefinitions.
	Custom bool
}

// Of lists who writes a field of a kind in a default cluster: rows for the field, for
// a parent of it, and for keys of it. A path is written as .spec.ports[*].nodePort.
func Of(kind Kind, field string) []Writer {
	var out []Writer
	for _, r := range cluster {
		if len(r.kinds) > 0 && (kind.Custom || !slices.Contains(r.kinds, kind.String())) {
			continue
		}
		if slices.ContainsFunc(r.fields, func(f string) bool { return managedfields.Within(field, f) }) {
			out = append(out, r.Writer)
		}
		for _, f := range r.fields {
			if strings.HasPrefix(f, field+`["`) {
				w := r.Writer
				w.Field = f
				out = append(out, w)
			}
		}
	}
	if field == Replicas && kind.Scale {
		out = append(out, horizontal)
	}
	if kind.Custom && managedfields.Within(field, ".status") {
		out = append(out, Writer{Operation: managedfields.Update, Subresource: "status", Who: "the controller of the kind"})
	}
	return out
}

// Keeps reports whether the table has a manager write a field of a kind.
func Keeps(kind Kind, manager, field string) bool {
	return slices.ContainsFunc(Of(kind, field), func(w Writer) bool { return w.Manager == manager && w.Field == "" })
}

// row is who writes fields of kinds, written as KIND or KIND.GROUP; none stand for
// all.
type row struct {
	kinds  []string
	fields []string
	Writer
}

func update(manager, who string) Writer {
	return Writer{Manager: manager, Operation: managedfields.Update, Who: who}
}

func status(manager, who string) Writer {
	return Writer{Manager: manager, Operation: managedfields.Update, Subresource: "status", Who: who}
}

func (w Writer) when(condition string) Writer {
	w.When = "if " + condition
	return w
}

// ControllerManager is the field manager of the built-in controllers, among them the
// horizontal pod autoscaler.
const ControllerManager = "kube-controller-manager"

var (
	apiServer  = Writer{Who: "the API server"}
	horizontal = Writer{
		Manager:     ControllerManager,
		Operation:   managedfields.Update,
		Subresource: "scale",
		Who:         "the horizontal pod autoscaler",
		When:        "if a HorizontalPodAutoscaler scales the object",
	}
)

// cluster are the components of a cluster as kubeadm makes it.
var cluster = []row{
	{
		nil,
		[]string{
			".metadata.uid", ".metadata.resourceVersion", ".metadata.generation",
			".metadata.creationTimestamp", ".metadata.managedFields", ".metadata.deletionTimestamp",
			".metadata.deletionGracePeriodSeconds", ".metadata.selfLink",
		},
		apiServer,
	},

	{[]string{"Deployment.apps"}, []string{".status"}, status(ControllerManager, "the deployment controller")},
	{
		[]string{"Deployment.apps"},
		[]string{`.metadata.annotations["deployment.kubernetes.io/revision"]`},
		update(ControllerManager, "the deployment controller"),
	},
	{
		[]string{"ReplicaSet.apps"},
		[]string{".spec.replicas", ".metadata.annotations"},
		update(ControllerManager, "the deployment controller").when("a Deployment owns the object"),
	},
	{
		[]string{"ReplicaSet.apps", "ReplicationController"},
		[]string{".status"},
		status(ControllerManager, "the replica set controller"),
	},
	{[]string{"StatefulSet.apps"}, []string{".status"}, status(ControllerManager, "the stateful set controller")},
	{[]string{"DaemonSet.apps"}, []string{".status"}, status(ControllerManager, "the daemon set controller")},
	{[]string{"DaemonSet.apps"}, []string{`.metadata.annotations["deprecated.daemonset.template.generation"]`}, apiServer},
	{[]string{"Job.batch"}, []string{".status"}, status(ControllerManager, "the job controller")},
	{
		[]string{"Job.batch"},
		[]string{".spec.selector", ".spec.template.metadata.labels"},
		apiServer.when(".spec.manualSelector is not true"),
	},
	{[]string{"CronJob.batch"}, []string{".status"}, status(ControllerManager, "the cron job controller")},
	{
		[]string{"HorizontalPodAutoscaler.autoscaling"},
		[]string{".status"},
		status(ControllerManager, "the horizontal pod autoscaler"),
	},
	{[]string{"PodDisruptionBudget.policy"}, []string{".status"}, status(ControllerManager, "the disruption controller")},

	{[]string{"Pod"}, []string{".status"}, status("kubelet", "the kubelet of the node")},
	{
		[]string{"Pod"},
		[]string{".spec.nodeName"},
		Writer{Who: "the scheduler, through the binding subresource", When: "if the manifest leaves it out"},
	},
	{
		[]string{"Pod"},
		[]string{
			".spec.tolerations", ".spec.priority", ".spec.preemptionPolicy", ".spec.serviceAccountName",
			".spec.volumes", ".spec.containers[*].volumeMounts",
		},
		Writer{Who: "admission in the API server", When: "when the pod is created"},
	},
	{
		[]string{"Pod"},
		[]string{".spec.ephemeralContainers"},
		Writer{
			Manager:     "kubectl-debug",
			Operation:   managedfields.Update,
			Subresource: "ephemeralcontainers",
			Who:         "kubectl debug",
			When:        "when a person debugs the pod",
		},
	},

	{
		[]string{"Service"},
		[]string{
			".spec.clusterIP", ".spec.clusterIPs", ".spec.ipFamilies", ".spec.ipFamilyPolicy",
			".spec.ports[*].nodePort", ".spec.healthCheckNodePort",
		},
		apiServer.when("the manifest leaves it out"),
	},
	{
		[]string{"Service"},
		[]string{".status", ".metadata.finalizers"},
		status("cloud-controller-manager", "the service controller of the cloud").when("the type is LoadBalancer"),
	},
	{
		[]string{"Endpoints"},
		[]string{".subsets"},
		update(ControllerManager, "the endpoints controller").when("a Service with a selector has the name"),
	},
	{
		[]string{"EndpointSlice.discovery.k8s.io"},
		[]string{".endpoints", ".ports", ".metadata.labels"},
		update(ControllerManager, "the endpoint slice controller").when("a Service with a selector owns the object"),
	},
	{
		[]string{"Ingress.networking.k8s.io"},
		[]string{".status"},
		Writer{
			Operation:   managedfields.Update,
			Subresource: "status",
			Who:         "the ingress controller",
			When:        "if one is installed",
		},
	},
	{
		[]string{"ServiceCIDR.networking.k8s.io"},
		[]string{".status", ".metadata.finalizers"},
		update(ControllerManager, "the service CIDR controller"),
	},

	{[]string{"Namespace"}, []string{".status"}, status(ControllerManager, "the namespace controller")},
	{[]string{"Namespace"}, []string{`.metadata.labels["kubernetes.io/metadata.name"]`, ".spec.finalizers"}, apiServer},
	{[]string{"Node"}, []string{".status"}, status("kubelet", "the kubelet")},
	{[]string{"Node"}, []string{".metadata.labels", ".metadata.annotations"}, update("kubelet", "the kubelet")},
	{
		[]string{"Node"},
		[]string{".spec.podCIDR", ".spec.podCIDRs", ".spec.taints"},
		update(ControllerManager, "the node controllers"),
	},
	{[]string{"Node"}, []string{".spec.providerID"}, update("kubelet", "the kubelet or the cloud's controller")},
	{[]string{"Lease.coordination.k8s.io"}, []string{".spec"}, update("", "the holder of the lease")},

	{
		[]string{"PersistentVolumeClaim"},
		[]string{".spec.volumeName", ".metadata.annotations"},
		update(ControllerManager, "the volume binder").when("it is bound"),
	},
	{
		[]string{"PersistentVolumeClaim"},
		[]string{".spec.storageClassName"},
		Writer{Who: "admission in the API server", When: "if the manifest leaves it out and a class is the default"},
	},
	{
		[]string{"PersistentVolumeClaim", "PersistentVolume"},
		[]string{".status"},
		status(ControllerManager, "the volume binder"),
	},
	{
		[]string{"PersistentVolumeClaim", "PersistentVolume"},
		[]string{".metadata.finalizers"},
		Writer{Who: "admission in the API server"},
	},
	{
		[]string{"PersistentVolume"},
		[]string{".spec.claimRef"},
		update(ControllerManager, "the volume binder").when("it is bound"),
	},
	{
		[]string{"VolumeAttachment.storage.k8s.io"},
		[]string{".status"},
		Writer{Operation: managedfields.Update, Subresource: "status", Who: "the external attacher"},
	},

	{
		[]string{"Secret"},
		[]string{".data"},
		update(ControllerManager, "the token controller").when("the type is kubernetes.io/service-account-token"),
	},
	{[]string{"ResourceQuota"}, []string{".status"}, status(ControllerManager, "the resource quota controller")},
	{
		[]string{"ClusterRole.rbac.authorization.k8s.io"},
		[]string{".rules"},
		Writer{
			Manager:   "clusterrole-aggregation-controller",
			Operation: managedfields.Apply,
			Who:       "the aggregation of cluster roles",
			When:      "if .aggregationRule is set",
		},
	},
	{
		[]string{"CertificateSigningRequest.certificates.k8s.io"},
		[]string{".status"},
		status(ControllerManager, "the approver and the signer"),
	},
	{
		[]string{"CustomResourceDefinition.apiextensions.k8s.io", "APIService.apiregistration.k8s.io"},
		[]string{".status"},
		status("kube-apiserver", "the API server"),
	},
	{
		[]string{"CustomResourceDefinition.apiextensions.k8s.io"},
		[]string{".spec.conversion.webhook.clientConfig.caBundle"},
		injector,
	},
	{[]string{"APIService.apiregistration.k8s.io"}, []string{".spec.caBundle"}, injector},
	{
		[]string{
			"MutatingWebhookConfiguration.admissionregistration.k8s.io",
			"ValidatingWebhookConfiguration.admissionregistration.k8s.io",
		},
		[]string{".webhooks[*].clientConfig.caBundle"},
		injector,
	},
	{
		[]string{"FlowSchema.flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io"},
		[]string{".status"},
		status("api-priority-and-fairness-config-consumer-v1", "the API server"),
	},
	{
		[]string{"ValidatingAdmissionPolicy.admissionregistration.k8s.io"},
		[]string{".status"},
		status(ControllerManager, "the type checker of policies"),
	},
}

var injector = update("cert-manager-cainjector", "cert-manager's CA injector").when("an annotation asks for it")
