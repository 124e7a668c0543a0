package reads

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/ssactl/ssactl/test/oracle/kube"
)

// Exchange is a request with its answer.
type Exchange struct {
	// Request is the method, the path and what the answer is to be.
	Request string
	// Answer is the code, the media type, and the body without what a server makes anew, in
	// lines.
	Answer string
	// Events is how many events a watch gave.
	Events int
}

// forms are the ways in which lists are asked for.
var forms = []string{
	"application/json",
	"application/json;as=Table;v=v1;g=meta.k8s.io",
	"application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
}

// watchTime is how long a watch lasts, in seconds.
const watchTime = "1"

// asker asks one server.
type asker struct {
	client *kube.Client
	out    []Exchange
}

// Ask makes objects on a server, and asks it everything.
func Ask(ctx context.Context, client *kube.Client) ([]Exchange, error) {
	a := &asker{client: client}
	if err := a.make(ctx); err != nil {
		return nil, err
	}
	versions, err := a.discovery(ctx)
	if err != nil {
		return nil, err
	}
	for _, path := range versions {
		if err := a.lists(ctx, path); err != nil {
			return nil, err
		}
	}
	for _, c := range refused {
		if err := a.ask(ctx, c); err != nil {
			return nil, err
		}
	}
	return a.out, a.changes(ctx)
}

// ask asks once.
func (a *asker) ask(ctx context.Context, call kube.Call) error {
	answer, err := a.client.Do(ctx, call)
	if err != nil {
		return err
	}
	request := call.Method + " " + call.Path
	if len(call.Query) > 0 {
		request += "?" + call.Query.Encode()
	}
	body, events := normal(answer.Body)
	a.out = append(a.out, Exchange{
		Request: strings.TrimSpace(request + " " + call.Accept),
		Answer:  fmt.Sprintf("%d %s\n%s", answer.Code, answer.Media, body), Events: events,
	})
	return nil
}

func get(path, accept string, query ...string) kube.Call {
	values := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		values.Add(query[i], query[i+1])
	}
	return kube.Call{Method: http.MethodGet, Path: path, Accept: accept, Query: values}
}

// discovery asks what there is, and for the schemas, and gives the paths of versions.
func (a *asker) discovery(ctx context.Context) (versions []string, err error) {
	answer, err := a.client.Get(ctx, "/apis")
	if err != nil {
		return nil, err
	}
	var groups struct {
		Groups []struct {
			Versions []struct{ GroupVersion string }
		}
	}
	if err := json.Unmarshal(answer.Body, &groups); err != nil {
		return nil, err
	}
	versions = []string{"/api/v1"}
	for _, g := range groups.Groups {
		for _, v := range g.Versions {
			versions = append(versions, "/apis/"+v.GroupVersion)
		}
	}
	slices.Sort(versions)
	const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
	calls := []kube.Call{
		get(
			"/",
			"",
		), get("/api", ""), get("/apis", ""), get("/api", aggregated), get("/apis", aggregated), get("/openapi/v3", ""),
		get("/openapi/v2", ""), get("/healthz", "*/*"), get("/livez", "*/*"), get("/readyz", "*/*"), get("/version", ""),
	}
	for _, path := range versions {
		calls = append(calls, get(path, ""), get("/openapi/v3"+path, ""))
	}
	for _, call := range calls {
		if err := a.ask(ctx, call); err != nil {
			return nil, err
		}
	}
	return versions, nil
}

// lists asks for the objects of all resources of a version, in each form, and watches them.
func (a *asker) lists(ctx context.Context, path string) error {
	answer, err := a.client.Get(ctx, path)
	if err != nil {
		return err
	}
	var list struct {
		Resources []struct {
			Name  string
			Verbs []string
		}
	}
	if err := json.Unmarshal(answer.Body, &list); err != nil {
		return err
	}
	for _, r := range list.Resources {
		if strings.Contains(r.Name, "/") || !slices.Contains(r.Verbs, "list") {
			continue
		}
		for _, form := range forms {
			if err := a.ask(ctx, get(path+"/"+r.Name, form)); err != nil {
				return err
			}
		}
		if !slices.Contains(r.Verbs, "watch") {
			continue
		}
		err := a.ask(ctx, get(
			path+"/"+r.Name, "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", "watch", "true",
			"timeoutSeconds", watchTime, "sendInitialEvents", "true", "resourceVersionMatch", "NotOlderThan",
			"allowWatchBookmarks", "true",
		))
		if err != nil {
			return err
		}
	}
	return nil
}

// later is how long a watch takes to begin.
const later = 500 * time.Millisecond
