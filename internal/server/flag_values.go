package server

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/sets"
	kubeoptions "k8s.io/kubernetes/pkg/kubeapiserver/options"
	netutils "k8s.io/utils/net"

	"github.com/ssactl/ssactl/internal/server/faithful"
)

type flags struct {
	process
	distribution Preset
	// configured says that the server reads files of its own for admission.
	configured bool
	// plugins are the admission plug-ins that run.
	plugins sets.Set[string]
	// runtimeConfig turns APIs on and off.
	runtimeConfig map[string]string
	// serviceRanges are the networks that cluster IPs come from, the first of
	// the primary IP family; none where they are not known.
	serviceRanges []*net.IPNet
	nodePorts     utilnet.PortRange
	// values are those of all flags as they were set, by name.
	values map[string]string
}

func (f flags) rangesKnown() bool { return len(f.serviceRanges) > 0 }

// knownFlags are sorted by name, with the defaults of kube-apiserver except two that every
// distribution sets: allow-privileged and service-cluster-ip-range.
var knownFlags = []knownFlag{
	{
		Flag: Flag{
			"admission-control-config-file",
			"",
			"configuration of admission, with policies and webhooks in files of the server: it is not read, and confidence says so",
		},
		set: func(f *flags, value string) error {
			f.configured = value != ""
			return nil
		},
	}, {
		Flag: Flag{"allow-privileged", "true", "whether containers may be privileged"},
		set: func(f *flags, value string) (err error) {
			f.allowPrivileged, err = strconv.ParseBool(value)
			return err
		},
	}, {
		Flag: Flag{
			"default-not-ready-toleration-seconds",
			"300",
			"how long Pods tolerate a Node that is not ready, by default",
		},
		set: func(f *flags, value string) (err error) {
			f.notReadySeconds, err = strconv.ParseInt(value, 10, 64)
			return err
		},
	}, {
		Flag: Flag{"default-unreachable-toleration-seconds", "300", "how long Pods tolerate an unreachable Node, by default"},
		set: func(f *flags, value string) (err error) {
			f.unreachableSeconds, err = strconv.ParseInt(value, 10, 64)
			return err
		},
	}, {
		Flag: Flag{"disable-admission-plugins", "", "admission plug-ins that do not run, by name"},
		list: true,
		set:  func(*flags, string) error { return nil },
	}, {
		Flag: Flag{"enable-admission-plugins", "", "admission plug-ins that run beside those on by default, by name"},
		list: true,
		set:  (*flags).setPlugins,
	}, {
		Flag: Flag{"feature-gates", "", "feature gates, as NAME=true or NAME=false"},
		list: true,
		set: func(f *flags, value string) (err error) {
			f.gates, err = sortedPairs(value)
			return err
		},
	}, {
		Flag: Flag{"runtime-config", "", "APIs that are served or not, as networking.k8s.io/v1beta1=true or api/beta=true"},
		list: true,
		set: func(f *flags, value string) (err error) {
			f.runtimeConfig, err = pairs(value)
			return err
		},
	}, {
		Flag: Flag{
			"service-cluster-ip-range",
			"",
			"networks of cluster IPs, one of each IP family; without it any address may be asked for, and IPv4 is the only family",
		},
		set: (*flags).setServiceRanges,
	}, {
		Flag: Flag{
			"service-node-port-range",
			kubeoptions.DefaultServiceNodePortRange.String(),
			"ports that node ports may be",
		},
		set: (*flags).setNodePorts,
	},
}

// setPlugins is given what is enabled; what is disabled was read before it.
func (f *flags) setPlugins(enable string) error {
	known := sets.New(kubeoptions.AllOrderedPlugins...)
	enabled, disabled := names(enable), names(f.values["disable-admission-plugins"])
	if unknown := enabled.Union(disabled).Difference(known); len(unknown) > 0 {
		return fmt.Errorf("unknown admission plug-ins %s: known are %s",
			strings.Join(sets.List(unknown), ", "), strings.Join(sets.List(known), ", "))
	}
	if both := enabled.Intersection(disabled); len(both) > 0 {
		return fmt.Errorf("%s both enabled and disabled", strings.Join(sets.List(both), ", "))
	}
	f.plugins = known.Difference(kubeoptions.DefaultOffAdmissionPlugins()).Union(enabled).Difference(disabled)
	return nil
}

func (f *flags) setServiceRanges(value string) error {
	ranges := sets.List(names(value))
	if len(ranges) > 2 {
		return fmt.Errorf("more than two networks")
	}
	for _, text := range strings.Split(value, ",") {
		if text == "" {
			continue
		}
		_, network, err := netutils.ParseCIDRSloppy(text)
		if err != nil {
			return err
		}
		f.serviceRanges = append(f.serviceRanges, network)
	}
	if len(f.serviceRanges) == 2 && netutils.IsIPv6CIDR(f.serviceRanges[0]) == netutils.IsIPv6CIDR(f.serviceRanges[1]) {
		return fmt.Errorf("two networks of one IP family")
	}
	return nil
}

func (f *flags) setNodePorts(value string) error {
	if err := f.nodePorts.Set(value); err != nil {
		return err
	}
	if f.nodePorts.Size == 0 {
		f.nodePorts = kubeoptions.DefaultServiceNodePortRange
	}
	if _, ok := faithful.PortsOutside(f.nodePorts); !ok {
		return fmt.Errorf(
			"no %d ports are left outside of the range: ssactl needs them as placeholders of those that a server allocates",
			faithful.PlaceholderPortCount,
		)
	}
	return nil
}

// names are those in a list with commas.
func names(value string) sets.Set[string] {
	found := sets.Set[string]{}
	for _, name := range strings.Split(value, ",") {
		if name = strings.TrimSpace(name); name != "" {
			found.Insert(name)
		}
	}
	return found
}

// pairs reads a=b,c=d; a name without a value is true, as in kube-apiserver.
func pairs(value string) (map[string]string, error) {
	found := map[string]string{}
	for _, item := range strings.Split(value, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		name, setting, has := strings.Cut(item, "=")
		if !has {
			setting = "true"
		}
		if _, err := strconv.ParseBool(setting); err != nil {
			return nil, fmt.Errorf("%q is neither true nor false", item)
		}
		found[name] = setting
	}
	return found, nil
}

// sortedPairs writes pairs so that equal ones are equal texts.
func sortedPairs(value string) (string, error) {
	found, err := pairs(value)
	if err != nil {
		return "", err
	}
	var items []string
	for name, setting := range found {
		items = append(items, name+"="+setting)
	}
	slices.Sort(items)
	return strings.Join(items, ","), nil
}
