package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestSettingsOfClient: settings that describe another client than the one that is named
// nearer are left out, with its options; those of any client stay.
func TestSettingsOfClient(t *testing.T) {
	const argocd = "client: argocd\nfield-manager: argo\nprune: true\nnamespace: shop\n"
	const helm = "client: helm@3\nrelease: shop\ntake-ownership: true\n"
	for name, c := range map[string]struct {
		file, args string
		env        map[string]string
		want       string
	}{
		"the file alone":         {file: argocd, want: "argocd argo prune shop"},
		"the same client":        {file: argocd, args: "--client argocd@3", want: "argocd@3 argo prune shop"},
		"another client":         {file: argocd, args: "--client helm", want: "helm shop"},
		"another one's manager":  {file: argocd, args: "--field-manager helm", want: "helm shop"},
		"its manager":            {file: argocd, args: "--field-manager argocd-controller", want: "argocd argocd-controller prune shop"},
		"an unknown manager":     {file: argocd, args: "--field-manager me", want: "argocd me prune shop"},
		"no client":              {file: argocd, args: "--client none", want: "none argo shop"},
		"one of the environment": {file: argocd, env: map[string]string{"SSACTL_CLIENT": "flux", "SSACTL_PRUNE": "true"}, want: "flux prune shop"},
		"a flag before it":       {file: argocd, args: "--client helm", env: map[string]string{"SSACTL_CLIENT": "flux"}, want: "helm shop"},
		"options of no client":   {file: "release: shop\nprune: true\n", args: "--client helm", want: "helm release=shop"},
		"a manager alone":        {file: "manager: argocd-controller\n", args: "--client helm", want: "helm"},
		"options of a release":   {file: helm, want: "helm@3 release=shop take"},
		"and another client":     {file: helm, args: "--client argocd", want: "argocd"},
		"settings are not read":  {file: argocd, env: map[string]string{"SSACTL_CONFIG": "none"}, want: ""},
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		if err := os.WriteFile(filepath.Join(dir, ".ssactl.yaml"), []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		a, _ := quietly(c.env)
		cmd := &cobra.Command{}
		client, manager := cmd.Flags().String("client", "", ""), cmd.Flags().String("field-manager", "", "")
		release, namespace := cmd.Flags().String("release", "", ""), cmd.Flags().String("namespace", "", "")
		prune, take := cmd.Flags().Bool("prune", false, ""), cmd.Flags().Bool("take-ownership", false, "")
		if err := errors.Join(cmd.ParseFlags(strings.Fields(c.args)), a.Configure(cmd)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := []string{*client, *manager}
		if *release != "" {
			got = append(got, "release="+*release)
		}
		if *prune {
			got = append(got, "prune")
		}
		if *take {
			got = append(got, "take")
		}
		if got := strings.Join(strings.Fields(strings.Join(append(got, *namespace), " ")), " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
