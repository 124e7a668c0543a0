package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	apiversion "k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	cliflag "k8s.io/component-base/cli/flag"
	basecompatibility "k8s.io/component-base/compatibility"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/capabilities"
	podstore "k8s.io/kubernetes/pkg/registry/core/pod/storage"
	"k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds"

	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// process is the state of upstream's global variables: the first server decides it.
type process struct {
	release         mergeschema.Release
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
	// Upstream retries an eviction for ten seconds. Nothing changes here meanwhile.
	podstore.EvictionsRetry.Steps = 1
	if err := p.setTolerations(); err != nil {
		return err
	}
	if p.release != newest() {
		effective, gates := compatibility.DefaultComponentGlobalsRegistry.ComponentGlobalsOrRegister(
			basecompatibility.DefaultKubeComponent, nil, nil)
		effective.SetEmulationVersion(emulation(p.release))
		if err := gates.SetEmulationVersion(emulation(p.release)); err != nil {
			return err
		}
	}
	if p.gates == "" {
		return nil
	}
	if err := utilfeature.DefaultMutableFeatureGate.Set(p.gates); err != nil {
		return fmt.Errorf("flag feature-gates of kube-apiserver: %w", err)
	}
	return errors.Join(utilfeature.DefaultMutableFeatureGate.Validate()...)
}

// setTolerations sets the flags of an admission plug-in that has no other configuration.
func (p process) setTolerations() error {
	var all cliflag.NamedFlagSets
	set := all.FlagSet("admission")
	defaulttolerationseconds.RegisterFlags(set)
	return errors.Join(
		set.Set("default-not-ready-toleration-seconds", strconv.FormatInt(p.notReadySeconds, 10)),
		set.Set("default-unreachable-toleration-seconds", strconv.FormatInt(p.unreachableSeconds, 10)))
}

// silence keeps the server's log and its error handlers from writing to the
// user's terminal. What matters of them is in the answers.
var silence = sync.OnceFunc(func() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	klog.SetLogger(klog.New(nil))
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{func(context.Context, error, string, ...any) {}}
})

// newest is the release whose code is linked; older ones are emulated by its feature gates.
var newest = mergeschema.Newest

func emulation(r mergeschema.Release) *apiversion.Version {
	return apiversion.MajorMinor(1, uint(r.Minor))
}

// Versions lists the minor versions that can be simulated, newest first.
func Versions() []string {
	names := mergeschema.Minors()
	slices.Reverse(names)
	return names
}

// Releases lists the releases that can be simulated, newest first, as "v1.36.3": the
// first is linked, the others are emulated with what they publish of their kinds.
func Releases() []string {
	var names []string
	for _, r := range mergeschema.Releases() {
		names = append(names, r.String())
	}
	slices.Reverse(names)
	return names
}

// VersionOf is the version that a server with these options simulates, as "v1.36.3".
func VersionOf(opts Options) (string, error) {
	r, _, err := opts.version()
	return r.String(), err
}

// version is the release that a server with these options simulates, and what the
// cluster runs as far as they say it.
func (o Options) version() (mergeschema.Release, []clusterVersion, error) {
	r, err := releaseOf(o.KubernetesVersion)
	if err != nil {
		return mergeschema.Release{}, nil, err
	}
	if o.ClusterVersion == "" {
		if v, ok := parseVersion(o.KubernetesVersion); ok && v.exact {
			return r, []clusterVersion{v}, nil
		}
		return r, nil, nil
	}
	runs, ok := parseVersion(o.ClusterVersion)
	if !ok {
		return mergeschema.Release{}, nil, fmt.Errorf(
			"%q is no version of a cluster, such as %s: %s can be simulated",
			o.ClusterVersion,
			newest(),
			strings.Join(Versions(), ", "),
		)
	}
	if own, ok := runs.release(); ok && o.KubernetesVersion == "" {
		r = own
	}
	return r, []clusterVersion{runs}, nil
}

// releaseOf finds the release of a version as people write it: "1.34",
// "v1.34", "1.34.2"; empty means the newest.
func releaseOf(version string) (mergeschema.Release, error) {
	if version == "" {
		return newest(), nil
	}
	if parsed, ok := parseVersion(version); ok {
		if r, ok := parsed.release(); ok {
			return r, nil
		}
	}
	return mergeschema.Release{}, fmt.Errorf(
		"unknown Kubernetes version %q: known are %s",
		version,
		strings.Join(Versions(), ", "),
	)
}

type clusterVersion struct {
	mergeschema.Release
	// text is how it was given, without its "v".
	text string
	// exact is false for a minor version.
	exact bool
}

var versionText = regexp.MustCompile(`^v?(1\.(\d{1,3})(?:\.(\d{1,3})(?:[-+][-+.0-9A-Za-z]+)?)?)$`)

// parseVersion reads a version as people, kubectl and distributions write it.
func parseVersion(text string) (clusterVersion, bool) {
	parts := versionText.FindStringSubmatch(text)
	if parts == nil {
		return clusterVersion{}, false
	}
	v := clusterVersion{text: parts[1], exact: parts[3] != ""}
	// The expression bounds the digits.
	v.Minor, _ = strconv.Atoi(parts[2])
	v.Patch, _ = strconv.Atoi(parts[3])
	return v, true
}

// release is the one that simulates the version.
func (v clusterVersion) release() (mergeschema.Release, bool) {
	releases := mergeschema.Releases()
	i := slices.IndexFunc(releases, func(r mergeschema.Release) bool { return r.Minor == v.Minor })
	if i < 0 {
		return mergeschema.Release{}, false
	}
	return releases[i], true
}
