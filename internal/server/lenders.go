package server

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

// lentNetworks are where lent addresses come from: 240.0.0.0/4 is reserved, and
// 100::/64 discards what is sent to it (RFC 6666).
var lentNetworks = map[api.IPFamily]net.IPNet{
	api.IPv4Protocol: {IP: net.IPv4(240, 0, 0, 0), Mask: net.CIDRMask(4, 32)},
	api.IPv6Protocol: {IP: net.ParseIP("100::"), Mask: net.CIDRMask(64, 128)},
}

// addressLender stands in for the allocator of cluster IPs of one family. It
// lends addresses that synthetic.go takes out of the answer again, and takes any
// that is asked for where the cluster's range is not known.
type addressLender struct {
	family api.IPFamily
	// within is the range; nil where it is not known.
	within *net.IPNet
	next   *atomic.Uint32
}

var _ ipallocator.Interface = addressLender{}

// newAddressLenders makes one for each range, and tells the primary family.
func newAddressLenders(ranges []*net.IPNet) (api.IPFamily, map[api.IPFamily]ipallocator.Interface) {
	if len(ranges) == 0 {
		ranges = []*net.IPNet{nil}
	}
	primary := familyOf(ranges[0])
	lenders := map[api.IPFamily]ipallocator.Interface{}
	for _, r := range ranges {
		lenders[familyOf(r)] = addressLender{family: familyOf(r), within: r, next: new(atomic.Uint32)}
	}
	return primary, lenders
}

func familyOf(r *net.IPNet) api.IPFamily {
	if r != nil && netutils.IsIPv6CIDR(r) {
		return api.IPv6Protocol
	}
	return api.IPv4Protocol
}

// Allocate refuses what lies outside of the range, as ipallocator.MetaAllocator
// does: the address of the network itself is outside, and so is that of IPv4
// broadcasts.
func (l addressLender) Allocate(ip net.IP) error {
	if l.within == nil {
		return nil
	}
	prefix, err := netip.ParsePrefix(l.within.String())
	if err != nil {
		return err
	}
	if !servicecidr.PrefixContainsIP(prefix, servicecidr.IPToAddr(ip)) {
		return ipallocator.ErrMismatchedNetwork
	}
	return nil
}

func (l addressLender) AllocateNext() (net.IP, error) {
	n := l.next.Add(1)
	ip := append(net.IP{}, lentNetworks[l.family].IP...)
	last := len(ip) - 1
	ip[last-2], ip[last-1], ip[last] = byte(n>>16), byte(n>>8), byte(n)
	return ip, nil
}

func (addressLender) Release(net.IP) error            { return nil }
func (addressLender) ForEach(func(net.IP))            {}
func (l addressLender) CIDR() net.IPNet               { return lentNetworks[l.family] }
func (l addressLender) IPFamily() api.IPFamily        { return l.family }
func (addressLender) Has(net.IP) bool                 { return true }
func (addressLender) Destroy()                        {}
func (addressLender) EnableMetrics()                  {}
func (l addressLender) DryRun() ipallocator.Interface { return l }

func isLentAddress(address string) bool {
	ip := net.ParseIP(address)
	for _, network := range lentNetworks {
		if ip != nil && network.Contains(ip) {
			return true
		}
	}
	return false
}

// lentPorts is how many node ports are lent, in turn. They lie outside of the
// range from which a server allocates, so that no real one is ever taken for a
// lent one.
const lentPorts = 1000

// placeholderPorts are the ports to lend, the highest that there are outside of
// the range; false where too few are left.
func placeholderPorts(allocated utilnet.PortRange) (utilnet.PortRange, bool) {
	const last = 1<<16 - 1
	lent := utilnet.PortRange{Base: last + 1 - lentPorts, Size: lentPorts}
	if end := allocated.Base + allocated.Size; end > lent.Base {
		lent.Base = allocated.Base - lentPorts
	}
	return lent, lent.Base > 0
}

// portLender stands in for the allocator of node ports. It refuses what lies
// outside of the range, as a server does, and knows of no other Service that
// might have a port already.
type portLender struct {
	allocated, lent utilnet.PortRange
	next            *atomic.Uint32
}

var _ portallocator.Interface = portLender{}

func newPortLender(allocated utilnet.PortRange) portLender {
	lent, _ := placeholderPorts(allocated)
	return portLender{allocated: allocated, lent: lent, next: new(atomic.Uint32)}
}

func (l portLender) Allocate(port int) error {
	if !l.allocated.Contains(port) {
		return &portallocator.ErrNotInRange{ValidPorts: l.allocated.String()}
	}
	return nil
}

func (l portLender) AllocateNext() (int, error) {
	return l.lent.Base + int(l.next.Add(1))%l.lent.Size, nil
}

func (portLender) Release(int) error { return nil }
func (portLender) ForEach(func(int)) {}
func (portLender) Has(int) bool      { return true }
func (portLender) Destroy()          {}
func (portLender) EnableMetrics()    {}
