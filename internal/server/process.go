package server

import (
	"fmt"
	"sync"

	"k8s.io/apiserver/pkg/util/compatibility"
	basecompatibility "k8s.io/component-base/compatibility"
	"k8s.io/kubernetes/pkg/capabilities"
	podstore "k8s.io/kubernetes/pkg/registry/core/pod/storage"
)

// process is what upstream keeps in variables of the whole process: the first
// server decides it for all.
type process struct {
	release         release
	allowPrivileged bool
}

var started struct {
	sync.Mutex
	process process
}

// start sets up the process. Asked again, it must be for the same.
func (p process) start() error {
	started.Lock()
	defer started.Unlock()
	switch started.process {
	case p:
		return nil
	case process{}:
		started.process = p
		return p.setUp()
	}
	if started.process.release != p.release {
		return fmt.Errorf("simulate Kubernetes %s: this process simulates %s already", p.release, started.process.release)
	}
	return fmt.Errorf("simulate other flags of kube-apiserver: this process simulates some already")
}

func (p process) setUp() error {
	capabilities.Setup(p.allowPrivileged, 0)
	// Upstream tries for ten seconds whether what stands in the way of an eviction
	// goes by itself. Nothing does here.
	podstore.EvictionsRetry.Steps = 1
	if p.release == newest() {
		return nil
	}
	effective, gates := compatibility.DefaultComponentGlobalsRegistry.ComponentGlobalsOrRegister(
		basecompatibility.DefaultKubeComponent, nil, nil)
	effective.SetEmulationVersion(p.release.emulation())
	return gates.SetEmulationVersion(p.release.emulation())
}
