package reads

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/ssactl/ssactl/test/oracle/kube"
)

const (
	namespace = "reads"
	inCore    = "/api/v1/namespaces/" + namespace
	inApps    = "/apis/apps/v1/namespaces/" + namespace
	inCustom  = "/apis/example.org/v1/namespaces/" + namespace
)

type object struct{ collection, name, body string }

// objects are there when lists are asked for.
var objects = []object{
	{"/api/v1/namespaces", namespace, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"reads"}}`},
	{"/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "plants.example.org", `{
		"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"plants.example.org"},
		"spec":{"group":"example.org","scope":"Namespaced",
			"names":{"plural":"plants","singular":"plant","kind":"Plant","listKind":"PlantList","shortNames":["pl"]},
			"versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
				"additionalPrinterColumns":[{"name":"Height","type":"integer","jsonPath":".spec.height"}],
				"selectableFields":[{"jsonPath":".spec.color"}],
				"schema":{"openAPIV3Schema":{"type":"object","properties":{
					"spec":{"type":"object","properties":{"height":{"type":"integer"},"color":{"type":"string"}}},
					"status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}}`},
	{
		inCore + "/configmaps",
		"a",
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"app":"web"}},"data":{"k":"v"}}`,
	},
	{inCore + "/configmaps", "b", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"},"data":{"k":"v"}}`},
	{inCore + "/secrets", "s", `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"stringData":{"k":"v"}}`},
	{
		inCore + "/services",
		"web",
		`{"apiVersion":"v1","kind":"Service","metadata":{"name":"web"},"spec":{"ports":[{"port":80}]}}`,
	},
	{inCore + "/pods", "web", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","labels":{"app":"web"}},
		"spec":{"automountServiceAccountToken":false,"containers":[{"name":"web","image":"web:1"}]}}`},
	{
		inCore + "/persistentvolumeclaims",
		"data",
		`{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"data"},
		"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`,
	},
	{inApps + "/deployments", "web", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},
		"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},
		"spec":{"containers":[{"name":"web","image":"web:1"}]}}}}`},
	{inCustom + "/plants", "rose", `{"apiVersion":"example.org/v1","kind":"Plant","metadata":{"name":"rose"},
		"spec":{"height":3,"color":"red"}}`},
}

// made is how long a definition may take until it is served.
const made = 30 * time.Second

// make applies the objects.
func (a *asker) make(ctx context.Context) error {
	for _, o := range objects {
		for deadline := time.Now().Add(made); ; time.Sleep(later) {
			answer, err := a.client.Do(ctx, applying(o.collection+"/"+o.name, o.body))
			if err != nil {
				return err
			}
			if answer.Code < http.StatusMultipleChoices {
				break
			}
			if time.Now().After(deadline) {
				return fmt.Errorf("apply %s/%s: %d %s", o.collection, o.name, answer.Code, answer.Body)
			}
		}
	}
	// Discovery and schemas of the definition follow it.
	time.Sleep(6 * later)
	return nil
}

func applying(path, body string) kube.Call {
	return kube.Call{
		Method: http.MethodPatch, Path: path, ContentType: "application/apply-patch+yaml", Body: []byte(body),
		Query: map[string][]string{"fieldManager": {"reads"}, "force": {"true"}},
	}
}

// refused are questions that a server refuses or answers in part.
var refused = []kube.Call{
	get(
		inCore+"/configmaps",
		"",
		"labelSelector",
		"app=web",
	), get(inCore+"/configmaps", "", "labelSelector", "app in (web,x),k!=v"),
	get(
		inCore+"/configmaps",
		"",
		"labelSelector",
		"==",
	), get(inCore+"/configmaps", "", "fieldSelector", "metadata.name=a"),
	get(
		inCore+"/configmaps",
		"",
		"fieldSelector",
		"data.k=v",
	), get(inCore+"/pods", "", "fieldSelector", "status.phase=Pending"),
	get(
		inCore+"/pods",
		"",
		"fieldSelector",
		"spec.image=x",
	), get(inCustom+"/plants", "", "fieldSelector", "spec.color=red"),
	get(
		inCustom+"/plants",
		"",
		"fieldSelector",
		"spec.color=blue",
	), get(inCustom+"/plants", "", "fieldSelector", "spec.height=3"),
	get(inCore+"/configmaps", "", "limit", "1"), get(inCore+"/configmaps", "", "continue", "nonsense"),
	get(inCore+"/configmaps", "", "limit", "x"), get(inCore+"/configmaps", "", "resourceVersion", "x"),
	get(inCore+"/configmaps", "", "resourceVersion", "0"), get(inCore+"/configmaps", "", "resourceVersion", "99999999"),
	get(
		inCore+"/configmaps",
		"",
		"resourceVersionMatch",
		"Exact",
	), get(inCore+"/configmaps", "", "sendInitialEvents", "true"),
	get(inCore+"/configmaps/none", ""), get(inCore+"/none", ""), get("/apis/none/v1", ""), get("/none", ""),
	get(inCore+"/configmaps/a", "application/yaml"), get(inCore+"/configmaps/a", "text/html"),
	get(
		inCore+"/configmaps/a",
		"application/cbor",
	), get(inCore+"/configmaps", "application/json;as=Table;v=v2;g=meta.k8s.io"),
	get(inCore+"/configmaps/a", "application/json;as=Table;v=v1;g=meta.k8s.io", "includeObject", "Object"),
	get(inCore+"/configmaps/a", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"),
	get(
		inApps+"/deployments/web/scale",
		"",
	), get(inApps+"/deployments/web/status", ""), get(inApps+"/deployments/web/none", ""),
	get(inCustom+"/plants/rose/status", ""), get(inCustom+"/plants/rose/scale", ""),
	get(inCore+"/configmaps", "", "watch", "true", "resourceVersion", "x"), get(inCore+"/pods/web/log", ""),
	{Method: http.MethodPut, Path: inCore + "/configmaps"}, {Method: http.MethodPost, Path: inCore + "/configmaps/a"},
	{Method: http.MethodPost, Path: inCore + "/configmaps", ContentType: "text/plain", Body: []byte("x")},
	{Method: http.MethodPost, Path: inCore + "/configmaps", ContentType: "application/json", Body: []byte("{")},
	{Method: http.MethodPost, Path: inCore + "/configmaps", ContentType: "application/cbor", Body: []byte{0xa0}},
	{
		Method:      http.MethodPost,
		Path:        inCore + "/configmaps",
		ContentType: "application/json",
		Body:        []byte(`{"kind":"Pod"}`),
	},
	{Method: http.MethodPatch, Path: inCore + "/configmaps/a", ContentType: "application/none", Body: []byte("{}")},
	{
		Method:      http.MethodPatch,
		Path:        inCustom + "/plants/rose",
		ContentType: "application/strategic-merge-patch+json",
		Body:        []byte("{}"),
	},
	{Method: http.MethodDelete, Path: inCore + "/configmaps/none"},
	{Method: http.MethodOptions, Path: inCore + "/configmaps"}, {Method: http.MethodHead, Path: inCore + "/configmaps/a"},
}

// watched are what is watched while objects change.
var watched = []kube.Call{
	get(inCore+"/configmaps", "", "watch", "true", "timeoutSeconds", "6"),
	get(inCore+"/configmaps", forms[1], "watch", "true", "timeoutSeconds", "6"),
	get(inCore+"/configmaps", "", "watch", "true", "timeoutSeconds", "6", "labelSelector", "app=web"),
	get(inCore+"/configmaps", "", "watch", "true", "timeoutSeconds", "6", "fieldSelector", "metadata.name=b"),
	get(inCore+"/pods", "", "watch", "true", "timeoutSeconds", "6"),
	get(inApps+"/deployments", "", "watch", "true", "timeoutSeconds", "6"),
	get(inCustom+"/plants", "", "watch", "true", "timeoutSeconds", "6"),
	get(inCustom+"/plants", forms[1], "watch", "true", "timeoutSeconds", "6"),
	get(inCustom+"/plants", "", "watch", "true", "timeoutSeconds", "6", "fieldSelector", "spec.color=red"),
	get(
		inCustom+"/plants",
		"application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
		"watch",
		"true",
		"timeoutSeconds",
		"6",
	),
}

// writes change objects that are watched, one after the other.
func writes() (calls []kube.Call) {
	merge := func(path, body string) kube.Call {
		return kube.Call{
			Method:      http.MethodPatch,
			Path:        path,
			ContentType: "application/merge-patch+json",
			Body:        []byte(body),
		}
	}
	for _, path := range []string{inCore + "/configmaps/b", inCore + "/pods/web", inApps + "/deployments/web", inCustom + "/plants/rose"} {
		calls = append(calls, merge(path, `{"metadata":{"labels":{"app":"web","step":"1"}}}`),
			merge(path, `{"metadata":{"labels":{"app":null}}}`), merge(path, `{"metadata":{"finalizers":["example.org/hold"]}}`),
			kube.Call{Method: http.MethodDelete, Path: path}, merge(path, `{"metadata":{"finalizers":null}}`))
	}
	return append(
		calls,
		applying(inCustom+"/plants/rose", `{"apiVersion":"example.org/v1","kind":"Plant","spec":{"color":"red"}}`),
		merge(inCustom+"/plants/rose", `{"spec":{"color":"blue"}}`),
		kube.Call{
			Method: http.MethodDelete,
			Path:   inCustom + "/plants",
		},
		kube.Call{Method: http.MethodDelete, Path: inCore + "/configmaps"},
	)
}

// changes watches while objects change.
func (a *asker) changes(ctx context.Context) error {
	found := make([]asker, len(watched))
	errs := make([]error, len(watched)+1)
	var all sync.WaitGroup
	for i, call := range watched {
		all.Go(func() {
			found[i].client = a.client
			errs[i] = found[i].ask(ctx, call)
		})
	}
	time.Sleep(later)
	for _, call := range writes() {
		if err := a.ask(ctx, call); err != nil {
			errs[len(watched)] = err
			break
		}
	}
	all.Wait()
	for i := range found {
		a.out = append(a.out, found[i].out...)
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
