package golden

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/report"
)

// Now is the time of all goldens.
var Now = time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)

// At is a time of November 2026.
func At(day, hour int) *time.Time {
	t := time.Date(2026, 11, day, hour, 12, 9, 0, time.UTC)
	return &t
}

// Web is the object that most results are about.
func Web() report.Target {
	return report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
}

// Source is a line of its manifest.
func Source(line int) *report.Source {
	return &report.Source{File: "web.yaml", Document: 1, Line: line}
}

// Exact is a confidence without caveats.
var Exact = report.Confidence{Level: report.Exact}

// Acting would act on a terminal, or on a runner that reads commands.
const Acting = "a\x1b[2Jb\u202ec\r\n::error::x"

// Object is what commands of the goldens are about.
var Object = kubectl.Object{
	Resource:  schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"},
	Namespace: "shop",
	Name:      "web",
}

// WriterAt is an entry of apps/v1.
func WriterAt(manager, operation string, at *time.Time) report.Writer {
	return report.Writer{Manager: manager, Operation: operation, APIVersion: "apps/v1", Time: at}
}
