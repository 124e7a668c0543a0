package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/run/input"
)

// applied is a ConfigMap with an entry of each field manager: NAME applies, NAME! updates,
// NAME/status applies the status.
func applied(name string, managers ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n  managedFields:\n", name)
	for _, m := range managers {
		operation, subresource := "Apply", ""
		if m, found := strings.CutSuffix(m, "!"); found {
			operation = "Update"
			fmt.Fprintf(
				&b,
				"  - {manager: %s, operation: %s, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {\"f:data\": {}}}\n",
				m,
				operation,
			)
			continue
		}
		m, subresource, _ = strings.Cut(m, "/")
		fmt.Fprintf(
			&b,
			"  - {manager: %s, operation: %s, subresource: %q, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {\"f:data\": {}}}\n",
			m,
			operation,
			subresource,
		)
	}
	return b.String()
}

// TestAppliedBy: where no field manager is given, the one that applies all live objects is
// meant; one that is on none of them is doubted.
func TestAppliedBy(t *testing.T) {
	for name, c := range map[string]struct {
		lives []string
		flags input.ClientFlags
		// manager is the one that applies; caveat is a part of what is said of it.
		manager, caveat, nearest string
		inferred                 bool
	}{
		"one applies all": {lives: []string{applied("a", "helm", "x!"), applied("b", "helm", "argocd")}, manager: "helm",
			inferred: true},
		"two apply all": {lives: []string{applied("a", "helm", "argocd")}, manager: "kubectl",
			caveat: "the field manager kubectl (the default of --field-manager); they are applied by argocd, helm."},
		"each by another": {lives: []string{applied("a", "helm"), applied("b", "argocd")}, manager: "kubectl",
			caveat: "they are applied by argocd, helm."},
		"one of status": {lives: []string{applied("a", "helm/status")}, manager: "kubectl", caveat: "they are applied by helm.",
			nearest: "helm"},
		"nothing is applied": {lives: []string{applied("a", "helm!")}, manager: "kubectl"},
		"no entries":         {lives: []string{web}, manager: "kubectl"},
		"one that is named": {lives: []string{applied("a", "helm")}, flags: input.ClientFlags{Named: true, Manager: "helm"},
			manager: "helm"},
		"one that only updates": {lives: []string{applied("a", "helm", "mine!")}, flags: input.ClientFlags{Named: true, Manager: "mine"},
			manager: "mine"},
		"one that is mistyped": {lives: []string{applied("a", "argocd", "helm")},
			flags: input.ClientFlags{Named: true, Manager: "argocd-"}, manager: "argocd-",
			caveat: "the field manager argocd-; they are applied by argocd, helm.", nearest: "argocd"},
		"one with a letter amiss": {lives: []string{applied("a", "controller", "helm")},
			flags: input.ClientFlags{Named: true, Manager: "controler"}, manager: "controler", caveat: "they are applied by controller, helm.",
			nearest: "controller"},
		"one of a client": {lives: []string{applied("a", "mine")}, flags: input.ClientFlags{Name: "flux"},
			manager: "kustomize-controller", caveat: "kustomize-controller (that of --client flux); they are applied by mine."},
		"the bare request of no one": {lives: []string{applied("a", "helm")}, flags: input.ClientFlags{Name: about.None}, manager: "helm",
			inferred: true},
	} {
		t.Run(name, func(t *testing.T) {
			f := c.flags
			if f.Name == "" {
				f.Name = about.Auto
			}
			if f.Manager == "" {
				f.Manager = input.DefaultManager
			}
			f.Sender, f.Settings.ServerSide = f.Manager, about.Auto
			lives := strings.Join(c.lives, "---\n")
			var manifests []string
			for _, live := range c.lives {
				manifests = append(manifests, strings.Split(live, "  managedFields:\n")[0])
			}
			k := loadedBy(t, input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}},
				map[string]string{"m.yaml": strings.Join(manifests, "---\n"), "l.yaml": lives})
			pairs, err := k.AppliedBy(context.Background(), &f)
			if err != nil {
				t.Fatal(err)
			}
			if f.Manager != c.manager || f.Sender != c.manager || k.App.Inferred != c.inferred {
				t.Errorf("%s applies (%s), inferred %v, want %s", f.Manager, f.Sender, k.App.Inferred, c.manager)
			}
			said := saidOf(pairs[0].caveats)
			if (said == "") != (c.caveat == "") || !strings.Contains(said, c.caveat) ||
				said != "" && pairs[0].caveats[0].Nearest != c.nearest {
				t.Errorf("it is said: %q (%+v), want %q, %q", said, pairs[0].caveats, c.caveat, c.nearest)
			}
		})
	}
}

