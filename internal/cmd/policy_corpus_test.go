package cmd

import (
	"strings"
	"testing"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
)

// owned is a recorded live object with its owners.
type owned struct {
	policy.Object
	owners managedfields.Owners
}

// TestPolicyOfRecordedObjects: the policy that is derived of live objects forbids
// none of them, and allows nobody who owns nothing that it decides on.
func TestPolicyOfRecordedObjects(t *testing.T) {
	seen := map[string]bool{}
	var objects []owned
	var observation policy.Observation
	hasLive := func(s parity.Step) bool { return len(s.LiveBefore) > 4 && !seen[string(s.LiveBefore)] }
	for _, pack := range []string{"public-handwritten.jsonl.gz", "public-generated.jsonl.gz"} {
		eachRecorded(t, pack, hasLive, func(_ string, server *server.Server, step parity.Step, r api.Request) {
			seen[string(step.LiveBefore)] = true
			o := ownedOf(t, server, r)
			objects = append(objects, o)
			observation.Add(o.Object, o.owners)
		})
	}
	sections, err := observation.Derive()
	if err != nil {
		t.Fatal(err)
	}
	text, err := policy.Encode(sections)
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Parse("own.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, o := range objects {
		for _, v := range p.Owned(o.Object, o.owners) {
			t.Errorf("%s: %v owns %v, and %v allows %v", o.Kind, v.Role, v.Paths, v.Rule.Source, v.Rule.Owners)
		}
	}
	checkNeeded(t, p, objects)
	t.Logf("%d objects, %d rules", len(objects), len(p.Rules))
	if !testing.Short() && (len(objects) < 500 || len(p.Rules) < 50) {
		t.Errorf("only %d objects and %d rules", len(objects), len(p.Rules))
	}
}

// checkNeeded removes each owner of each rule: an object is against the policy then.
func checkNeeded(t *testing.T, p policy.Policy, objects []owned) {
	t.Helper()
	concerned := map[string][]owned{}
	for i, rule := range p.Rules {
		kinds := strings.Join(rule.Kinds, " ")
		if _, known := concerned[kinds]; !known {
			nobody := policy.Policy{Rules: []policy.Rule{{Kinds: rule.Kinds}}}
			for _, o := range objects {
				if nobody.Owned(o.Object, o.owners) != nil {
					concerned[kinds] = append(concerned[kinds], o)
				}
			}
		}
		for j := range rule.Owners {
			if !needs(p, i, j, concerned[kinds]) {
				t.Errorf("%v: owner %s is not needed", rule.Source, rule.Owners[j])
			}
		}
	}
}

// needs reports whether an object is against the policy without one of its owners.
func needs(p policy.Policy, rule, owner int, objects []owned) bool {
	less := policy.Policy{Rules: append([]policy.Rule(nil), p.Rules...)}
	owners := less.Rules[rule].Owners
	less.Rules[rule].Owners = append(append([]policy.Owner(nil), owners[:owner]...), owners[owner+1:]...)
	for _, o := range objects {
		if less.Owned(o.Object, o.owners) != nil {
			return true
		}
	}
	return false
}

func ownedOf(t *testing.T, server *server.Server, r api.Request) owned {
	t.Helper()
	var object map[string]any
	if err := kjson.Unmarshal(r.Live, &object); err != nil {
		t.Fatal(err)
	}
	o := owned{
		Object: policy.Object{Kind: r.Kind.GroupKind(), Namespace: r.Namespace, Live: object},
		owners: managedfields.Of(object),
	}
	if types := server.Types(r.Kind); !types.Deduced {
		o.Shape = managedfields.ShapeOf(types.ParseableType)
	}
	return o
}
