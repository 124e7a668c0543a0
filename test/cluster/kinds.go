package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// kind is one kind of the made-up cluster.
type kind struct {
	apiVersion, name string
	// weight is how many of it there are beside others.
	weight int
	// cluster is true for a kind without namespaces.
	cluster bool
	// small is true for a kind whose objects are the manager's alone.
	small bool
	// scales is true for a kind that autoscalers scale.
	scales bool
	// fill adds to a configuration all but its metadata.
	fill func(*maker, object)
	// status, unless nil, is what controllers write.
	status func(*maker) error
	// change, unless nil, makes the configuration another one.
	change func(*maker, object)
}

// kinds are those of a cluster of applications, but for what controllers make
// (Pods, ReplicaSets, Endpoints): nobody applies those.
var kinds = []kind{
	{
		apiVersion: "apps/v1",
		name:       "Deployment",
		weight:     24,
		scales:     true,
		fill:       deployment,
		status:     deploymentStatus,
		change:     newImage,
	},
	{
		apiVersion: "apps/v1",
		name:       "StatefulSet",
		weight:     3,
		scales:     true,
		fill:       statefulSet,
		status:     statefulSetStatus,
		change:     newImage,
	},
	{apiVersion: "apps/v1", name: "DaemonSet", weight: 2, fill: daemonSet, status: daemonSetStatus, change: newImage},
	{apiVersion: "batch/v1", name: "CronJob", weight: 2, fill: cronJob, status: cronJobStatus},
	{apiVersion: "batch/v1", name: "Job", weight: 1, fill: job, status: jobStatus},
	{apiVersion: "v1", name: "ConfigMap", weight: 17, fill: configMap, change: newSetting},
	{apiVersion: "v1", name: "Secret", weight: 9, fill: secret, change: newPassword},
	{apiVersion: "v1", name: "Service", weight: 15, fill: service, status: serviceStatus},
	{apiVersion: "v1", name: "ServiceAccount", weight: 6, fill: func(*maker, object) {}},
	{apiVersion: "networking.k8s.io/v1", name: "Ingress", weight: 4, fill: ingress, status: ingressStatus},
	{apiVersion: "networking.k8s.io/v1", name: "NetworkPolicy", weight: 3, fill: networkPolicy},
	{apiVersion: "rbac.authorization.k8s.io/v1", name: "Role", weight: 2, fill: role},
	{apiVersion: "rbac.authorization.k8s.io/v1", name: "RoleBinding", weight: 2, fill: roleBinding},
	{apiVersion: "rbac.authorization.k8s.io/v1", name: "ClusterRole", weight: 1, cluster: true, fill: role},
	{apiVersion: "rbac.authorization.k8s.io/v1", name: "ClusterRoleBinding", weight: 1, cluster: true, fill: roleBinding},
	{apiVersion: "autoscaling/v2", name: "HorizontalPodAutoscaler", weight: 3, fill: autoscaler, status: autoscalerStatus},
	{
		apiVersion: "policy/v1",
		name:       "PodDisruptionBudget",
		weight:     2,
		fill:       disruptionBudget,
		status:     disruptionBudgetStatus,
	},
	{apiVersion: "cache.example.com/v1", name: "RedisCluster", weight: 1, fill: redisCluster, status: redisClusterStatus},
	{apiVersion: "monitoring.example.com/v1", name: "ScrapeTarget", weight: 2, fill: scrapeTarget},
}

// chosenKinds are those of a list of names; all where it is empty.
func chosenKinds(names string) ([]kind, error) {
	if names == "" {
		return kinds, nil
	}
	var chosen []kind
	for _, name := range strings.Split(names, ",") {
		i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
		if i < 0 {
			return nil, fmt.Errorf("-kinds %q: no such kind is made here", name)
		}
		chosen = append(chosen, kinds[i])
	}
	return chosen, nil
}

// pick takes a kind by weight.
func pick(kinds []kind, random *rand.Rand) kind {
	sum := 0
	for _, k := range kinds {
		sum += k.weight
	}
	n := random.IntN(sum)
	for _, k := range kinds {
		if n -= k.weight; n < 0 {
			return k
		}
	}
	panic("the weights have changed")
}
