package faithful

import (
	"net"
	"net/netip"
	"sync/atomic"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/kubernetes/pkg/api/servicecidr"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/portallocator"
	netutils "k8s.io/utils/net"
)

// placeholderNetworks are where the addresses come from: 240.0.0.0/4 is reserved,
// and 100::/64 discards what is sent to it (RFC 6666).
var placeholderNetworks = map[api.IPFamily]net.IPNet{
	api.IPv4Protocol: {IP: net.IPv4(240, 0, 0, 0), Mask: net.CIDRMask(4, 32)},
	api.IPv6Protocol: {IP: net.ParseIP("100::"), Mask: net.CIDRMask(64, 128)},
}

// placeholderAddresses allocates cluster IPs of one family that synthetic.go removes from
// the answer. It accepts any requested address where the cluster's range is not known.
type placeholderAddresses struct {
	family api.IPFamily
	// within is the range; nil where it is not known.
	within *net.IPNet
	next   *atomic.Uint32
}

var _ ipallocator.Interface = placeholderAddresses{}

// NewPlaceholderAddresses makes one for each range, and reports the primary family.
func NewPlaceholderAddresses(ranges []*net.IPNet) (api.IPFamily, map[api.IPFamily]ipallocator.Interface) {
	if len(ranges) == 0 {
		ranges = []*net.IPNet{nil}
	}
	primary := familyOf(ranges[0])
	allocators := map[api.IPFamily]ipallocator.Interface{}
	for _, r := range ranges {
		allocators[familyOf(r)] = placeholderAddresses{family: familyOf(r), within: r, next: new(atomic.Uint32)}
	}
	return primary, allocators
}

func familyOf(r *net.IPNet) api.IPFamily {
	if r != nil && netutils.IsIPv6CIDR(r) {
		return api.IPv6Protocol
	}
	return api.IPv4Protocol
}

// Allocate refuses what lies outside of the range, as ipallocator.MetaAllocator does: the
// address of the network itself is outside, and so is that of IPv4 broadcasts.
func (a placeholderAddresses) Allocate(ip net.IP) error {
	if a.within == nil {
		return nil
	}
	prefix, err := netip.ParsePrefix(a.within.String())
	if err != nil {
		return err
	}
	if !servicecidr.PrefixContainsIP(prefix, servicecidr.IPToAddr(ip)) {
		return ipallocator.ErrMismatchedNetwork
	}
	return nil
}

func (a placeholderAddresses) AllocateNext() (net.IP, error) {
	n := a.next.Add(1)
	ip := append(net.IP{}, placeholderNetworks[a.family].IP...)
	last := len(ip) - 1
	ip[last-2], ip[last-1], ip[last] = byte(n>>16), byte(n>>8), byte(n)
	return ip, nil
}

func (placeholderAddresses) Release(net.IP) error            { return nil }
func (placeholderAddresses) ForEach(func(net.IP))            {}
func (a placeholderAddresses) CIDR() net.IPNet               { return placeholderNetworks[a.family] }
func (a placeholderAddresses) IPFamily() api.IPFamily        { return a.family }
func (placeholderAddresses) Has(net.IP) bool                 { return true }
func (placeholderAddresses) Destroy()                        {}
func (placeholderAddresses) EnableMetrics()                  {}
func (a placeholderAddresses) DryRun() ipallocator.Interface { return a }

// IsPlaceholderAddress reports whether an address is one of the placeholders.
func IsPlaceholderAddress(address string) bool {
	ip := net.ParseIP(address)
	for _, network := range placeholderNetworks {
		if ip != nil && network.Contains(ip) {
			return true
		}
	}
	return false
}

// PlaceholderPortCount is the number of node ports to give. They lie outside of the range
// from which a server allocates, so no real one is taken for a placeholder.
const PlaceholderPortCount = 1000

// PortsOutside are the ports to give, the highest that there are outside of
// the range; false where too few are left.
func PortsOutside(allocated utilnet.PortRange) (utilnet.PortRange, bool) {
	const last = 1<<16 - 1
	placeholders := utilnet.PortRange{Base: last + 1 - PlaceholderPortCount, Size: PlaceholderPortCount}
	if end := allocated.Base + allocated.Size; end > placeholders.Base {
		placeholders.Base = allocated.Base - PlaceholderPortCount
	}
	return placeholders, placeholders.Base > 0
}

// placeholderPorts allocates node ports. Like a server it refuses ports outside of the
// range, but it knows no other Service that might use one.
type placeholderPorts struct {
	allocated, Placeholders utilnet.PortRange
	next                    *atomic.Uint32
}

var _ portallocator.Interface = placeholderPorts{}

// NewPlaceholderPorts allocates ports outside of those that a server allocates.
func NewPlaceholderPorts(allocated utilnet.PortRange) placeholderPorts {
	placeholders, _ := PortsOutside(allocated)
	return placeholderPorts{allocated: allocated, Placeholders: placeholders, next: new(atomic.Uint32)}
}

func (p placeholderPorts) Allocate(port int) error {
	if !p.allocated.Contains(port) {
		return &portallocator.ErrNotInRange{ValidPorts: p.allocated.String()}
	}
	return nil
}

func (p placeholderPorts) AllocateNext() (int, error) {
	return p.Placeholders.Base + int(p.next.Add(1))%p.Placeholders.Size, nil
}

func (placeholderPorts) Release(int) error { return nil }
func (placeholderPorts) ForEach(func(int)) {}
func (placeholderPorts) Has(int) bool      { return false }
func (placeholderPorts) Destroy()          {}
func (placeholderPorts) EnableMetrics()    {}
