package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// configuration is what the manager applies.
func (m *maker) configuration() object {
	if m.kind.small {
		config := object{"apiVersion": m.kind.apiVersion, "kind": m.kind.name, "metadata": smallMetadata(m)}
		m.kind.fill(m, config)
		return config
	}
	metadata := object{
		"name": m.name(),
		"labels": object{
			"app.kubernetes.io/name":       m.app(),
			"app.kubernetes.io/instance":   m.name(),
			"app.kubernetes.io/managed-by": "Helm",
			"app.kubernetes.io/version":    fmt.Sprintf("1.%d.%d", m.random.IntN(30), m.random.IntN(10)),
			"helm.sh/chart":                fmt.Sprintf("%s-%d.%d.0", m.app(), m.random.IntN(9), m.random.IntN(30)),
			"team":                         pickOf(m.random, teams...),
		},
		"annotations": object{
			revisionMark:                     m.hex(12),
			"meta.helm.sh/release-name":      m.app(),
			"meta.helm.sh/release-namespace": "ns-" + fmt.Sprint(m.number%97),
		},
	}
	if m.namespace() != "" {
		metadata["namespace"] = m.namespace()
	}
	config := object{"apiVersion": m.kind.apiVersion, "kind": m.kind.name, "metadata": metadata}
	m.kind.fill(m, config)
	return config
}

var (
	teams = []string{"payments", "search", "identity", "platform", "data", "growth"}
	apps  = []string{
		"web", "api", "worker", "checkout", "catalog", "gateway", "mailer", "billing", "session-store",
		"indexer",
	}
)

func (m *maker) app() string { return apps[m.number%len(apps)] }
func (m *maker) name() string {
	if m.named != "" {
		return m.named
	}
	return fmt.Sprintf("%s-%06d", m.app(), m.number)
}

func (m *maker) namespace() string {
	if m.kind.cluster {
		return ""
	}
	return fmt.Sprintf("ns-%d", m.number%97)
}

func (m *maker) selector() object { return object{"app.kubernetes.io/instance": m.name()} }

// labeled is the object with nothing but one label: what a manager applies
// that cares for no more.
func (m *maker) labeled(config object, label, value string) object {
	metadata := object{"name": m.name(), "labels": object{label: value}}
	if m.namespace() != "" {
		metadata["namespace"] = m.namespace()
	}
	return object{"apiVersion": config["apiVersion"], "kind": config["kind"], "metadata": metadata}
}

func annotations(config object) object { return config["metadata"].(object)["annotations"].(object) }

// withLastApplied adds the annotation that kubectl apply keeps on the client's
// side.
func withLastApplied(config object) object {
	annotated := clone(config)
	text, err := json.Marshal(config)
	if err != nil {
		panic(err)
	}
	annotations(annotated)["kubectl.kubernetes.io/last-applied-configuration"] = string(text) + "\n"
	return annotated
}

func clone(o object) object {
	text, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	var out object
	if err := json.Unmarshal(text, &out); err != nil {
		panic(err)
	}
	return out
}

func pickOf(random *rand.Rand, texts ...string) string { return texts[random.IntN(len(texts))] }

func (m *maker) hex(n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte("0123456789abcdef"[m.random.IntN(16)])
	}
	return b.String()
}
