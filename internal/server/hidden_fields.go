package server

import (
	"bytes"
	"encoding/json"

	"github.com/ssactl/ssactl/internal/server/api"
)

// hiddenFields says what of the stored object no client can see, and so no file has.
//
// A Service that became an ExternalName keeps its internalTrafficPolicy in the
// storage, and reading leaves it out (registry/core/service/storage). That one
// is there shows by an entry that owns it: the next write that stores the
// Service without it takes that ownership away.
func hiddenFields(call api.Request) []api.Caveat {
	if !allocates(call.Kind.GroupKind()) || !bytes.Contains(call.Live, []byte(`"f:internalTrafficPolicy"`)) {
		return nil
	}
	var service struct {
		Spec struct {
			Type                  string          `json:"type"`
			InternalTrafficPolicy json.RawMessage `json:"internalTrafficPolicy"`
		} `json:"spec"`
	}
	if json.Unmarshal(call.Live, &service) != nil || service.Spec.Type != "ExternalName" || service.Spec.InternalTrafficPolicy != nil {
		return nil
	}
	return []api.Caveat{{Kind: api.Input, Field: ".spec.internalTrafficPolicy",
		Message: "The stored Service may have an internalTrafficPolicy, which is left out when an ExternalName Service is read: who owns that field afterwards is not known."}}
}
