package client_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/client"
)

func TestArgoCD(t *testing.T) {
	argo := func(server string, objects ...string) func(*testing.T) *client.Client {
		return func(t *testing.T) *client.Client {
			s := client.Settings{ServerSide: server}
			for _, o := range objects {
				s.Objects = append(s.Objects, decoded(t, o))
			}
			return made(t, "argocd", s)
		}
	}
	app := func(options, rest string) string {
		return fmt.Sprintf(
			`{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: web}, spec: {syncPolicy: {syncOptions: [%s]}%s}}`,
			options,
			rest,
		)
	}
	ignoredBy := func(how, what string) string {
		return fmt.Sprintf(`, ignoreDifferences: [{group: "", kind: ConfigMap, %s: [%s]}]`, how, what)
	}
	ignored := ignoredBy("jsonPointers", "/data/k")
	options := func(text string) string { return `, annotations: {argocd.argoproj.io/sync-options: "` + text + `"}` }
	checkSent(t, []sent{
		{
			name:     "moves entries first, and forces",
			live:     settings(note, updater, hers),
			manifest: manifest(""),
			client:   argo(""),
			steps: []string{
				"MoveEntries as argocd-application-controller: Configured",
				"Apply as argocd-controller: Configured",
			},
			data:   "{k:w}",
			owners: "argocd-controller Apply",
		},
		{
			name:     "no migration: kubectl's own comes behind",
			live:     settings(note, updater),
			manifest: manifest(""),
			client:   argo("", app("ServerSideApply=true, ClientSideApplyMigration=false", "")),
			steps: []string{
				"Apply as argocd-controller: Configured",
				"MoveEntries as argocd-controller: Configured",
				"ApplyAgain as argocd-controller: Configured",
			},
			data:   "{k:w}",
			owners: "argocd-controller Apply",
		},
		{
			name:     "other Update entries stay",
			live:     settings("", entry("deployer", "Update", `{"f:data":{"f:k":{},"f:old":{}}}`)),
			manifest: manifest(""),
			client:   argo(""),
			steps: []string{
				"Apply as argocd-controller: Configured",
			},
			data:   "{k:w,old:gone}",
			owners: "argocd-controller Apply",
		},
		{
			name:     "ignored fields keep their values",
			live:     settings("", hers),
			manifest: manifest(""),
			client:   argo("", app("ServerSideApply=true, RespectIgnoreDifferences=true", ignored)),
			steps: []string{
				"Apply as argocd-controller: Configured",
			},
			data:   "{k:v,old:gone}",
			owners: "argocd-controller Apply, team-b Apply",
		},
		{
			name:     "ignored by a jq expression",
			live:     settings("", hers),
			manifest: manifest(""),
			client: argo(
				"",
				app("ServerSideApply=true, RespectIgnoreDifferences=true", ignoredBy("jqPathExpressions", `'.data | .k'`)),
			),
			steps: []string{
				"Apply as argocd-controller: Configured",
			},
			data:   "{k:v,old:gone}",
			owners: "argocd-controller Apply, team-b Apply",
		},
		{
			name:     "ignored by its manager",
			live:     settings("", hers),
			manifest: manifest(""),
			client: argo(
				"",
				app("ServerSideApply=true, RespectIgnoreDifferences=true", ignoredBy("managedFieldsManagers", "team-b")),
			),
			steps: []string{
				"Apply as argocd-controller: Configured",
			},
			data:   "{k:v,old:gone}",
			owners: "argocd-controller Apply, team-b Apply",
		},
		{
			name:     "ignored and not live",
			live:     settings("", hers),
			manifest: strings.Replace(manifest(""), "k: w", "new: w", 1),
			client: argo(
				"",
				app("ServerSideApply=true, RespectIgnoreDifferences=true", ignoredBy("jsonPointers", "/data/new")),
			),
			steps:  []string{"Apply as argocd-controller: Configured"},
			data:   "{k:v,old:gone}",
			owners: "team-b Apply",
		},
		{
			name:     "ignored only in the view",
			live:     settings("", hers),
			manifest: manifest(""),
			client:   argo("", app("ServerSideApply=true", ignored)),
			steps: []string{
				"Apply as argocd-controller: Configured",
			},
			data:   "{k:w,old:gone}",
			owners: "argocd-controller Apply",
		},
		{
			name:     "an Application without ServerSideApply",
			live:     settings(note, updater),
			manifest: manifest(""),
			client:   argo("", app("", "")),
			steps:    []string{"Patch as argocd-controller: Configured"},
			data:     "{k:w}",
			owners:   "argocd-controller Update",
		},
		{
			name:     "ServerSideApply=false",
			live:     settings(note, updater),
			manifest: manifest(options("ServerSideApply=false")),
			client:   argo(""),
			steps:    []string{"Patch as argocd-controller: Configured"},
			data:     "{k:w}",
			owners:   "argocd-controller Update",
		},
		{name: "Replace=true", live: settings("", hers), manifest: manifest(options("Replace=true")), client: argo("false"),
			steps: []string{
				"Replace as argocd-application-controller: Configured",
			}, data: "{k:w}", owners: "argocd-application-controller Update"},
		{
			name:     "Force=true, Replace=true",
			live:     settings("", hers),
			manifest: manifest(options("Force=true,Replace=true")),
			client:   argo("false"),
			steps: []string{
				"Delete as argocd-application-controller: Configured",
				"Create as argocd-application-controller: Created",
			},
			data:   "{k:w}",
			owners: "argocd-application-controller Update",
		},
		{name: "Force=true", live: settings("", hers), manifest: manifest(options("Force=true")), client: argo(""),
			steps: []string{"Apply as argocd-controller: Invalid"}, data: "null"},
		{
			name:     "an annotation that is no JSON ends the sync",
			live:     settings(`"kubectl.kubernetes.io/last-applied-configuration": '{"apiVers'`, updater),
			manifest: manifest(""),
			client:   argo(""),
			steps:    []string{"Apply as argocd-controller: Invalid"},
			data:     "null",
		},
		{name: "absent", manifest: manifest(""), client: argo(""),
			steps: []string{"Apply as argocd-controller: Created"}, data: "{k:w}", owners: "argocd-controller Apply"},
	})
}
