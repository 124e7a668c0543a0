package server

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	externalinformers "k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// handlerTimeout is a bound that no call comes near.
const handlerTimeout = time.Minute

// customServing serves a version of one definition with the handler of
// apiextensions-apiserver.
type customServing struct {
	handler func() (http.Handler, error)
	// merge is the merge type.
	merge func() (typed.ParseableType, error)
}

func newCustomServing(crd *apiextensionsv1.CustomResourceDefinition, version string, admit admission.Interface, allow authorizer.Authorizer) *customServing {
	return &customServing{
		handler: onceGuarded(func() (http.Handler, error) { return customHandler(crd, admit, allow) }),
		merge:   onceGuarded(func() (typed.ParseableType, error) { return customType(crd, version) }),
	}
}

// customHandler makes the handler with an informer that is never started: its
// index is filled by hand.
func customHandler(crd *apiextensionsv1.CustomResourceDefinition, admit admission.Interface, allow authorizer.Authorizer) (http.Handler, error) {
	definitions := externalinformers.NewSharedInformerFactory(nil, 0).Apiextensions().V1().CustomResourceDefinitions()
	if err := definitions.Informer().GetIndexer().Add(crd); err != nil {
		return nil, err
	}
	metaSchemas, err := metaSchemas()
	if err != nil {
		return nil, err
	}
	return apiextensionsapiserver.NewCustomResourceDefinitionHandler(
		nil, nil, definitions, notServed(""),
		codecOptions{codec: unstructured.UnstructuredJSONScheme},
		admit, nil, unreachable{}, nil, 1, allow,
		handlerTimeout, handlerTimeout, metaSchemas, maxRequestBytes)
}

// unreachable resolves no conversion webhook: there is no network.
type unreachable struct{}

const webhookNeeded = "ssactl: conversion by webhook"

func (unreachable) ResolveEndpoint(string, string, int32) (*url.URL, error) {
	return nil, errors.New(webhookNeeded)
}

// needsWebhook reports whether a refusal says that a conversion webhook was to
// be called.
func needsWebhook(r *reply) bool {
	return r.code >= http.StatusInternalServerError && strings.Contains(r.body.String(), webhookNeeded)
}
