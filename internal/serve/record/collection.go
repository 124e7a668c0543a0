package record

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"k8s.io/apiserver/pkg/endpoints/request"

	"github.com/ssactl/ssactl/internal/serve/wire"
)

// collection says the deletion of a collection: as that of each object that it deleted, or marked
// as deleted. A refused one, a dry run and one that deleted nothing are said as they were sent.
func (r *Recorder) collection(
	is wire.Write,
	info *request.RequestInfo,
	get func(path string) (int, []byte),
	there []json.RawMessage,
) {
	said := false
	for _, before := range there {
		var head struct {
			Metadata struct{ Namespace, Name, ResourceVersion string }
		}
		// It is what the server has listed.
		_ = json.Unmarshal(before, &head)
		of := *info
		of.Namespace = head.Metadata.Namespace
		one := is
		one.Namespace, one.Name, one.Before = head.Metadata.Namespace, head.Metadata.Name, before
		one.Path = pathOf(&of, one.Name)
		one.After = object(get, one.Path)
		if versionOf(one.After) == head.Metadata.ResourceVersion {
			continue
		}
		said = true
		r.say(one)
	}
	if !said {
		r.say(is)
	}
}

// listed are the objects that the deletion of a collection selects, with the kinds that items of a
// list may lack.
func listed(asked *http.Request, get func(path string) (int, []byte)) []json.RawMessage {
	selects := url.Values{}
	for name, values := range asked.URL.Query() {
		if name == "labelSelector" || name == "fieldSelector" {
			selects[name] = values
		}
	}
	code, body := get(asked.URL.Path + "?" + selects.Encode())
	var list struct {
		APIVersion, Kind string
		Items            []map[string]json.RawMessage
	}
	if code != http.StatusOK || json.Unmarshal(body, &list) != nil {
		return nil
	}
	var out []json.RawMessage
	for _, item := range list.Items {
		for name, value := range map[string]string{
			"apiVersion": list.APIVersion, "kind": strings.TrimSuffix(list.Kind, "List"),
		} {
			if item[name] == nil {
				item[name], _ = json.Marshal(value)
			}
		}
		if text, err := json.Marshal(item); err == nil {
			out = append(out, text)
		}
	}
	return out
}

func versionOf(text []byte) string {
	var head struct {
		Metadata struct{ ResourceVersion string }
	}
	// No object has no version.
	_ = json.Unmarshal(text, &head)
	return head.Metadata.ResourceVersion
}
