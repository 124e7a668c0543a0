package chain

import (
	"net/http"
	"strings"
	"sync"

	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/routes"
	aggregatorapiserver "k8s.io/kube-aggregator/pkg/apiserver"
	"k8s.io/kube-aggregator/pkg/controllers/openapi/aggregator"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

// described is OpenAPI v2 of a server, which few clients ask for: it is built for the first who does.
// That of definitions stays upstream's, since OpenAPI v3 of their kinds goes with it.
type described struct {
	kube, front *common.Config
	made        *aggregatorapiserver.APIAggregator
	once        sync.Once
	err         error
}

// later takes OpenAPI v2 out of a completed configuration, so that the start does not build it.
func later(c *app.Config) *described {
	kube, front := c.KubeAPIs.ControlPlane.Generic, &c.Aggregator.GenericConfig.Config
	d := &described{kube: kube.OpenAPIConfig, front: front.OpenAPIConfig}
	kube.OpenAPIConfig, front.OpenAPIConfig = nil, nil
	return d
}

// handler answers requests by next, for which it builds OpenAPI v2 if they need it. The list of all
// paths has its path.
func (d *described) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/openapi/v2") || r.URL.Path == "/" || r.URL.Path == "/index.html" {
			if d.once.Do(d.build); d.err != nil {
				http.Error(w, d.err.Error(), http.StatusInternalServerError)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// build installs it as PrepareRun of both servers does. No APIService is of another server.
func (d *described) build() {
	front := d.made.GenericAPIServer
	if kube, ok := front.NextDelegate().(*genericapiserver.GenericAPIServer); ok {
		routes.OpenAPI{Config: d.kube}.InstallV2(kube.Handler.GoRestfulContainer, kube.Handler.NonGoRestfulMux)
	}
	downloader := aggregator.NewDownloader()
	_, d.err = aggregator.BuildAndRegisterAggregator(
		&downloader, front.NextDelegate(), front.Handler.GoRestfulContainer.RegisteredWebServices(), d.front,
		front.Handler.NonGoRestfulMux,
	)
}
