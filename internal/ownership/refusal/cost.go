package refusal

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// cost is what is lost where an object of a kind is deleted and created again.
type cost struct {
	says text.Text
	// cascade is the --cascade of the deletion that is printed; empty where none is, as
	// what is lost does not come back.
	cascade string
}

const background = "background"

// costs are those of built-in kinds whose fields cannot all change.
var costs = map[schema.GroupKind]cost{
	{Kind: "PersistentVolumeClaim"}: {says: text.New(
		"replacing the claim deletes its data, unless the reclaim policy of its volume is Retain")},
	{Kind: "PersistentVolume"}: {says: text.New(
		"replacing the volume deletes its data where its reclaim policy is Delete")},
	{Group: "apps", Kind: "StatefulSet"}: {cascade: "orphan", says: text.New(
		"with --cascade=orphan its Pods go on, where the manifest does not change them, and its claims stay as they are: " +
			"a new size or class is for later claims only")},
	{Group: "batch", Kind: "Job"}: {cascade: background, says: text.New("replacing the Job runs it again")},
	{Group: "apps", Kind: "Deployment"}: {says: text.New(
		"replacing the Deployment stops all its Pods before new ones start")},
	{Group: "apps", Kind: "ReplicaSet"}: {says: text.New(
		"replacing the ReplicaSet stops all its Pods before new ones start")},
	{Group: "apps", Kind: "DaemonSet"}: {says: text.New(
		"replacing the DaemonSet stops all its Pods before new ones start")},
	{Kind: "Pod"}: {says: text.New(
		"replacing the Pod stops it, and what it has in memory and on emptyDir is lost")},
	{Kind: "Service"}: {says: text.New(
		"replacing the Service may give it another cluster IP and another load balancer, and cuts connections")},
	{Group: rbac, Kind: "RoleBinding"}:        {cascade: background, says: text.New(rights)},
	{Group: rbac, Kind: "ClusterRoleBinding"}: {cascade: background, says: text.New(rights)},
	{Kind: "ConfigMap"}:                       {says: text.New(restarted)},
	{Kind: "Secret"}:                          {says: text.New(restarted)},
	{Kind: "Namespace"}:                       {says: text.New("replacing the namespace deletes all objects in it")},
	api.CustomResourceDefinition: {says: text.New(
		"replacing the definition deletes all objects of its kind")},
	{Group: "storage.k8s.io", Kind: "StorageClass"}: {cascade: background, says: text.New(
		"replacing the class leaves existing volumes as they are")},
	{Group: "scheduling.k8s.io", Kind: "PriorityClass"}: {cascade: background, says: text.New(
		"replacing the class leaves the priority of existing Pods as it is")},
}

const (
	rbac      = "rbac.authorization.k8s.io"
	rights    = "replacing the binding takes its rights away until it is created again"
	restarted = "it is missing while it is replaced, and Pods that start then wait for it; the environment of others " +
		"changes once they are restarted"
)

// elsewhere is what is said of other kinds.
var elsewhere = text.New("replacing the object deletes what its controller made of it, if that is owned by it")

// cost is that of the object under question.
func (s *search) cost() cost {
	kind := s.Write.Kind.GroupKind()
	c, known := costs[kind]
	if !known {
		return cost{says: elsewhere}
	}
	if kind != (schema.GroupKind{Group: "apps", Kind: "StatefulSet"}) {
		return c
	}
	changes := func(path ...string) bool {
		is, has := fieldtree.Value(s.body, path...), fieldtree.Value(s.Live, path...)
		return !reflect.DeepEqual(is, has)
	}
	switch {
	case changes("spec", "selector"):
		// It does not adopt Pods of other labels, and cannot create its own, whose names these have.
		claims := "its claims stay"
		if fieldtree.Value(s.Live, "spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted") == "Delete" {
			claims = "its claims are deleted with their data (whenDeleted: Delete)"
		}
		return cost{says: text.New("with another selector it does not adopt its Pods, and it needs their names, so that " +
			"they have to be deleted with it; " + claims)}
	case changes("spec", "serviceName"):
		c.says = text.New("%v; the DNS names of its Pods change once they are restarted", c.says)
	}
	return c
}

// recreating is the deletion after which the apply creates the object, where what that
// costs can be borne.
func (s *search) recreating() []report.RefusalFix {
	c := s.cost()
	if c.cascade == "" || !s.creates {
		return nil
	}
	line := kubectl.Named(s.Server, s.Write.Kind, s.Write.Namespace, s.Write.Name).Delete(kubectl.Cascade(c.cascade))
	if line.None() {
		return nil
	}
	return []report.RefusalFix{{Kind: report.Recreate, Command: line}}
}
