package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
)

// releasePrefix begins the names of the Secrets in which Helm keeps releases.
const releasePrefix = "sh.helm.release.v1."

// released is what a Secret of Helm says of a revision, without the chart and the values.
func released(secret map[string]any) (json.RawMessage, error) {
	data, _ := secret["data"].(map[string]any)
	text, _ := data["release"].(string)
	inner, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	zipped, err := base64.StdEncoding.DecodeString(string(inner))
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	var release map[string]any
	if err := json.Unmarshal(raw, &release); err != nil {
		return nil, err
	}
	for _, field := range []string{"chart", "config"} {
		delete(release, field)
	}
	if info, _ := release["info"].(map[string]any); info != nil {
		release["info"] = map[string]any{"status": info["status"]}
	}
	return encode(release), nil
}
