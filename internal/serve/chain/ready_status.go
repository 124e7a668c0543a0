package chain

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The functions of this file change an object to have a status as its controllers leave it in
// the end, and report whether that is a change.

func desired(replicas *int32) int32 {
	if replicas == nil {
		return 1
	}
	return *replicas
}

func rollOutStatefulSet(o *appsv1.StatefulSet) bool {
	n, revision := desired(o.Spec.Replicas), o.Name+"-1"
	is := o.Status
	is.ObservedGeneration = o.Generation
	is.Replicas, is.CurrentReplicas, is.UpdatedReplicas, is.ReadyReplicas, is.AvailableReplicas = n, n, n, n, n
	is.CurrentRevision, is.UpdateRevision = revision, revision
	changed := !apiequality.Semantic.DeepEqual(is, o.Status)
	o.Status = is
	return changed
}

// rollOutDaemonSet has one node run it: there are no nodes.
func rollOutDaemonSet(o *appsv1.DaemonSet) bool {
	is := o.Status
	is.ObservedGeneration = o.Generation
	is.DesiredNumberScheduled, is.CurrentNumberScheduled, is.UpdatedNumberScheduled = 1, 1, 1
	is.NumberReady, is.NumberAvailable, is.NumberUnavailable, is.NumberMisscheduled = 1, 1, 0, 0
	changed := !apiequality.Semantic.DeepEqual(is, o.Status)
	o.Status = is
	return changed
}

func rollOutReplicaSet(o *appsv1.ReplicaSet) bool {
	n := desired(o.Spec.Replicas)
	is := o.Status
	is.ObservedGeneration, is.Replicas, is.FullyLabeledReplicas = o.Generation, n, n
	is.ReadyReplicas, is.AvailableReplicas = n, n
	changed := !apiequality.Semantic.DeepEqual(is, o.Status)
	o.Status = is
	return changed
}

func completeJob(o *batchv1.Job) bool {
	if o.Status.CompletionTime != nil || o.Spec.Suspend != nil && *o.Spec.Suspend {
		return false
	}
	now := metav1.Now()
	if o.Status.StartTime == nil {
		o.Status.StartTime = &now
	}
	o.Status.CompletionTime, o.Status.Succeeded, o.Status.Active = &now, desired(o.Spec.Completions), 0
	zero := int32(0)
	o.Status.Ready, o.Status.Terminating = &zero, &zero
	for _, of := range []batchv1.JobConditionType{batchv1.JobSuccessCriteriaMet, batchv1.JobComplete} {
		o.Status.Conditions = append(o.Status.Conditions, batchv1.JobCondition{
			Type: of, Status: corev1.ConditionTrue, Reason: "CompletionsReached", LastProbeTime: now, LastTransitionTime: now,
		})
	}
	return true
}

// runPod has a Pod succeed that is not restarted, as those of hooks, and others run.
func runPod(o *corev1.Pod) bool {
	if o.Status.Phase != "" && o.Status.Phase != corev1.PodPending || o.DeletionTimestamp != nil {
		return false
	}
	now := metav1.Now()
	o.Status.StartTime = &now
	if o.Spec.RestartPolicy == corev1.RestartPolicyNever {
		o.Status.Phase = corev1.PodSucceeded
		return true
	}
	o.Status.Phase = corev1.PodRunning
	for _, of := range []corev1.PodConditionType{
		corev1.PodScheduled, corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady,
	} {
		o.Status.Conditions = append(o.Status.Conditions, corev1.PodCondition{
			Type: of, Status: corev1.ConditionTrue, LastTransitionTime: now,
		})
	}
	return true
}

func bindClaim(o *corev1.PersistentVolumeClaim) bool {
	if o.Status.Phase == corev1.ClaimBound {
		return false
	}
	o.Status.Phase, o.Status.AccessModes = corev1.ClaimBound, o.Spec.AccessModes
	o.Status.Capacity = o.Spec.Resources.Requests
	return true
}

func serveLoadBalancer(o *corev1.Service) bool {
	if o.Spec.Type != corev1.ServiceTypeLoadBalancer || len(o.Status.LoadBalancer.Ingress) > 0 {
		return false
	}
	o.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: servedAt}}
	return true
}
