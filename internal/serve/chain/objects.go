package chain

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Stored is an object of a server.
type Stored struct {
	// Group, Kind, Namespace and Name identify it.
	Group, Kind, Namespace, Name string
	// Changed: it was written after the server was ready.
	Changed bool
	// Own: managed fields name only parts of the server, and at least one. A control plane writes
	// some of its objects after it is ready, when is not settled.
	Own bool
	// Text is the object as JSON.
	Text json.RawMessage
}

// derived are the resources that a server makes itself, whatever clients write.
var derived = []string{
	"events",
	"leases",
	"ipaddresses",
	"apiservices",
	"componentstatuses",
	"endpointslices",
	"endpoints",
}

// ownManagers are the field managers of the server's parts.
var ownManagers = []string{
	"kube-apiserver",
	"kube-controller-manager",
	"clusterrole-aggregation-controller",
	// What an apply writes of the fields that were there before it.
	"before-first-apply",
	"kubernetes-service-cidr-controller",
	"api-priority-and-fairness-config-producer-v1",
	"api-priority-and-fairness-config-consumer-v1",
}

func own(entries []metav1.ManagedFieldsEntry) bool {
	foreign := func(e metav1.ManagedFieldsEntry) bool { return !slices.Contains(ownManagers, e.Manager) }
	return len(entries) > 0 && !slices.ContainsFunc(entries, foreign)
}

// Objects are those that a server has, at the preferred version of each kind, in the order of
// groups, kinds, namespaces and names. What a server derives itself is not among them.
func (s *Server) Objects(ctx context.Context) ([]Stored, error) {
	var groups metav1.APIGroupList
	if err := s.ask(ctx, "/apis", &groups); err != nil {
		return nil, err
	}
	paths := []string{"/api/v1"}
	for _, group := range groups.Groups {
		if group.Name != "events.k8s.io" && group.Name != "metrics.k8s.io" {
			paths = append(paths, "/apis/"+group.PreferredVersion.GroupVersion)
		}
	}
	var all []Stored
	for _, path := range paths {
		var resources metav1.APIResourceList
		if err := s.ask(ctx, path, &resources); err != nil {
			return nil, err
		}
		for _, r := range resources.APIResources {
			if strings.Contains(r.Name, "/") || !slices.Contains(r.Verbs, "list") || slices.Contains(derived, r.Name) {
				continue
			}
			objects, err := s.objectsOf(ctx, path+"/"+r.Name, resources.GroupVersion, r.Kind)
			if err != nil {
				return nil, err
			}
			all = append(all, objects...)
		}
	}
	return all, nil
}

// objectsOf are those of a resource, with the kind that items of a list lack.
func (s *Server) objectsOf(ctx context.Context, path, apiVersion, kind string) ([]Stored, error) {
	var list struct{ Items []map[string]any }
	if err := s.ask(ctx, path, &list); err != nil {
		return nil, err
	}
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		group = ""
	}
	var out []Stored
	for _, item := range list.Items {
		item["apiVersion"], item["kind"] = apiVersion, kind
		text, err := json.Marshal(item)
		if err != nil {
			return nil, err
		}
		var head struct{ Metadata metav1.ObjectMeta }
		if err := json.Unmarshal(text, &head); err != nil {
			return nil, err
		}
		// The server's own resourceVersions are numbers.
		revision, _ := strconv.ParseInt(head.Metadata.ResourceVersion, 10, 64)
		out = append(out, Stored{
			Group: group, Kind: kind, Namespace: head.Metadata.Namespace, Name: head.Metadata.Name,
			Changed: revision > s.began, Own: own(head.Metadata.ManagedFields), Text: text,
		})
	}
	return out, nil
}

// ask reads the answer to a GET within the process.
func (s *Server) ask(ctx context.Context, path string, into any) error {
	code, body := s.get(ctx, path)
	if code != http.StatusOK {
		return fmt.Errorf("GET %s: %d", path, code)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	return nil
}
