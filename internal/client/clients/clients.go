// Package clients makes the clients whose requests are simulated.
package clients

import (
	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/argocd"
	"github.com/ssactl/ssactl/internal/client/flux"
	"github.com/ssactl/ssactl/internal/client/helm"
	"github.com/ssactl/ssactl/internal/client/kubectl"
)

// makers make the clients, by their names.
var makers = map[string]func(version string, s client.Settings) (*client.Client, error){
	about.Kubectl.Name: kubectl.New, about.Helm.Name: helm.New, about.ArgoCD.Name: argocd.New, about.Flux.Name: flux.New,
}

// New is the client of a name that about.Names has, in a version of it, or its first one if the version is
// empty; nil for another name. The error is that of settings that the client cannot read.
func New(name, version string, s client.Settings) (*client.Client, error) {
	of, is := makers[name]
	if !is {
		return nil, nil
	}
	return of(version, s)
}
