package main

import (
	"sort"

	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	utilopenapi "k8s.io/apiserver/pkg/util/openapi"
	aggregatorscheme "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	"k8s.io/kube-openapi/pkg/builder3"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	generatedopenapi "k8s.io/kubernetes/pkg/generated/openapi"

	// The groups that k8s.io/kubernetes/pkg/controlplane installs into legacyscheme.
	_ "k8s.io/kubernetes/pkg/apis/admission/install"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apiserverinternal/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/authentication/install"
	_ "k8s.io/kubernetes/pkg/apis/authorization/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/extensions/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/imagepolicy/install"
	_ "k8s.io/kubernetes/pkg/apis/lifecycle/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	_ "k8s.io/kubernetes/pkg/apis/storagemigration/install"
)

// serverDefinitions returns the OpenAPI definitions from which a kube-apiserver
// of the linked version builds its type converters, by definition name.
//
// It follows the server step by step: one set of definitions and one namer over
// the three schemes (cmd/kube-apiserver/app/config.go), features that are
// disabled reverted (pkg/controlplane/apiserver/config.go), definitions built
// for resources and all that they refer to (getOpenAPIModels of
// k8s.io/apiserver/pkg/server). The delegated servers for apiextensions.k8s.io
// and apiregistration.k8s.io get a copy of the same configuration.
//
// Where the server asks for the resources that one API group installs, all
// definitions with a kind are asked for: a definition does not depend on which
// others are asked for.
func serverDefinitions() (map[string]*spec.Schema, error) {
	definitions := utilopenapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(generatedopenapi.GetOpenAPIDefinitions)
	namer := openapinamer.NewDefinitionNamer(legacyscheme.Scheme, apiextensionsapiserver.Scheme, aggregatorscheme.Scheme)
	config := genericapiserver.DefaultOpenAPIV3Config(definitions, namer)
	return builder3.BuildOpenAPIDefinitionsForResources(config, resourceNames(config)...)
}

// resourceNames returns the Go type names of the definitions that have a kind, sorted.
func resourceNames(config *common.OpenAPIV3Config) []string {
	var names []string
	for name := range config.Definitions {
		if _, extensions := config.GetDefinitionName(name); extensions != nil {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}
