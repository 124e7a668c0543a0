package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"time"
)

// dashboardKind is a ConfigMap with a dashboard, as charts of monitoring have dozens.
var dashboardKind = kind{apiVersion: "v1", name: "ConfigMap", fill: dashboard, change: dashboard}

// panels make a dashboard one of 40 kB.
const panels = 60

func dashboard(m *maker, config object) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"pluginVersion\": \"11.%d.%d\",\n  \"panels\": [", m.random.IntN(9), m.random.IntN(9))
	for i := range panels {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `
    {
      "id": %d,
      "type": "timeseries",
      "title": "Requests of %s per second, by code and handler (%d)",
      "datasource": {"type": "prometheus", "uid": "${datasource}"},
      "fieldConfig": {"defaults": {"unit": "reqps", "custom": {"lineWidth": 1, "fillOpacity": 10}}},
      "gridPos": {"h": 8, "w": 12, "x": %d, "y": %d},
      "targets": [
        {"expr": "sum by (code) (rate(http_requests_total{job=\"%s\"}[$__rate_interval]))", "refId": "A"},
        {"expr": "histogram_quantile(0.99, sum by (le) (rate(seconds_bucket{job=\"%s\"}[5m])))", "refId": "B"}
      ]
    }`, i, m.app(), i, i%2*12, i/2*8, m.name(), m.name())
	}
	b.WriteString("\n  ],\n  \"schemaVersion\": 39\n}\n")
	config["data"] = object{"dashboard.json": b.String()}
}

// releaseBytes are those of a release as Helm stores it: compressed, and encoded twice.
const releaseBytes = 300_000

// releases are Secrets of Helm, which no manifest names.
func releases(o options) []made {
	var all []made
	random := rand.New(rand.NewPCG(o.seed, 7))
	for i := range o.releases {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		for packed.Len() < releaseBytes*9/16 {
			// Half of a chart can be compressed away.
			fmt.Fprintf(w, "key-%016x: value %016x\n", random.Uint64(), random.Uint64())
			_ = w.Flush()
		}
		_ = w.Close()
		release := base64.StdEncoding.EncodeToString(packed.Bytes())
		at := epoch.Add(time.Duration(i) * time.Hour).Format(time.RFC3339)
		name := fmt.Sprintf("%s-%d", apps[i%len(apps)], i)
		all = append(all, made{live: object{
			"apiVersion": "v1", "kind": "Secret", "type": "helm.sh/release.v1",
			"metadata": object{
				"name": "sh.helm.release.v1." + name + ".v3", "namespace": fmt.Sprintf("ns-%d", i%97), "creationTimestamp": at,
				"labels":          object{"name": name, "owner": "helm", "status": "deployed", "version": "3"},
				"resourceVersion": fmt.Sprint(1000 + i), "uid": fmt.Sprintf("%08x-0000-4000-8000-000000000000", i),
				"managedFields": []any{object{
					"manager": "Helm", "operation": "Update", "apiVersion": "v1", "time": at, "fieldsType": "FieldsV1",
					"fieldsV1": object{
						"f:data": object{".": object{}, "f:release": object{}}, "f:type": object{},
						"f:metadata": object{"f:labels": object{
							".": object{}, "f:name": object{}, "f:owner": object{}, "f:status": object{}, "f:version": object{},
						}},
					},
				}},
			},
			"data": object{"release": base64.StdEncoding.EncodeToString([]byte(release))},
		}})
	}
	return all
}
