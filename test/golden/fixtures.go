package golden

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/report"
)

var Now = time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)

func At(day, hour int) *time.Time {
	t := time.Date(2026, 11, day, hour, 12, 9, 0, time.UTC)
	return &t
}

func Web() report.Target {
	return report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
}

func Source(line int) *report.Source {
	return &report.Source{File: "web.yaml", Document: 1, Line: line}
}

var Exact = report.Confidence{Level: report.Exact}

// Acting would act on a terminal, or on a runner that reads commands.
const Acting = "a\x1b[2Jb\u202ec\r\n::error::x"

// Object is what commands of the goldens are about.
var Object = kubectl.Object{Resource: schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, Namespace: "shop", Name: "web"}

func WriterAt(manager, operation string, at *time.Time) report.Writer {
	return report.Writer{Manager: manager, Operation: operation, APIVersion: "apps/v1", Time: at}
}

func WebTarget() report.Target {
	return report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
}
