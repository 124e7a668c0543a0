package shim

import (
	// What the tests import that are copied from Kubernetes: go mod tidy does not see them.
	_ "github.com/stretchr/testify/require"
	_ "k8s.io/kubernetes/test/integration/authutil"
	_ "k8s.io/kubernetes/test/integration/etcd"
)
