package kube

import (
	"errors"
	"fmt"
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// parseWarnings gives the texts of an answer's Warning headers in their order;
// nil when there are none.
func parseWarnings(header http.Header) ([]string, error) {
	parsed, errs := utilnet.ParseWarningHeaders(header["Warning"])
	if len(errs) > 0 {
		return nil, fmt.Errorf("read warnings: %w", errors.Join(errs...))
	}
	var texts []string
	for _, warning := range parsed {
		texts = append(texts, warning.Text)
	}
	return texts, nil
}
