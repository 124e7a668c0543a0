package finding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// PortsByProtocol is a rule of audit and lint.
var PortsByProtocol = Rule{
	Name: "ports-differ-by-protocol", Severity: report.SeverityNote,
	Title: "Ports differ by their protocol only.",
	Why:   "Server-side apply tells them apart by port and protocol, but client-side apply and strategic merge patches by the port alone: they merge the two into one, or lose one.",
	Fix:   "apply the manifest server-side only",
}

// Ports are items of a list that share all keys but the protocol.
type Ports struct {
	// Name is what they share, as containerPort=53.
	Name string
	// Items are their places, the first of each protocol, and Protocols are those.
	Items     []int
	Protocols []string
}

// PortsOf are the ports of a list that differ by their protocol, which the schema may have
// a default for. Lists that are keyed otherwise have none.
func PortsOf(list []any, shape managedfields.Shape) []Ports {
	if keys := shape.Keys(); len(keys) < 2 || !slices.Contains(keys, "protocol") {
		return nil
	}
	var all []Ports
	places := map[string]int{}
	for i, item := range list {
		name, protocol := portOf(item, shape)
		if protocol == "" {
			continue
		}
		at, known := places[name]
		if !known {
			at, all = len(all), append(all, Ports{Name: name})
			places[name] = at
		}
		if p := &all[at]; !slices.Contains(p.Protocols, protocol) {
			p.Items, p.Protocols = append(p.Items, i), append(p.Protocols, protocol)
		}
	}
	return slices.DeleteFunc(all, func(p Ports) bool { return len(p.Items) < 2 })
}

// portOf is what a port is known by; an empty protocol is that of no port.
func portOf(item any, shape managedfields.Shape) (name, protocol string) {
	element, ok := shape.Element(item)
	if !ok || element.Key == nil {
		return "", ""
	}
	var rest []string
	for _, f := range *element.Key {
		if v := f.Value.Unstructured(); f.Name == "protocol" {
			protocol, _ = v.(string)
		} else {
			rest = append(rest, fmt.Sprint(f.Name, "=", v))
		}
	}
	return strings.Join(rest, ","), protocol
}
