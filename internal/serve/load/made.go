package load

import (
	"encoding/json"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	schedulingv1 "k8s.io/kubernetes/pkg/apis/scheduling/v1"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
)

// complete makes what every cluster has and the dump may lack: of a key that is there already
// the store keeps the first.
func (e *encoding) complete() error {
	if err := e.defaultAccounts(); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(e.needed)) {
		if _, known := e.known[name]; known {
			continue
		}
		if !slices.Contains(systemNamespaces, name) {
			e.loaded.Namespaces = append(e.loaded.Namespaces, name)
		}
		if err := e.namespace(name); err != nil {
			return err
		}
	}
	for _, class := range schedulingv1.SystemPriorityClasses() {
		// As the server gives it to one that is created.
		class.Generation = 1
		if err := e.convert("scheduling.k8s.io/v1", "PriorityClass", class); err != nil {
			return err
		}
	}
	return e.policies()
}

// systemNamespaces are made by every server at its start.
var systemNamespaces = []string{"default", "kube-node-lease", "kube-public", "kube-system"}

// defaultAccounts makes those that the controller would make after the start, when a client may be
// about to create Pods.
func (e *encoding) defaultAccounts() error {
	if !e.accounts {
		return nil
	}
	all := sets.New(systemNamespaces...).Insert(slices.Collect(maps.Keys(e.needed))...)
	for name, active := range e.known {
		if all.Insert(name); !active {
			all.Delete(name)
		}
	}
	for _, name := range sets.List(all) {
		if err := e.make("v1", "ServiceAccount", map[string]any{
			"metadata": map[string]any{"name": "default", "namespace": name},
		}); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoding) namespace(name string) error {
	return e.make("v1", "Namespace", map[string]any{
		"metadata": map[string]any{"name": name, "labels": map[string]any{"kubernetes.io/metadata.name": name}},
		"spec":     map[string]any{"finalizers": []any{"kubernetes"}},
		"status":   map[string]any{"phase": "Active"},
	})
}

// policies makes the roles and bindings that a server makes at its start, through its own API.
func (e *encoding) policies() error {
	const version = "rbac.authorization.k8s.io/v1"
	for _, role := range slices.Concat(bootstrappolicy.ClusterRoles(), bootstrappolicy.ControllerRoles()) {
		if err := e.convert(version, "ClusterRole", &role); err != nil {
			return err
		}
	}
	bindings := slices.Concat(bootstrappolicy.ClusterRoleBindings(), bootstrappolicy.ControllerRoleBindings())
	for _, binding := range bindings {
		if err := e.convert(version, "ClusterRoleBinding", &binding); err != nil {
			return err
		}
	}
	for _, namespace := range sorted(bootstrappolicy.NamespaceRoles()) {
		for _, role := range bootstrappolicy.NamespaceRoles()[namespace] {
			role.Namespace = namespace
			if err := e.convert(version, "Role", &role); err != nil {
				return err
			}
		}
	}
	for _, namespace := range sorted(bootstrappolicy.NamespaceRoleBindings()) {
		for _, binding := range bootstrappolicy.NamespaceRoleBindings()[namespace] {
			binding.Namespace = namespace
			if err := e.convert(version, "RoleBinding", &binding); err != nil {
				return err
			}
		}
	}
	return nil
}

func sorted[T any](of map[string]T) []string { return slices.Sorted(maps.Keys(of)) }

// convert makes an object of one of the API's Go types.
func (e *encoding) convert(apiVersion, name string, object runtime.Object) error {
	text, err := json.Marshal(object)
	if err != nil {
		return err
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		return err
	}
	return e.make(apiVersion, name, tree)
}

// make stores an object that no dump has.
func (e *encoding) make(apiVersion, name string, tree map[string]any) error {
	tree["apiVersion"], tree["kind"] = apiVersion, name
	text, err := json.Marshal(tree)
	if err != nil {
		return err
	}
	of := schema.FromAPIVersionAndKind(apiVersion, name)
	_, codecs := e.sideOf(of)
	object, err := runtime.Decode(codecs.UniversalDecoder(), text)
	if err != nil {
		return err
	}
	return e.store(object, of)
}
