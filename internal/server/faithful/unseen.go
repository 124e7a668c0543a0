package faithful

import (
	"bytes"
	"encoding/json"
	"sync"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	"k8s.io/kubernetes/pkg/features"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/api"
)

// HiddenFields says what of the stored object no client can see, and so no file has.
func HiddenFields(call api.Request) []api.Caveat {
	return append(hiddenTrafficPolicy(call), hiddenOrder(call)...)
}

// hiddenTrafficPolicy: an ExternalName Service may have a stored internalTrafficPolicy that
// reading leaves out (registry/core/service/storage). An entry that owns it shows that; the
// next write takes the ownership away.
func hiddenTrafficPolicy(call api.Request) []api.Caveat {
	if !Allocates(call.Kind.GroupKind()) || !bytes.Contains(call.Live, []byte(`"f:internalTrafficPolicy"`)) {
		return nil
	}
	var service struct {
		Spec struct {
			Type                  string          `json:"type"`
			InternalTrafficPolicy json.RawMessage `json:"internalTrafficPolicy"`
		} `json:"spec"`
	}
	if json.Unmarshal(call.Live, &service) != nil || service.Spec.Type != "ExternalName" || service.Spec.InternalTrafficPolicy != nil {
		return nil
	}
	return []api.Caveat{{Kind: api.Input, Field: ".spec.internalTrafficPolicy",
		Message: "The stored Service may have an internalTrafficPolicy, which is left out when an ExternalName Service is read: who owns that field afterwards is not known."}}
}

// hiddenOrder: an autoscaler at v1 has other metrics than the processor's in an annotation,
// without their stored order. Another order raises the generation
// (registry/autoscaling/horizontalpodautoscaler).
func hiddenOrder(call api.Request) []api.Caveat {
	var scaler autoscalingv1.HorizontalPodAutoscaler
	if call.Kind.Group != autoscaling.GroupName || !bytes.Contains(call.Live, []byte(autoscaling.MetricSpecsAnnotation)) ||
		!utilfeature.DefaultFeatureGate.Enabled(features.HPAGeneration) || json.Unmarshal(call.Live, &scaler) != nil ||
		scaler.APIVersion != autoscalingv1.SchemeGroupVersion.String() || scaler.Spec.TargetCPUUtilizationPercentage == nil {
		return nil
	}
	return []api.Caveat{{Kind: api.Input, Field: ".metadata.generation",
		Message: "The live object is at autoscaling/v1, which does not say in which order the metrics are stored: the generation may rise."}}
}

// A server stores fieldsV1 as its own encoder writes it, and takes an entry for
// changed as soon as its bytes differ (apiserver, fieldmanager/equality.go).
// Files have it as their writers like it: kubectl indents JSON, and YAML sorts
// the keys of list items as texts, {"port":443} before {"port":80}.

// maxFieldsTexts bounds how many texts are remembered: many objects share one.
const maxFieldsTexts = 4096

type fieldsTexts struct {
	mu    sync.Mutex
	known map[string][]byte
}

var knownFieldsTexts fieldsTexts

// stored is a fieldsV1 as a server stores it; what it could not read stays, and
// what is no object.
func (f *fieldsTexts) stored(text []byte) []byte {
	if text[0] != '{' {
		return text
	}
	f.mu.Lock()
	known, ok := f.known[string(text)]
	f.mu.Unlock()
	if ok {
		return known
	}
	canonical := text
	fields := fieldpath.NewSet()
	if err := fields.FromJSON(bytes.NewReader(text)); err == nil {
		if again, err := fields.ToJSON(); err == nil {
			canonical = again
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil || len(f.known) >= maxFieldsTexts {
		f.known = map[string][]byte{}
	}
	f.known[string(text)] = canonical
	return canonical
}

// withStoredFields writes the fieldsV1 of a live object as a server stores
// them. Entries that are none are left to the server to judge.
func withStoredFields(live []byte) []byte {
	live, _ = jsontree.Replace(live, knownFieldsTexts.stored, "metadata", "managedFields", "*", "fieldsV1")
	return live
}
