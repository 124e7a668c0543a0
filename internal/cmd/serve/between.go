package serve

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/serve/wire"
)

// between says who else changed an object after a request of the command and before the next;
// empty if nothing did. Nil texts stand for no object.
func between(after, before []byte) string {
	switch {
	case versionOf(after) == versionOf(before):
		return ""
	case before == nil:
		return "another writer deleted the object"
	case after == nil:
		return "another writer created the object"
	}
	who := changedEntries(after, before)
	if len(who) == 0 {
		return "another writer changed the object, and no managed fields with it"
	}
	if who = slices.DeleteFunc(who, ofServer); len(who) == 0 {
		return ""
	}
	return strings.Join(who, ", ") + " changed the object"
}

// ofServer reports whether a writer is a part of the server, which says of workloads how far they are: that
// is no news of the cluster.
func ofServer(who string) bool {
	return who == "kube-controller-manager (status)" || who == wire.ReadyManager+" (status)"
}

// changedEntries names the field managers, with their subresources, whose entries a text has and the
// one before lacks, or has with other fields or another time; sorted.
func changedEntries(was, is []byte) []string {
	old := entriesOf(was)
	changed := map[string]bool{}
	for key, entry := range entriesOf(is) {
		if old[key] == entry {
			continue
		}
		name := cmp.Or(key.Manager, "a writer without a field manager")
		if key.Subresource != "" {
			name = fmt.Sprintf("%s (%s)", name, key.Subresource)
		}
		changed[name] = true
	}
	return slices.Sorted(maps.Keys(changed))
}

type entryKey struct{ Manager, Operation, APIVersion, Subresource string }

// entriesOf are the managed fields entries of an object, as texts.
func entriesOf(text []byte) map[entryKey]string {
	var object struct {
		Metadata struct{ ManagedFields []json.RawMessage }
	}
	// What is no object has no entries.
	_ = json.Unmarshal(text, &object)
	out := map[entryKey]string{}
	for _, entry := range object.Metadata.ManagedFields {
		var key entryKey
		_ = json.Unmarshal(entry, &key)
		out[key] = string(entry)
	}
	return out
}
