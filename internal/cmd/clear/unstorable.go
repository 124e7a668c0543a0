package clear

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// replaceUnstorable replaces with one empty entry managedFields that no
// server has, being no list of entries: it could not read the object, and so
// not answer. The empty entry it can store, as little as it can read it
// (apimachinery, managedfields/internal/managedfields.go). Only all of such
// managedFields can be cleared.
func (c *clearing) replaceUnstorable() error {
	metadata, _ := c.Live["metadata"].(map[string]any)
	if c.unstorable = storable(metadata["managedFields"]); c.unstorable == nil {
		return nil
	}
	if !c.selection.Whole() {
		return fmt.Errorf("managedFields cannot be read: %w: clear all of them, without a flag that selects entries", c.unstorable)
	}
	live := maps.Clone(c.Live)
	metadata = maps.Clone(metadata)
	live["metadata"], metadata["managedFields"] = metadata, []any{map[string]any{}}
	owners := c.Owners
	c.Object = c.In(live)
	c.Owners = owners
	return nil
}

// storable says why managedFields are no list of entries.
func storable(v any) error {
	list, ok := v.([]any)
	if !ok && v != nil {
		return errors.New("metadata.managedFields is not a list")
	}
	for i, entry := range list {
		text, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		if json.Unmarshal(text, &metav1.ManagedFieldsEntry{}) != nil {
			return fmt.Errorf("element %d is no managed fields entry", i+1)
		}
	}
	return nil
}
