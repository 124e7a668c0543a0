package rules

import (
	"time"

	"github.com/ssactl/ssactl/internal/finding"
)

// Clock says when it is, and how long a manager may be silent.
type Clock struct {
	Now time.Time
	// StaleAfter is the silence after which a manager is taken to write no
	// longer; 0 or less means never.
	StaleAfter time.Duration
}

// Survey is what one object tells of the whole run.
type Survey struct {
	// newest is when each manager wrote last, as far as is known.
	newest map[string]time.Time
	// silent are the entries that are old where others have written since.
	silent []silence
	// untracked is the finding on an object without managedFields; nil for one
	// that has them.
	untracked *finding.Finding
	// stored reports whether the object came out of a storage; metrics
	// and the like never have managedFields.
	stored bool
	// file is where the object is, resource its plural name with the group.
	file, resource, namespace string
	// scaler is the kind and name of this autoscaler, and scales its workload; empty for
	// anything else.
	scaler string
	scales workload
	// replicas are findings that count if an autoscaler scales this workload.
	workload workload
	replicas []finding.Finding
}

// silence is an entry whose manager may no longer write; the finding counts if
// no other object shows that it does.
type silence struct {
	manager string
	finding finding.Finding
}

// survey gathers what only all objects together can tell.
func (s *examined) survey() Survey {
	v := Survey{newest: map[string]time.Time{}, file: s.Source.File, resource: s.resource(), namespace: s.Target.Namespace}
	for _, e := range s.entries {
		if e.Time != nil && e.Time.After(v.newest[e.Manager]) {
			v.newest[e.Manager] = *e.Time
		}
	}
	v.untracked, v.stored = s.untracked(), s.stored()
	if target, ok := s.scales(); ok {
		v.scaler, v.scales = s.Target.Kind+" "+s.Target.Name, target
	}
	v.workload, v.replicas = s.scalable(), s.replicas()
	for _, e := range s.entries {
		if s.outlived(e) && !s.told[e.Role] {
			v.silent = append(v.silent, silence{manager: e.Manager, finding: s.silentFinding(e)})
		}
	}
	return v
}

func (s *examined) resource() string {
	if s.Resource == "" {
		return ""
	}
	if group := s.kind().Group; group != "" {
		return s.Resource + "." + group
	}
	return s.Resource
}

// together are the findings that need the surveys of all objects: one that is
// missing could prove them wrong.
func together(surveys []Survey, clock Clock) []finding.Finding {
	newest := map[string]time.Time{}
	for _, v := range surveys {
		for manager, t := range v.newest {
			if t.After(newest[manager]) {
				newest[manager] = t
			}
		}
	}
	var out []finding.Finding
	for _, v := range surveys {
		for _, q := range v.silent {
			if clock.Now.Sub(newest[q.manager]) > clock.StaleAfter {
				out = append(out, q.finding)
			}
		}
	}
	return append(out, untracked(surveys)...)
}
