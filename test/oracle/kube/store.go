package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
)

// Store writes an object to etcd as it is given, managed fields included, in
// the place of the one that the server stored under the given namespace and
// name in the same place; key is what Key found.
func (s *Server) Store(ctx context.Context, key string, object json.RawMessage) error {
	_, err := s.etcd.Server.Put(ctx, &etcdserverpb.PutRequest{Key: []byte(key), Value: object})
	if err != nil {
		return fmt.Errorf("store %s: %w", key, err)
	}
	return nil
}

// Erase takes an object out of etcd.
func (s *Server) Erase(ctx context.Context, key string) error {
	_, err := s.etcd.Server.DeleteRange(ctx, &etcdserverpb.DeleteRangeRequest{Key: []byte(key)})
	if err != nil {
		return fmt.Errorf("erase %s: %w", key, err)
	}
	return nil
}

// Key finds where the server stores an object: the key that ends in
// RESOURCE/…/NAME. It is empty when nothing is stored under such a name.
func (s *Server) Key(ctx context.Context, resource, namespace, name string) (string, error) {
	keys, err := s.etcd.Server.Range(ctx, &etcdserverpb.RangeRequest{
		Key: []byte("/registry/"), RangeEnd: []byte("/registry0"), KeysOnly: true,
	})
	if err != nil {
		return "", fmt.Errorf("list keys: %w", err)
	}
	return KeyAmong(keys.Kvs, resource, namespace, name), nil
}

// KeyAmong is the key of those stored under which an object is; empty where it is not.
func KeyAmong(stored []*mvccpb.KeyValue, resource, namespace, name string) string {
	tail := "/" + name
	if namespace != "" {
		tail = "/" + namespace + tail
	}
	for _, kv := range stored {
		key := string(kv.Key)
		if strings.HasSuffix(key, tail) && storedAs(key, resource) {
			return key
		}
	}
	return ""
}

// storedNames are the resources that are stored under an older name.
var storedNames = map[string]string{
	"nodes":                  "minions",
	"services":               "services/specs",
	"endpoints":              "services/endpoints",
	"replicationcontrollers": "controllers",
	"ingresses":              "ingress",
}

func storedAs(key, resource string) bool {
	if stored, ok := storedNames[resource]; ok {
		resource = stored
	}
	return strings.Contains(key, "/"+resource+"/")
}
