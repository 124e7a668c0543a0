package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/ssactl/ssactl/internal/server/api"
)

// admissionRecord collects what the plug-ins of one call did and could not do.
type admissionRecord struct {
	changes []api.AdmissionChange
	skipped []*plugin
	notes   []api.Caveat
	// assumption is that of the chain, where it is of account.
	assumption string
	// others are other objects of the cluster as the call would leave them.
	others []runtime.Object
	// needsWebhook: admission looks at the object at another version, to which a
	// webhook converts it.
	needsWebhook bool
	// derived are the fields that policies made from values of Secrets, sorted.
	derived []fieldNames
	// denials are what policies have against the object, in the server's words, where
	// any denies it.
	denials []string
}

// converting notes which conversions need a webhook: a policy or a webhook whose
// failurePolicy is Ignore passes over such an error.
type converting struct {
	admission.ObjectInterfaces
	record *admissionRecord
}

func (c converting) GetObjectConvertor() runtime.ObjectConvertor {
	return notedConvertor{c.ObjectInterfaces.GetObjectConvertor(), c.record}
}

type notedConvertor struct {
	runtime.ObjectConvertor
	record *admissionRecord
}

func (c notedConvertor) Convert(in, out, with any) error {
	err := c.ObjectConvertor.Convert(in, out, with)
	c.record.needsWebhook = c.record.needsWebhook || err != nil && strings.Contains(err.Error(), webhookNeeded)
	return err
}

type admissionRecordKey struct{}

func withAdmissionRecord(ctx context.Context, record *admissionRecord) context.Context {
	return context.WithValue(ctx, admissionRecordKey{}, record)
}

func recordIn(ctx context.Context) *admissionRecord {
	record, ok := ctx.Value(admissionRecordKey{}).(*admissionRecord)
	if !ok {
		return &admissionRecord{}
	}
	return record
}

func (r *admissionRecord) skip(p *plugin, a admission.Attributes) {
	if (p.missed == nil || p.missed(a)) && !slices.Contains(r.skipped, p) {
		r.skipped = append(r.skipped, p)
	}
}

// note says what a plug-in left out of this call, that ran.
func (r *admissionRecord) note(message string) {
	r.add([]api.Caveat{{Kind: api.Admission, Message: message}})
}

func (r *admissionRecord) add(caveats []api.Caveat) {
	for _, c := range caveats {
		if c.Rule == api.NotGiven {
			r.assumption = c.Message
			continue
		}
		if !slices.Contains(r.notes, c) {
			r.notes = append(r.notes, c)
		}
	}
}

// also notes that the call writes another object than its own.
func (r *admissionRecord) also(object runtime.Object) { r.others = append(r.others, object) }

// derive notes fields that are made from values of Secrets.
func (r *admissionRecord) derive(fields []fieldNames) {
	r.derived = append(r.derived, without(fields, r.derived)...)
	slices.SortFunc(r.derived, func(a, b fieldNames) int { return strings.Compare(a.String(), b.String()) })
}

// derivedFields are the paths of these fields.
func (r *admissionRecord) derivedFields() []string {
	var out []string
	for _, f := range r.derived {
		out = append(out, f.String())
	}
	return out
}

// written gives the other objects as JSON. They are written before the object of the
// call, and stay so where that is refused in the end.
func (r *admissionRecord) written() ([][]byte, error) {
	var out [][]byte
	for _, object := range r.others {
		text, err := runtime.Encode(legacyscheme.Codecs.LegacyCodec(corev1.SchemeGroupVersion, policyv1.SchemeGroupVersion), object)
		if err != nil {
			return nil, fmt.Errorf("write what the call changes besides: %w", err)
		}
		out = append(out, text)
	}
	return out, nil
}

// absent says what was left out: by plug-ins that did not run, in their order,
// then by those that did.
func (r *admissionRecord) absent() []api.Caveat {
	var out []api.Caveat
	for _, p := range r.skipped {
		if p.absent != "" {
			out = append(out, api.Caveat{Kind: api.Admission, Message: p.absent})
		}
	}
	out = append(out, r.notes...)
	if r.assumption != "" {
		out = append(out, api.Caveat{Kind: api.Admission, Rule: api.NotGiven, Message: r.assumption})
	}
	return out
}
