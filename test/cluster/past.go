package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// maker makes one object.
type maker struct {
	ctx     context.Context
	server  *server.Server
	random  *rand.Rand
	number  int
	manager string
	kind    kind
	// named is the object's name; empty for one that is made of the number.
	named string
	live  object
	now   time.Time
	// alone is true where the manager is the only one that wrote the
	// configuration.
	alone bool
}

func (m *maker) percent(share int) bool { return m.random.IntN(100) < share }

// epoch is when the first object of the made-up cluster came to be.
var epoch = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// past is what happened to the object until now. The configuration has been
// applied by the manager, in one of the ways in which it gets to that:
//
//	it has always applied it
//	kubectl apply on the client's side made the object, and the manager took over
//	a Helm that updates made the object, and the manager took over
//	it has always applied it, with another manager beside it
func (m *maker) past(config object) error {
	m.now = epoch.Add(time.Duration(m.random.IntN(500*24*3600)) * time.Second)
	how := m.random.IntN(100)
	if m.kind.small {
		how = 0
	}
	m.alone = how < 45 || how >= 85
	var err error
	switch {
	case how < 45:
		err = m.apply(m.manager, config)
	case how < 70:
		err = m.takeOver("kubectl-client-side-apply", withLastApplied(m.before(config)), config)
	case how < 85:
		err = m.takeOver("helm", m.before(config), config)
	default:
		if err = m.apply(m.manager, config); err == nil {
			err = m.apply(
				"platform-labels",
				m.labeled(config, "platform.example.com/cost-center", pickOf(m.random, "1001", "2002", "3003")),
			)
		}
	}
	if err != nil || m.kind.status == nil {
		return err
	}
	m.later(30 * time.Second)
	return m.kind.status(m)
}

// takeOver creates with one manager, and applies with the manager.
func (m *maker) takeOver(first string, initial, config object) error {
	if err := m.write(api.Request{Verb: api.Create, Manager: first}, initial); err != nil {
		return err
	}
	m.later(30 * 24 * time.Hour)
	return m.apply(m.manager, config)
}

// before is the configuration as it was before the manager added its own mark.
func (m *maker) before(config object) object {
	old := clone(config)
	delete(annotations(old), revisionMark)
	return old
}

// revisionMark is an annotation that nobody but the manager writes.
const revisionMark = "deploy.example.com/revision"

// change makes the manifest one that changes the object without a conflict.
func (m *maker) change(config object) {
	if !m.kind.small {
		annotations(config)[revisionMark] = m.hex(12)
	}
	if m.alone && m.kind.change != nil {
		m.kind.change(m, config)
	}
}

// contest lets somebody else set a field that the manifest asks for: with
// kubectl edit, or through an autoscaler.
func (m *maker) contest() error {
	m.later(24 * time.Hour)
	if m.kind.scales && m.percent(60) {
		return m.write(scalePatch, scaled(m))
	}
	team := object{"metadata": object{"labels": object{"team": "edited-" + m.hex(4)}}}
	return m.write(api.Request{Verb: api.MergePatch, Manager: "kubectl-edit"}, team)
}

// scalePatch is how an autoscaler scales.
var scalePatch = api.Request{Verb: api.MergePatch, Subresource: "scale", Manager: "kube-controller-manager"}

func scaled(m *maker) object {
	return object{"spec": object{"replicas": 7 + m.random.IntN(20)}}
}

func (m *maker) apply(manager string, config object) error {
	return m.write(api.Request{Verb: api.Apply, Manager: manager, Force: true}, config)
}

// updateStatus writes the status as a controller does.
func (m *maker) updateStatus(controller string, status object) error {
	return m.write(api.Request{Verb: api.MergePatch, Subresource: "status", Manager: controller}, object{"status": status})
}

// write sends one write to the server, and keeps what it stores.
func (m *maker) write(call api.Request, body object) error {
	var err error
	if call.Body, err = json.Marshal(body); err != nil {
		return err
	}
	if m.live != nil {
		if call.Live, err = json.Marshal(m.live); err != nil {
			return err
		}
	}
	call.Kind = schema.FromAPIVersionAndKind(m.kind.apiVersion, m.kind.name)
	call.Namespace, call.Name, call.Now = m.namespace(), m.name(), m.now
	created := m.live == nil
	answer, err := m.server.Do(m.ctx, call)
	if err != nil {
		return err
	}
	if answer.Code >= 300 {
		return fmt.Errorf("%s as %s: %s", call.Verb, call.Manager, answer.Body)
	}
	m.live = object{}
	decoder := json.NewDecoder(bytes.NewReader(answer.Stored))
	decoder.UseNumber()
	if err := decoder.Decode(&m.live); err != nil {
		return err
	}
	if created {
		m.bear()
	}
	m.live["metadata"].(object)["resourceVersion"] = fmt.Sprint(100000 + m.random.IntN(90000000))
	return nil
}

// bear gives a new object what only a real server gives.
func (m *maker) bear() {
	metadata := m.live["metadata"].(object)
	metadata["uid"] = fmt.Sprintf("%s-%s-4%s-8%s-%s", m.hex(8), m.hex(4), m.hex(3), m.hex(3), m.hex(12))
	metadata["creationTimestamp"] = m.now.Format(time.RFC3339)
	switch spec, _ := m.live["spec"].(object); m.kind.name {
	case "Service":
		address := fmt.Sprintf("10.%d.%d.%d", 96+m.number>>16, m.number>>8&255, m.number&255)
		spec["clusterIP"], spec["clusterIPs"] = address, []any{address}
	case "Job":
		const label = "controller-uid"
		labels := spec["template"].(object)["metadata"].(object)["labels"].(object)
		labels[label], labels["batch.kubernetes.io/"+label] = metadata["uid"], metadata["uid"]
		spec["selector"] = object{"matchLabels": object{"batch.kubernetes.io/" + label: metadata["uid"]}}
	}
}

func (m *maker) later(d time.Duration) {
	m.now = m.now.Add(d + time.Duration(m.random.IntN(3600))*time.Second)
}