// TestSenderOf: kubectl is meant by its name, others where their settings are among the
// inputs, and none where that is said. One that may delete is given the other live objects.
func TestSenderOf(t *testing.T) {
	const application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop, namespace: argocd}\nspec: {destination: {namespace: default}}\n"
	for name, c := range map[string]struct {
		flags input.ClientFlags
		live  string
		want  string
		// others is how many live objects are held that no manifest names.
		others int
	}{
		"kubectl":              {flags: input.ClientFlags{Manager: "kubectl"}, want: "kubectl"},
		"none":                 {flags: input.ClientFlags{Manager: "kubectl", Name: about.None}},
		"another":              {flags: input.ClientFlags{Manager: "mine", Named: true}},
		"Argo CD, by its name": {flags: input.ClientFlags{Manager: "argocd-controller", Named: true}},
		"Argo CD, and it is there": {flags: input.ClientFlags{Manager: "argocd-controller", Named: true}, live: "---\n" + application,
			want: "argocd", others: 2},
		"client-side": {flags: input.ClientFlags{Manager: "kubectl", Settings: client.Settings{ServerSide: "false"}},
			want: "kubectl"},
	} {
		t.Run(name, func(t *testing.T) {
			f := c.flags
			if f.Name == "" {
				f.Name = about.Auto
			}
			if f.Settings.ServerSide == "" {
				f.Settings.ServerSide = about.Auto
			}
			flags := input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}}
			flags.Spare = f.Spares(flags.Live)
			k := loadedBy(t, flags, map[string]string{"m.yaml": web, "l.yaml": web + "---\n" + object("ConfigMap", "shop", "other") + c.live})
			if _, err := k.AppliedBy(context.Background(), &f); err != nil {
				t.Fatal(err)
			}
			got := ""
			if k.Client != nil {
				got = k.Client.Name
			}
			if got != c.want {
				t.Errorf("%q sends, want %q", got, c.want)
			}
			if n := len(k.Live.Spare()); n != c.others {
				t.Errorf("%d live objects are held that no manifest names, want %d", n, c.others)
			}
		})
	}
}

// TestNamespacePair: a client creates the namespace before the manifests, unless it is live.
func TestNamespacePair(t *testing.T) {
	for live, want := range map[string][]string{object("ConfigMap", "shop", "other"): {"Namespace", "ConfigMap"},
		"apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n": {"ConfigMap"}} {
		k := loadedBy(t, input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}, Namespace: "shop",
			Purpose: input.Purpose{Spare: func(manifest.Identity) bool { return true }}},
			map[string]string{"m.yaml": web, "l.yaml": live})
		f := &input.ClientFlags{Name: "helm", Version: "4", Manager: input.DefaultManager,
			Settings: client.Settings{ServerSide: about.Auto, CreateNamespace: true, Release: "shop"}}
		pairs, err := k.AppliedBy(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, p := range pairs {
			kinds = append(kinds, p.Document.Kind)
		}
		if !slices.Equal(kinds, want) {
			t.Errorf("beside %s: %v, want %v", live, kinds, want)
		}
	}
}
