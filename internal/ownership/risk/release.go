package risk

import (
	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// fromRelease is for an object that Helm takes from another release, which still has it in its manifest.
func (f *finder) fromRelease() []report.Finding {
	if f.Client == nil || f.Client.Name != "helm" || f.Live == nil || f.Object == nil {
		return nil
	}
	of := func(object map[string]any) (string, string) {
		notes := objects.Annotations(object)
		return notes[client.ReleaseName], notes[client.ReleaseNamespace]
	}
	name, namespace := of(f.Live)
	toName, toNamespace := of(f.Object)
	field := ".metadata.annotations." + client.ReleaseName
	switch {
	case name == "" || toName == "" || name == toName && namespace == toNamespace,
		objects.Annotations(f.Live)["helm.sh/resource-policy"] == "keep":
		// What is kept may have left its release already.
		return nil
	case name == toName:
		field = ".metadata.annotations." + client.ReleaseNamespace
	}
	return []report.Finding{f.risk(TwoReleases, field, f.Manager, text.New(
		"the object is taken from the release %v in %v: while that has it in its manifest, its next upgrade sets its values "+
			"again without a conflict, and its uninstall may delete the object", text.Name(name), text.Name(namespace)))}
}
