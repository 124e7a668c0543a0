package engine_test

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

var gadgetKind = merging.GadgetKind

func gadgetType() typed.ParseableType { return merging.GadgetType() }

// scripted answers every request by a function, for gadgets.
type scripted struct {
	do     func(api.Request) (api.Response, error)
	served []schema.GroupVersionKind
	custom bool
}

func (s scripted) Do(_ context.Context, r api.Request) (api.Response, error) { return s.do(r) }

func (s scripted) Types(schema.GroupVersionKind) api.Type {
	return api.Type{ParseableType: gadgetType()}
}

func (s scripted) Resource(k schema.GroupVersionKind) api.Resource {
	for _, served := range s.served {
		if served == k {
			return api.Resource{Known: true, Custom: s.custom}
		}
	}
	return api.Resource{}
}
