package reads

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// anew is what a server makes anew, wherever it stands.
var anew = regexp.MustCompile(
	`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z` +
		`|10\.96\.\d+\.\d+|hash=[0-9A-F]+|[Tt]oo large resource version: \d+, current: \d+|resourceVersion: "\d+"` +
		`|apiserver-[0-9a-z]{26}|"kubernetes.io/peer-advertise-address":"[^"]*"|"targetPort":\d{5}`,
)

// made are fields that a server makes anew.
var madeFields = []string{
	"resourceVersion", "uid", "continue", "serverAddress", "remainingItemCount", "nodePort", "holderIdentity",
	"buildDate", "gitCommit", "gitTreeState", "gitVersion", "goVersion", "platform", "compiler",
}

// normal is a body without what a server makes anew: one document a line, those of lists sorted.
// Events counts documents of watches.
func normal(body []byte) (text string, events int) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var documents []string
	for {
		var document any
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return anew.ReplaceAllString(string(body), "…"), 0
		}
		if event, ok := document.(map[string]any); ok && event["type"] != nil && event["object"] != nil {
			events++
		}
		documents = append(documents, line(document))
	}
	// Initial events come in any order.
	if text = strings.Join(documents, "\n"); strings.Contains(text, "initial-events-end") {
		slices.Sort(documents)
		text = strings.Join(documents, "\n")
	}
	return text, events
}

func line(document any) string {
	strip(document)
	if object, ok := document.(map[string]any); ok {
		for _, key := range []string{"items", "rows"} {
			if list, ok := object[key].([]any); ok {
				var lines []string
				for _, item := range list {
					lines = append(lines, "  "+compact(item))
				}
				slices.Sort(lines)
				object[key] = len(list)
				return compact(object) + "\n" + strings.Join(lines, "\n")
			}
		}
	}
	return compact(document)
}

func compact(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return anew.ReplaceAllString(program.Replace(string(text)), "…")
}

// strip removes what a server makes anew.
func strip(value any) {
	switch value := value.(type) {
	case map[string]any:
		for _, field := range madeFields {
			if _, is := value[field].(map[string]any); !is {
				delete(value, field)
			}
		}
		if preloaded(value) {
			delete(value, "managedFields")
		}
		if cells, ok := value["cells"].([]any); ok {
			for i, cell := range cells {
				if text, ok := cell.(string); ok && age.MatchString(text) {
					cells[i] = "age"
				}
			}
		}
		for _, item := range value {
			strip(item)
		}
	case []any:
		for _, item := range value {
			strip(item)
		}
	}
}

// program is this one, which the real server has as its field manager, and the name that it has in
// clusters.
var program = strings.NewReplacer(fmt.Sprintf("%q", filepath.Base(os.Args[0])), `"kube-apiserver"`)

// preloaded reports whether metadata is that of an object that every cluster has from its start:
// ssactl serve has it before there are field managers.
func preloaded(metadata map[string]any) bool {
	labels, _ := metadata["labels"].(map[string]any)
	name, _ := metadata["name"].(string)
	return labels["kubernetes.io/bootstrapping"] != nil || name == "system-node-critical" ||
		name == "system-cluster-critical"
}

// age is how old an object is, in a table.
var age = regexp.MustCompile(`^(\d+[smhd])+$|^<unknown>$`)
