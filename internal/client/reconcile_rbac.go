package client

import (
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/component-helpers/auth/rbac/reconciliation"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/server/api"
)

// ReconcileRBAC sends what kubectl auth reconcile does (pkg/cmd/auth/reconcile.go): it adds
// labels, annotations, rules and subjects that are missing, and recreates a binding of
// another role; false where it is refused.
func (r *Sequence) ReconcileRBAC(w engine.Write, manifest map[string]any) bool {
	operation, object, err := Reconciled(w.Kind, manifest, r.Object())
	if err != nil {
		return r.Stop(Replace, w, err.Error())
	}
	switch operation {
	case reconciliation.ReconcileCreate:
		return r.Send(Create, AsCreate(w, object))
	case reconciliation.ReconcileRecreate:
		return r.Delete(w, "") && r.Send(Create, AsCreate(w, object))
	case reconciliation.ReconcileUpdate:
		w.Verb, w.Force = api.Update, false
		return r.Send(Replace, WithManifest(w, object))
	}
	return true
}

// Reconciled is what has to be done, and the object that does it.
func Reconciled(
	kind schema.GroupVersionKind,
	manifest, live map[string]any,
) (reconciliation.ReconcileOperation, map[string]any, error) {
	var operation reconciliation.ReconcileOperation
	object, err := guard.Value(func() (map[string]any, error) {
		object, err := objects.Typed(kind, manifest)
		if err != nil {
			return nil, err
		}
		var done runtime.Object
		switch o := object.(type) {
		case *rbacv1.Role:
			operation, done, err = reconcileRole(reconciliation.RoleRuleOwner{Role: o}, stored{kind, live})
		case *rbacv1.ClusterRole:
			operation, done, err = reconcileRole(reconciliation.ClusterRoleRuleOwner{ClusterRole: o}, stored{kind, live})
		case *rbacv1.RoleBinding:
			operation, done, err = reconcileBinding(reconciliation.RoleBindingAdapter{RoleBinding: o}, stored{kind, live})
		case *rbacv1.ClusterRoleBinding:
			operation, done, err = reconcileBinding(
				reconciliation.ClusterRoleBindingAdapter{ClusterRoleBinding: o}, stored{kind, live},
			)
		}
		if err != nil || done == nil {
			return nil, err
		}
		done.GetObjectKind().SetGroupVersionKind(kind)
		return runtime.DefaultUnstructuredConverter.ToUnstructured(done)
	})
	return operation, object, err
}

func reconcileRole(
	role reconciliation.RuleOwner,
	live stored,
) (reconciliation.ReconcileOperation, runtime.Object, error) {
	result, err := (&reconciliation.ReconcileRoleOptions{Role: role, Client: storedRole{stored: live}}).Run()
	if err != nil {
		return "", nil, err
	}
	return result.Operation, result.Role.GetObject(), nil
}

func reconcileBinding(
	binding reconciliation.RoleBinding,
	live stored,
) (reconciliation.ReconcileOperation, runtime.Object, error) {
	options := reconciliation.ReconcileRoleBindingOptions{RoleBinding: binding, Client: storedBinding{stored: live}}
	result, err := options.Run()
	if err != nil {
		return "", nil, err
	}
	return result.Operation, result.RoleBinding.GetObject(), nil
}

// stored is the live object; nothing is written where a reconciliation is not confirmed.
type stored struct {
	kind   schema.GroupVersionKind
	object map[string]any
}

func (s stored) get(name string) (runtime.Object, error) {
	if s.object == nil {
		return nil, apierrors.NewNotFound(schema.GroupResource{Group: s.kind.Group, Resource: s.kind.Kind}, name)
	}
	return objects.Typed(s.kind, s.object)
}

// storedRole and storedBinding only read: what is embedded is never called.
type storedRole struct {
	reconciliation.RuleOwnerModifier
	stored
}

// Get is the live role.
func (s storedRole) Get(_, name string) (reconciliation.RuleOwner, error) {
	object, err := s.get(name)
	if err != nil {
		return nil, err
	}
	if role, is := object.(*rbacv1.Role); is {
		return reconciliation.RoleRuleOwner{Role: role}, nil
	}
	return reconciliation.ClusterRoleRuleOwner{ClusterRole: object.(*rbacv1.ClusterRole)}, nil
}

type storedBinding struct {
	reconciliation.RoleBindingModifier
	stored
}

// Get is the live binding.
func (s storedBinding) Get(_, name string) (reconciliation.RoleBinding, error) {
	object, err := s.get(name)
	if err != nil {
		return nil, err
	}
	if binding, is := object.(*rbacv1.RoleBinding); is {
		return reconciliation.RoleBindingAdapter{RoleBinding: binding}, nil
	}
	return reconciliation.ClusterRoleBindingAdapter{ClusterRoleBinding: object.(*rbacv1.ClusterRoleBinding)}, nil
}
