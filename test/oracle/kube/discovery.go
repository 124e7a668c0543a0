package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Version is the version of the server that this program is built with.
const Version = "v1.37.2"

// connecting are the subresources that pass a request on to a node or a pod:
// no write, and nothing that runs here could answer.
var connecting = []string{"proxy", "exec", "attach", "portforward"}

// Subresources lists those of a resource that can be written, sorted.
func (c *Client) Subresources(ctx context.Context, group, resource string) ([]string, error) {
	answer, err := c.Get(ctx, group)
	if err != nil {
		return nil, err
	}
	var list struct {
		Resources []struct {
			Name  string
			Verbs []string
		}
	}
	if err := json.Unmarshal(answer.Body, &list); err != nil {
		return nil, fmt.Errorf("read the resources of %s: %w", group, err)
	}
	var names []string
	for _, found := range list.Resources {
		name, ok := strings.CutPrefix(found.Name, resource+"/")
		if ok && slices.Contains(found.Verbs, "patch") && !slices.Contains(connecting, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}
