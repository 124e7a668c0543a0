package view

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/shell"
)

// hints are pieces of advice in words; FROM stands for the flags that name the
// manager, VERSION for the version, THEM for the fields.
var hints = map[migrate.AdviceKind]string{
	migrate.NameManager:      "name the entry too: FROM",
	migrate.GiveOrName:       "give the manifest with -f, or name the entry too: FROM",
	migrate.LetGo:            "FROM makes it let go",
	migrate.NameTarget:       "name the one that is to have the fields with --to",
	migrate.NameReturning:    "name the one that goes back with --from",
	migrate.GiveManifest:     "give the manifest with -f",
	migrate.GiveOrAnnotate:   "give the manifest with -f, or rewrite the annotation with kubectl apply set-last-applied",
	migrate.GiveRenamed:      "give the manifest with -f where fields have changed their names between the two",
	migrate.GiveDefinition:   "give its CustomResourceDefinition with --crds",
	migrate.FetchAgain:       "fetch the object again",
	migrate.FetchTracked:     "fetch it with kubectl get -o yaml --show-managed-fields; where it has none even so, the server synthesizes before-first-apply with its first apply: migrate it after that",
	migrate.FetchServed:      "fetch it as VERSION",
	migrate.WriteServed:      "write it at VERSION",
	migrate.ClearAll:         "'ssactl clear' resets managedFields",
	migrate.ClearUnreadable:  "the server refuses every apply while it is there; 'ssactl clear' resets managedFields",
	migrate.PlanOwn:          "plan without --compatible",
	migrate.KeepsSame:        "without --compatible, the fields that are the same at both versions are kept",
	migrate.ClaimLeftOver:    "--claim leftover makes the next apply remove THEM",
	migrate.ClaimEverything:  "--claim all claims what the entries own",
	migrate.LeavesUnowned:    "nobody owns them afterwards, unless the manifest has them",
	migrate.MigrateStatus:    "--subresource status migrates it by itself",
	migrate.RemoveAnnotation: "--drop-annotation removes it",
	migrate.ExplainConflict:  "'ssactl explain' shows the options to resolve it",
}

// MigrateDocument writes reasons, what findings say, and advice in words into a
// document.
func MigrateDocument(d migrate.Document) migrate.Document {
	d.Objects = slices.Clone(d.Objects)
	for i := range d.Objects {
		m := &d.Objects[i]
		m.Findings, m.Evidence = slices.Clone(m.Findings), slices.Clone(m.Evidence)
		m.To.Reason, m.Annotation.Reason = factText(m.To.Because), factText(m.Annotation.Because)
		for k, b := range m.Evidence {
			m.Evidence[k].Reasons = factTexts(b.Because)
		}
		for k, f := range m.Findings {
			m.Findings[k].Message, m.Findings[k].Hint = findingText(*m, f.Fact), hint(f.Advice)
		}
	}
	return d
}

func hint(a migrate.Advice) string {
	from := shell.Value("--from", migrate.FromValue(a.Manager)).String()
	if a.Search == migrate.ByEvidence {
		from = "--from=auto " + from
	}
	return strings.NewReplacer("FROM", from, "VERSION", a.Version, "THEM", words.Them(a.Fields)).Replace(program.In(hints[a.Kind]))
}
