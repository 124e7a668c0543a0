package lint

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// ReportKind is the kind of the report document.
const ReportKind = "LintReport"

// IgnoreAnnotation names the rules that are not to be reported of an object: names
// or patterns, separated by commas.
const IgnoreAnnotation = "ssactl.dev/lint-ignore"

// Manifest is one manifest with what is known of it. Nothing in it is changed.
type Manifest struct {
	Target report.Target
	// Source is where it starts, and Locator finds its fields.
	Source  report.Source
	Locator report.Locator
	// Object is the manifest decoded; nil where it cannot be.
	Object map[string]any
	// Shape is that of the kind's merge type; zero where Deduced.
	Shape managedfields.Shape
	// Deduced is true where no schema is known for the kind.
	Deduced bool
	// First is where the inputs have the same object before; nil where they do not.
	First *report.Source
	// Fields tells of the fields of a custom kind; nil for built-in ones, and where no
	// schema is known.
	Fields api.KindFields
	// ServedAs is the API version at which the server has the kind where it does not at
	// the manifest's; empty for none.
	ServedAs string
	// Resets reports whether a write to the object leaves a field as it is.
	Resets func(field string) bool
	// Leave is how the client that applies leaves a field to a manager that is going to
	// write it; nil, and gives nil, where that is not known.
	Leave func(path fieldpath.Path, to string) []report.ClientFix
	// Result is what applying it as a new object gave.
	Result report.Result
	// Try is what applying an edited manifest as a new object gives; nil where that cannot
	// be asked, and all edits are taken to hold.
	Try func(edited map[string]any) report.Result
	// Again is what an apply of a manifest gives once another manager has written a field;
	// nil where that cannot be asked.
	Again func(edited map[string]any, manager string, wrote map[string]any) report.Result
	// Stored is the manifest decoded, and with defaults, as it would be stored; nil
	// where that is not known.
	Stored map[string]any
	// ShowSecrets says that values of Secrets may be reported.
	ShowSecrets bool
}

// Examined is one manifest with what was found on it.
type Examined struct {
	Target   report.Target
	Findings []report.Finding
	// Ignored are the rules that an annotation of the manifest suppresses.
	Ignored []string
}

// Examine asks a manifest all rules. It changes nothing, and may be called for
// several manifests at once. The claims are those of all inputs.
func Examine(m Manifest, claims writers.Claims) Examined {
	s := &subject{Manifest: m, claims: claims, seen: map[string]bool{}, lacking: map[string]bool{}}
	if !findEncrypted(s) {
		for _, find := range checks {
			find(s)
		}
	}
	return Examined{Target: m.Target, Findings: s.out, Ignored: finding.Ignored(m.Object, IgnoreAnnotation)}
}

// subject is a manifest while it is examined.
type subject struct {
	Manifest
	claims writers.Claims
	// seen are the fields with a finding: other rules do not report them.
	seen map[string]bool
	// lacking are the keys that items lack, which missing-key reports.
	lacking map[string]bool
	out     []report.Finding
	// tries counts the edits that were tried; paths are those of the manifest, by their
	// texts.
	tries int
	paths map[string]fieldpath.Path
	// finder looks fields up, and reasons are those of the first change of each.
	finder  managedfields.Finder
	reasons map[string]report.Reason
}

func (s *subject) secret() bool { return s.Target.APIVersion == "v1" && s.Target.Kind == "Secret" }

// find adds a finding of a rule at a place, which says what is wrong with fields. To fix
// it, do what the rule says.
func (s *subject) find(rule finding.Rule, at *report.Source, says text.Text, fields ...string) {
	s.fixing(rule, at, says, text.Text{}, fields...)
}

// fixing is find with what else to do than the rule says.
func (s *subject) fixing(rule finding.Rule, at *report.Source, says, fix text.Text, fields ...string) {
	f := rule.On(s.Target, s.Source, says)
	switch {
	case fix.IsZero():
	case fix.String() == "":
		f.Fixes = nil
	default:
		f.Fixes = []report.Fix{{Does: fix}}
	}
	if at != nil {
		f.Source = *at
	}
	for _, field := range fields {
		s.seen[field] = true
	}
	s.out = append(s.out, f.About(fields...))
}

// field is a path as the server writes it; that of a Secret without values.
func (s *subject) field(p fieldpath.Path) string {
	if !s.ShowSecrets && s.secret() {
		return managedfields.FieldOfSecret(p.String())
	}
	return p.String()
}

// line is where the manifest has a path, or the nearest parent of it.
func (s *subject) line(p fieldpath.Path) *report.Source {
	positions, _ := (*managedfields.Finder)(nil).Positions(s.Shape, s.Object, p)
	return report.Nearest(s.Locator, positions)
}

// at is a path of names.
func at(names ...string) fieldpath.Path {
	var p fieldpath.Path
	for _, name := range names {
		p = append(p, fieldpath.FieldNameElement(name))
	}
	return p
}

// lineOf names the line of a place.
func lineOf(s *report.Source) text.Text {
	if s == nil || s.Line == 0 {
		return text.New("a line that is not known")
	}
	return text.New("line %v", text.Number(s.Line))
}

// Rules are all rules, in the order in which their findings are reported within a
// severity.
func Rules() finding.Rules {
	return finding.Rules{
		duplicateKeys, missingKey, unknownField, wrongType, writtenTwice,
		unknownKind, managedFieldsSet, refusedManifest, risk.Rules().Of(risk.NeverSettles),

		givenTwice, replicasAutoscaled, injectedField, aggregatedRules, generatedByOthers, rolloutWrites,
		statusSet, serverField, notStored, storedDifferently, lastAppliedInManifest,
		stringData, listUnmarked, setOfObjects, keyOptional, risk.Rules().Of(risk.NotIdempotent),

		defaultInAtomic, clientRewrites, finding.PortsByProtocol, resourcesAutoscaled, mapUnmarked,
		granularUnbounded, encrypted,
	}
}

// checks look for what the rules find. Where two tell of one field, the first does.
var checks = []func(*subject){
	findListFaults, findRefused, findServerFields, findWritten, findInjected, findAggregated, findStored,
	findRespelled, findTwice, findDefinitionFaults,
}
