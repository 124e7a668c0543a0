package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	cliflag "k8s.io/component-base/cli/flag"
	basecompatibility "k8s.io/component-base/compatibility"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/capabilities"
	podstore "k8s.io/kubernetes/pkg/registry/core/pod/storage"
	"k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds"
)

// process is what upstream keeps in variables of the whole process: the first
// server decides it for all.
type process struct {
	release         release
	allowPrivileged bool
	// gates are the feature gates that are set, as "A=true,B=false", sorted.
	gates                               string
	notReadySeconds, unreachableSeconds int64
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
		err := p.setUp()
		if err == nil {
			started.process = p
		}
		return err
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
	if err := p.setTolerations(); err != nil {
		return err
	}
	if p.release != newest() {
		effective, gates := compatibility.DefaultComponentGlobalsRegistry.ComponentGlobalsOrRegister(
			basecompatibility.DefaultKubeComponent, nil, nil)
		effective.SetEmulationVersion(p.release.emulation())
		if err := gates.SetEmulationVersion(p.release.emulation()); err != nil {
			return err
		}
	}
	return p.setGates()
}

func (p process) setGates() error {
	if p.gates == "" {
		return nil
	}
	if err := utilfeature.DefaultMutableFeatureGate.Set(p.gates); err != nil {
		return fmt.Errorf("flag feature-gates of kube-apiserver: %w", err)
	}
	return errors.Join(utilfeature.DefaultMutableFeatureGate.Validate()...)
}

// setTolerations sets the flags of an admission plug-in that has no other
// configuration.
func (p process) setTolerations() error {
	var all cliflag.NamedFlagSets
	set := all.FlagSet("admission")
	defaulttolerationseconds.RegisterFlags(set)
	return errors.Join(
		set.Set("default-not-ready-toleration-seconds", strconv.FormatInt(p.notReadySeconds, 10)),
		set.Set("default-unreachable-toleration-seconds", strconv.FormatInt(p.unreachableSeconds, 10)))
}

var silenceOnce sync.Once

// silence keeps the server's log and its error handlers from writing to the
// user's terminal. What matters of them is in the answers.
func silence() {
	silenceOnce.Do(func() {
		klog.LogToStderr(false)
		klog.SetOutput(io.Discard)
		klog.SetLogger(klog.New(nil))
		utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{
			func(context.Context, error, string, ...any) {},
		}
	})
}
