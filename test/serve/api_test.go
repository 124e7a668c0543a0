package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// asked is the answer to a GET with an Accept header: its media type, and the body.
func asked(t *testing.T, config *rest.Config, path, accept string) (code int, media string, body []byte) {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, config.Host+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", accept)
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err = io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header.Get("Content-Type"), body
}

// TestMediaTypes: each way of asking for an answer has one of its kind.
func TestMediaTypes(t *testing.T) {
	s := server(t)
	for _, c := range []struct{ path, accept, media, text string }{
		{
			"/apis", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
			"as=APIGroupDiscoveryList", `"kind":"APIGroupDiscoveryList"`,
		},
		{
			"/api", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
			"as=APIGroupDiscoveryList", `"resource":"configmaps"`,
		},
		{
			"/api/v1/namespaces", "application/json;as=Table;v=v1;g=meta.k8s.io", "application/json",
			`"kind":"Table"`,
		},
		{
			"/api/v1/namespaces", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
			"application/json", `"kind":"PartialObjectMetadataList"`,
		},
		{"/api/v1/namespaces", "application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf", "k8s\x00"},
		{"/openapi/v2", "application/json", "application/json", `"swagger":"2.0"`},
		{"/openapi/v2", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf", "protobuf", "Kubernetes"},
		{"/openapi/v3", "application/json", "", "apis/apps/v1"},
		{"/openapi/v3/apis/apps/v1", "application/json", "application/json", "io.k8s.api.apps.v1.Deployment"},
		{"/version", "application/json", "application/json", `"minor": "`},
		{"/readyz?verbose", "*/*", "text/plain", "readyz check passed"},
	} {
		code, media, body := asked(t, s.ClientConfig, c.path, c.accept)
		if code != http.StatusOK || !strings.Contains(media, c.media) || !strings.Contains(string(body), c.text) {
			t.Errorf("GET %s as %s: %d %s, %.200q", c.path, c.accept, code, media, body)
		}
	}
}

// TestRefusals: what a server refuses has a Status with the reason that clients go by.
func TestRefusals(t *testing.T) {
	s := server(t)
	client, ctx := kubernetes.NewForConfigOrDie(s.ClientConfig), t.Context()
	_, err := client.CoreV1().ConfigMaps("default").List(ctx, metav1.ListOptions{FieldSelector: "data.a=b"})
	if !apierrors.IsBadRequest(err) {
		t.Errorf("an unknown field selector: %v", err)
	}
	_, err = client.CoreV1().ConfigMaps("default").Get(ctx, "none", metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("a ConfigMap that is not there: %v", err)
	}
	_, err = client.CoreV1().ConfigMaps("none").Create(ctx, configMap("a"), metav1.CreateOptions{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("a ConfigMap in a namespace that is not there: %v", err)
	}
	old, err := client.CoreV1().ConfigMaps("default").Create(ctx, configMap("a"), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = client.CoreV1().ConfigMaps("default").Create(ctx, old, metav1.CreateOptions{}); err == nil {
		t.Error("a ConfigMap with a resourceVersion is created")
	}
	next := old.DeepCopy()
	next.Data = map[string]string{"a": "2"}
	if _, err = client.CoreV1().ConfigMaps("default").Update(ctx, next, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err = client.CoreV1().ConfigMaps("default").Update(ctx, next, metav1.UpdateOptions{}); !apierrors.IsConflict(
		err,
	) {
		t.Errorf("an update of an old version: %v", err)
	}
	config := rest.CopyConfig(s.ClientConfig)
	config.BearerToken = "another"
	_, err = kubernetes.NewForConfigOrDie(config).CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
	if !apierrors.IsUnauthorized(err) {
		t.Errorf("another token: %v", err)
	}
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

// TestTokens: a token of a service account is one that the server knows, with the rights of the
// account and no more.
func TestTokens(t *testing.T) {
	s := server(t)
	client, ctx := kubernetes.NewForConfigOrDie(s.ClientConfig), t.Context()
	accounts := client.CoreV1().ServiceAccounts("default")
	eventually(t, "default service account", func() bool {
		_, err := accounts.Get(ctx, "default", metav1.GetOptions{})
		return err == nil
	})
	token, err := accounts.CreateToken(ctx, "default", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	review, err := client.AuthenticationV1().TokenReviews().Create(ctx, &authenticationv1.TokenReview{
		Spec: authenticationv1.TokenReviewSpec{Token: token.Status.Token},
	}, metav1.CreateOptions{})
	const account = "system:serviceaccount:default:default"
	if err != nil || !review.Status.Authenticated || review.Status.User.Username != account {
		t.Errorf("the token is %v of %q: %v", review.Status.Authenticated, review.Status.User.Username, err)
	}
	config := rest.CopyConfig(s.ClientConfig)
	config.BearerToken = token.Status.Token
	as := kubernetes.NewForConfigOrDie(config)
	if _, err = as.CoreV1().Secrets("default").List(ctx, metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("the service account lists Secrets: %v", err)
	}
	mine, err := as.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, &authorizationv1.SelfSubjectAccessReview{
		Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: listSecrets()},
	}, metav1.CreateOptions{})
	if err != nil || mine.Status.Allowed {
		t.Errorf("the service account asks for itself: %+v, %v", mine.Status, err)
	}
	for user, allowed := range map[string]bool{"someone": false, "system:kube-controller-manager": true} {
		subject, err := client.AuthorizationV1().SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{
			Spec: authorizationv1.SubjectAccessReviewSpec{User: user, ResourceAttributes: listSecrets()},
		}, metav1.CreateOptions{})
		if err != nil || subject.Status.Allowed != allowed {
			t.Errorf("%s lists Secrets: %+v, %v", user, subject.Status, err)
		}
	}
}

func listSecrets() *authorizationv1.ResourceAttributes {
	return &authorizationv1.ResourceAttributes{Verb: "list", Resource: "secrets", Namespace: "default"}
}

// TestWatch: a watch begins with what is there and says when that ends, and its objects have an
// apiVersion and a kind.
func TestWatch(t *testing.T) {
	s := server(t)
	client := kubernetes.NewForConfigOrDie(s.ClientConfig)
	if _, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), configMap("seen"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	stream, err := client.CoreV1().RESTClient().Get().Namespace("default").Resource("configmaps").
		Param("watch", "true").Param("sendInitialEvents", "true").Param("allowWatchBookmarks", "true").
		Param("resourceVersionMatch", "NotOlderThan").SetHeader("Accept", runtime.ContentTypeJSON).Stream(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	decoder, seen := json.NewDecoder(stream), false
	for {
		var event struct {
			Type   string
			Object metav1.PartialObjectMetadata
		}
		if err := decoder.Decode(&event); err != nil {
			t.Fatal(err)
		}
		if event.Object.APIVersion != "v1" || event.Object.Kind != "ConfigMap" {
			t.Errorf("an event of %s has the object %+v", event.Type, event.Object.TypeMeta)
		}
		if event.Object.Name == "seen" {
			seen = true
		}
		if event.Type == "BOOKMARK" && event.Object.Annotations[metav1.InitialEventsAnnotationKey] == "true" {
			break
		}
	}
	if !seen {
		t.Error("the initial events end before the object that was there")
	}
}

// TestNewNamespace: a namespace has its service account and the certificates that Pods mount where
// they would have them.
func TestNewNamespace(t *testing.T) {
	s := server(t)
	client, ctx := kubernetes.NewForConfigOrDie(s.ClientConfig), t.Context()
	name := fmt.Sprintf("new-%d", len(t.Name()))
	_, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: name},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: corev1.PodSpec{
		Containers: []corev1.Container{{Name: "web", Image: "web:1"}},
	}}
	eventually(t, "Pod that admission gives a service account", func() bool {
		_, err = client.CoreV1().Pods(name).Create(ctx, pod, metav1.CreateOptions{})
		return err == nil
	})
	is, err := client.CoreV1().Pods(name).Get(ctx, "web", metav1.GetOptions{})
	if err != nil || is.Spec.ServiceAccountName != "default" || len(is.Spec.Volumes) != 1 {
		t.Errorf("the Pod is %+v, %v", is.Spec, err)
	}
}
