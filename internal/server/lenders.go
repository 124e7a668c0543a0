package server

import (
	"fmt"
	"net"
	"sync/atomic"

	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/portallocator"
)

// The range that kube-apiserver allocates node ports from by default
// (--service-node-port-range).
const (
	firstNodePort = 30000
	lastNodePort  = 32767
)

// Lent node ports lie outside of the range from which a server allocates, and
// above it, so that no real one is ever taken for a lent one.
const (
	firstLentPort = 50000
	lentPorts     = 10000
)

// lentNetwork (240.0.0.0/4, reserved) is where lent addresses come from.
var lentNetwork = net.IPNet{IP: net.IPv4(240, 0, 0, 0), Mask: net.CIDRMask(4, 32)}

// addressLender stands in for the allocator of cluster IPs. It takes any
// address that is asked for, since what a cluster's ranges are is not known
// here, and lends one that synthetic.go takes out of the answer again.
type addressLender struct {
	next *atomic.Uint32
}

var _ ipallocator.Interface = addressLender{}

func newAddressLender() addressLender { return addressLender{next: new(atomic.Uint32)} }

func (addressLender) Allocate(net.IP) error { return nil }

func (l addressLender) AllocateNext() (net.IP, error) {
	n := l.next.Add(1)
	return net.IPv4(240, byte(n>>16), byte(n>>8), byte(n)).To4(), nil
}

func (addressLender) Release(net.IP) error            { return nil }
func (addressLender) ForEach(func(net.IP))            {}
func (addressLender) CIDR() net.IPNet                 { return lentNetwork }
func (addressLender) IPFamily() api.IPFamily          { return api.IPv4Protocol }
func (addressLender) Has(net.IP) bool                 { return true }
func (addressLender) Destroy()                        {}
func (addressLender) EnableMetrics()                  {}
func (l addressLender) DryRun() ipallocator.Interface { return l }

func isLentAddress(address string) bool {
	ip := net.ParseIP(address)
	return ip != nil && lentNetwork.Contains(ip)
}

// portLender stands in for the allocator of node ports. It refuses what lies
// outside of the default range, as a server does, and knows of no other
// Service that might have a port already.
type portLender struct{}

var _ portallocator.Interface = portLender{}

var lentPort atomic.Uint32

func (portLender) Allocate(port int) error {
	if port < firstNodePort || port > lastNodePort {
		return &portallocator.ErrNotInRange{ValidPorts: fmt.Sprintf("%d-%d", firstNodePort, lastNodePort)}
	}
	return nil
}

func (portLender) AllocateNext() (int, error) {
	return firstLentPort + int(lentPort.Add(1)%lentPorts), nil
}

func (portLender) Release(int) error { return nil }
func (portLender) ForEach(func(int)) {}
func (portLender) Has(int) bool      { return true }
func (portLender) Destroy()          {}
func (portLender) EnableMetrics()    {}

func isLentPort(value any) bool {
	port, ok := value.(int64)
	return ok && port >= firstLentPort && port < firstLentPort+lentPorts
}
