package admission

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// addParams adds to a hook where its parameters are looked up; false where that
// cannot be known, as nothing given defines their kind.
func (s *policies[P, B, E]) addParams(r *policyRequest, p *boundPolicy[P, B, E], hook *generic.PolicyHook[P, B, E]) bool {
	paramKind := p.accessor.GetParamKind()
	if paramKind == nil {
		return true
	}
	kind := schema.FromAPIVersionAndKind(paramKind.APIVersion, paramKind.Kind)
	resource := s.served.Resource(kind)
	if !resource.Known && legacyscheme.Scheme.IsGroupRegistered(kind.Group) {
		// No definition adds to the server's own groups.
		hook.ConfigurationError = fmt.Errorf("failed to find resource referenced by paramKind: '%v'", kind)
		return true
	}
	if !resource.Known {
		r.record.note(fmt.Sprintf("%s takes parameters of the kind %s, which nothing given defines: it was not run.", s.label(p), kind.GroupKind()))
		return false
	}
	hook.ParamInformer = s.given.ParamInformer(kind, kind.GroupVersion().WithResource(resource.Resource))
	hook.ParamScope = meta.RESTScopeRoot
	if resource.Namespaced {
		hook.ParamScope = meta.RESTScopeNamespace
	}
	if s.misses(p, hook, r.GetNamespace()) {
		r.record.note(fmt.Sprintf("%s takes parameters of the kind %s, and none that a binding refers to was given: taken as there being none.", s.label(p), kind.GroupKind()))
	}
	return true
}

// misses reports whether a binding refers to parameters and none of them was given.
func (s *policies[P, B, E]) misses(p *boundPolicy[P, B, E], hook *generic.PolicyHook[P, B, E], namespace string) bool {
	return slices.ContainsFunc(hook.Bindings, func(b B) bool {
		ref := s.binding(b).GetParamRef()
		if ref == nil {
			return false
		}
		sought := *ref
		sought.ParameterNotFoundAction = nil
		// An error is a reference that no object can meet.
		found, err := generic.CollectParams(p.accessor.GetParamKind(), hook.ParamInformer, hook.ParamScope, &sought, namespace, nil, nil)
		return err == nil && len(found) == 0
	})
}
