package helm

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// mostNamed is how many objects a sentence names.
const mostNamed = 20

// findUnknown says what is not known without the deployed revision, with the live objects that
// an upgrade may delete.
func (h *helm) findUnknown(writes []engine.Write) {
	lives := slices.ContainsFunc(
		writes,
		func(w engine.Write) bool { return client.Live(w) != nil && !h.crds[client.KeyOf(w)] },
	)
	h.unknown, h.others = "", nil
	if h.knowsFormer() {
		return
	}
	h.Decides = decides
	others := h.ownedOthers()
	if h.others = others; !lives && others == nil {
		return
	}
	what := "the Helm release"
	if h.Release != "" {
		what += " " + h.Release
	}
	switch {
	case h.deployed != nil:
		h.unknown = fmt.Sprintf(
			"No revision of %s is given: by the entries of helm it is applied %s, and what left the chart since is not known.",
			what,
			methods[!h.deployed.clientSide()],
		)
	case h.Release == "":
		h.unknown = fmt.Sprintf(
			"No input names the Helm release (--release NAME): the live objects are taken for its own, applied %s.",
			methods[h.serverSide],
		)
	default:
		h.unknown = fmt.Sprintf("No revision of %s is given: an install is assumed.", what)
	}
	if !h.serverSide && !h.ForceReplace {
		h.unknown += " The manifest of the deployed revision is not known: what left the chart is not removed here, and of custom resources everything that differs from the live object is changed."
	}
	if len(others) > 0 {
		more := ""
		if n := len(others) - mostNamed; n > 0 {
			others, more = others[:mostNamed], fmt.Sprintf(" and %d more", n)
		}
		h.unknown += fmt.Sprintf(
			" Live objects of the release that no manifest names, which an upgrade deletes if they were in its chart: %s%s.",
			strings.Join(others, ", "),
			more,
		)
	}
}

// decides is what decides of a live object without a manifest, where the deployed revision is not
// known.
func decides(live map[string]any) client.Deciding {
	if objects.Annotations(live)[resourcePolicy] == "keep" {
		return client.Deciding{}
	}
	return client.Deciding{Object: "release", If: "has it"}
}

// ownedOthers are the live objects of the release that no manifest names, but those that
// Helm keeps or has as hooks, and those that follow from another object.
func (h *helm) ownedOthers() []string {
	if h.Others == nil || h.Release == "" {
		return nil
	}
	var out []string
	for object := range h.Others {
		metadata, _ := object["metadata"].(map[string]any)
		if !h.owns(object) || isHook(object) || objects.Annotations(object)[resourcePolicy] == "keep" ||
			metadata["ownerReferences"] != nil {
			continue
		}
		name := strings.ToLower(objects.Text(object, "kind")) + "/" + objects.Text(object, "metadata", "name")
		if namespace := objects.Text(object, "metadata", "namespace"); namespace != "" && namespace != h.Namespace {
			name += " (namespace " + namespace + ")"
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// owns reports whether a live object says that it is of the release.
func (h *helm) owns(live map[string]any) bool {
	of := ownedBy(live)
	return of.Name != "" && of.Name == h.Release && (h.Namespace == "" || of.Namespace == h.Namespace)
}

// What is said of objects that a chart may render differently at an upgrade.
const (
	lookupNotice = "the chart may generate this value or look it up in the cluster: 'helm template --dry-run=server --is-upgrade' renders as an upgrade does, and shows whether it changes"
	renderNotice = "if the chart looks up what is live, or asks for .Release.IsUpgrade, an upgrade sends another object: render it with 'helm template --dry-run=server --is-upgrade'"
)

// noteLookup says of an update what may come of the way in which the manifest was rendered:
// without a cluster, charts that look up a value make a new one.
func (h *helm) noteLookup(r *client.Sequence, w engine.Write, before map[string]any) {
	last := r.Last()
	switch {
	case before == nil:
	case last.Code == http.StatusUnprocessableEntity:
		r.Note(renderNotice)
	case last.Outcome.Refused():
	case w.Kind.Group == "" && w.Kind.Kind == "Secret" && h.redraws(w, before) || checksumsAlone(last.Changes):
		r.Note(lookupNotice)
	}
}

// redraws reports whether a Secret gets another value for a key that it has: another one than
// the deployed revision gave it, where that is known.
func (h *helm) redraws(w engine.Write, live map[string]any) bool {
	former := live
	if old := h.old[client.KeyOf(w)]; old != nil {
		former = old
	}
	before, after := secretValues(former), secretValues(client.Manifest(w))
	for key, value := range after {
		if was, has := before[key]; has && was != value {
			return true
		}
	}
	return false
}

// checksumsAlone reports whether an object changes in nothing but checksums of others.
func checksumsAlone(changes []report.Change) bool {
	found := false
	for _, c := range changes {
		switch {
		case strings.Contains(c.Field, ".annotations.checksum/"):
			found = true
		case !written[c.Field] && !managedfields.Within(c.Field, ".metadata.managedFields"):
			return false
		}
	}
	return found
}

// written are fields that follow from a change.
var written = map[string]bool{".metadata.generation": true, ".metadata.resourceVersion": true}

// secretValues are the values of a Secret by their keys, as the server stores them.
func secretValues(object map[string]any) map[string]string {
	out := map[string]string{}
	data, _ := object["data"].(map[string]any)
	for key, value := range data {
		out[key], _ = value.(string)
	}
	plain, _ := object["stringData"].(map[string]any)
	for key, value := range plain {
		one, _ := value.(string)
		out[key] = base64.StdEncoding.EncodeToString([]byte(one))
	}
	return out
}
