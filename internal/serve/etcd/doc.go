// Package etcd answers for a store as etcd does, with the part of etcd's API that
// kube-apiserver calls: over gRPC within the process for the clients that dial, and without
// for those that are made with Client.
package etcd
