package show

import (
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/golden"
)

// hostileTexts would act in a page, on a terminal that shows its source, or on
// a reader.
var hostileTexts = []string{
	"", " ", "\x00", "\n", "\r\n", "a\x1b[2Jb\u202ec\x00d\xffe\r\nf\u200bg\u009b", "\ufeff", "\U000e0041", "\u2028",
	`<script>alert(1)</script>`, `</script><script>alert(1)</script>`, `</style><style>*{display:none}`, `<!--`, `-->`, `]]>`,
	`"><img src=x onerror=alert(1)>`, `' onfocus='alert(1)' autofocus='`, "` onmouseover=`alert(1)", `</pre></dd></details></body></html>`,
	`javascript:alert(1)`, `{{.}}`, `{{template "page"}}`, `&lt;b&gt;`, `&#60;b&#62;`, `&`, `<plaintext>`, `<svg/onload=alert(1)>`,
	`<base href=//example.com/>`, `<meta http-equiv=refresh content=0>`, `<form action=//example.com><input id=find>`, `expression(alert(1))`,
	`\`, `\u003cscript\u003e`, `%3Cscript%3E`, "+ADw-script+AD4-", "<\u0000script>", "\x01c0\x02", strings.Repeat("<b>", 400), strings.Repeat("w", 5000),
}

func TestHTMLHostile(t *testing.T) {
	for _, s := range hostileTexts {
		golden.CheckPage(t, htmlPage(t, strange(s)))
	}
}

func TestHTMLPages(t *testing.T) {
	for _, results := range [][]report.Result{
		nil, {created()}, {configured()}, {owned()}, {conflicted()}, {hostile()}, {wide()},
		{created(), configured(), unchanged(), conflicted(), invalid(), failed(), secret(), owned(), hostile()},
	} {
		golden.CheckPage(t, htmlPage(t, report.New(golden.RunOf("v1.36.3"), results)))
	}
}

func FuzzHTML(f *testing.F) {
	for _, s := range hostileTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { golden.CheckPage(t, htmlPage(t, strange(s))) })
}

// strange is a report with a text in every place that a stranger can fill.
func strange(s string) report.Report {
	r := hostile()
	source := &report.Source{File: s, Line: 1}
	writer := report.Writer{Manager: s, Operation: s, Subresource: s, APIVersion: s}
	change := report.Change{
		Field:  s,
		Kind:   report.Modified,
		Before: s,
		After:  map[string]any{s: s},
		Reason: report.Reason(s),
		Detail: s,
		Source: source,
	}
	transfer := report.Transfer{Field: s, Manager: s, Operation: s, Subresource: s, Kind: report.Overridden}
	object := map[string]any{
		s: map[string]any{s: []any{s, map[string]any{s: s}}}, "apiVersion": s, "kind": s, "text": s + "\n" + s,
		"metadata": map[string]any{"name": s, "managedFields": []any{
			map[string]any{"manager": s, "operation": "Apply", "apiVersion": s, "fieldsType": "FieldsV1",
				"fieldsV1": map[string]any{"f:" + s: map[string]any{}, "f:gone" + s: map[string]any{}}},
			map[string]any{
				"manager":     s,
				"operation":   s,
				"subresource": s,
				"apiVersion":  s,
				"fieldsType":  s,
				"fieldsV1":    map[string]any{s: s},
			},
			s,
		}},
	}
	r.Target = report.Target{APIVersion: s + "/" + s, Kind: s, Namespace: s, Name: s, Subresource: s}
	r.Source, r.LiveSource, r.Manager, r.Operation = *source, source, s, report.Operation(s)
	r.Live, r.Error, r.Warnings, r.Notices = object, s, []string{s}, []string{s}
	r.Status = &report.Status{Message: s, Reason: s}
	r.Conflicts = []report.Conflict{{Field: s, Writer: writer, Live: s, Applied: s, Source: source}}
	r.Ownership = []report.FieldOwners{{Field: s, Managers: []report.Writer{writer}}}
	r.Confidence = report.Confidence{Level: report.Partial, Reasons: []report.Caveat{{Kind: api.Admission, Message: s}}}
	r.Forced = &report.Forced{
		Outcome:   report.Configured,
		Code:      200,
		Object:    map[string]any{s + "x": s},
		Changes:   []report.Change{change},
		Transfers: []report.Transfer{transfer},
	}

	accepted := r
	accepted.Outcome, accepted.Object, accepted.Conflicts, accepted.Forced = report.Configured, r.Forced.Object, nil, nil
	accepted.Changes, accepted.Transfers = []report.Change{change}, []report.Transfer{transfer}
	wrong := r
	wrong.Outcome, wrong.Code = report.Invalid, 422
	wrong.Status = &report.Status{Message: s, Reason: s, Raw: map[string]any{"details": map[string]any{"causes": []any{
		map[string]any{"field": s, "message": s}, map[string]any{"field": s + "2", "message": s},
	}}}}
	return report.New(golden.RunOf(s, report.Problem{Source: *source, Message: s}), []report.Result{r, accepted, wrong})
}
