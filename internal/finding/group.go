package finding

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Group is what is said once of all the objects that it holds of: findings of one rule with
// one cause.
type Group struct {
	// Finding is the first, with a message that has the arguments of all.
	report.Finding
	// Objects and Fields are of how many it is said.
	Objects, Fields int
	// Common is the pattern of all fields; empty where they have several. At are the texts
	// in its brackets, * where they differ.
	Common string
	At     []string
	// Rows are the first findings.
	Rows []report.Finding
	// Edits are the fields, for commands that edit them.
	Edits Edits
	// On counts the objects, and Kinds are their kinds in each namespace.
	On    Objects
	Kinds []report.Target
	key   groupKey
	last  int
}

// Path is the field that all have, with the keys that they share; empty where they have
// several, or none.
func (g *Group) Path() string {
	if g.Common == "" {
		return ""
	}
	return report.Filled(g.Common, g.At)
}

// groupKey is what the findings of a group have in common.
type groupKey struct {
	rule                 string
	severity             report.Severity
	applier, subresource string
	// owner is whose fields they are; zero where that is not what they share.
	owner report.Writer
	// kind and pattern are of fields that are the same in many objects, and says is what
	// else they share.
	kind, pattern, says string
	cause               report.Attribution
}

func keyOf(f report.Finding) groupKey {
	pattern, _ := report.Pattern(f.Field)
	key := groupKey{rule: f.Rule, severity: f.Severity, cause: f.Cause}
	fix, _ := f.Recommended()
	does := cmp.Or(string(f.Does()), fix.Does.Format)
	switch f.By {
	case report.BySaying:
		key.pattern, key.says = cmp.Or(f.Joint, pattern), Nameless(f.Message.String(), f.Target)
		if f.Joint != "" {
			key.applier, key.kind = f.Applier, f.Target.Kind+"."+f.Target.Group()
		}
		if f.Caveat != "" {
			key.pattern, key.says = "", f.Caveat+apart(f)
		}
		return key
	case report.ByOwner:
		if len(f.Owners) > 0 {
			key.owner = f.Owners[0]
			key.owner.Time, key.owner.APIVersion = nil, ""
		}
		key.says = strings.Join([]string{f.Message.Format, does, f.Why.String()}, "\n")
		for _, w := range f.Owners[min(1, len(f.Owners)):] {
			key.says += "\n" + w.Manager + " " + w.Operation + " " + w.Subresource
		}
	case report.ByCause:
		key.says = named(f.Message) + "\n" + does
		if f.Because == report.NoneHolds {
			key.says += f.Why.String()
		}
	default:
		key.says = f.Message.Format + "\n" + does
		if f.Rule == report.RuleDeletesMore || len(f.Objects) > 0 {
			// How many other objects it is about is said of each.
			key.says = f.Message.String() + "\n" + does
		}
		if f.Severity != report.SeverityNote {
			key.kind, key.pattern = f.Target.Kind+"."+f.Target.Group(), pattern
		}
	}
	if !fix.ByHand.IsZero() {
		key.says += "\n" + fix.ByHand.Format
	}
	key.applier, key.subresource = f.Applier, f.Target.Subresource
	key.says += "\n" + strings.Join(f.Also, " ")
	return key
}

// named are the words of a message and the names in it, without the values, which the rows have.
func named(t text.Text) string {
	says := t.Format
	for _, arg := range t.Args {
		says += "\n" + arg.Name
		if arg.Text != nil {
			says += named(*arg.Text)
		}
	}
	return says
}

// fetched are the caveats that differ in the objects or kinds to fetch only.
var fetched = []string{report.RuleNoManagedFields, report.RuleNoLiveKind, report.RuleAssumedSchema}

// apart is what keeps cautions of one rule apart; empty for those that are one.
func apart(f report.Finding) string {
	if slices.Contains(fetched, f.Caveat) {
		return ""
	}
	says := "\n" + f.Message.String()
	for _, fix := range f.Fixes {
		says += "\n" + fix.Does.String() + fix.Command.String()
	}
	return says
}

// Nameless is a message without the object that it names, so that those of several objects
// are one. One that names a namespace alone is about that.
func Nameless(message string, t report.Target) string {
	if !strings.Contains(message, `"`+t.Name+`"`) {
		return message
	}
	message = strings.NewReplacer(t.Kind+` "`+t.Name+`"`, `"*"`, `"`+t.Name+`"`, `"*"`).Replace(message)
	if t.Namespace == "" {
		return message
	}
	return strings.ReplaceAll(message, `"`+t.Namespace+`"`, `"*"`)
}

// Groups are the findings of a run by their causes. They keep little of each.
type Groups struct {
	list []*Group
	at   map[groupKey]*Group
}

// Len is how many there are.
func (g *Groups) Len() int { return len(g.list) }

// keptRows is how many findings of a group are kept.
const keptRows = 100

// Add counts a finding on an object, which has a number in the run. It gives the group that
// begins with it; nil where there is one, and where there is no room any more.
func (g *Groups) Add(object int, f report.Finding) *Group {
	key := keyOf(f)
	one, began := g.at[key], (*Group)(nil)
	pattern, keys := report.Pattern(f.Field)
	if one == nil {
		if len(g.list) >= maxGroups {
			return nil
		}
		if g.at == nil {
			g.at = map[groupKey]*Group{}
		}
		one = &Group{Finding: f, key: key, Common: pattern, At: keys}
		g.at[key], g.list, began = one, append(g.list, one), one
	}
	one.add(object, f, pattern, keys)
	return began
}

func (g *Group) add(object int, f report.Finding, pattern string, keys []string) {
	g.Message = merged(g.Message, f.Message)
	if g.Common == pattern {
		Starred(g.At, keys)
	} else {
		g.Common = ""
	}
	fields := f.Fields
	if len(fields) == 0 {
		fields = []string{cmp.Or(f.AskedAs, f.Field)}
	}
	g.Fields += max(len(fields), f.Counted)
	if g.last != object {
		g.last = object
		g.Objects++
		g.On.Add(f.Target)
	}
	if len(g.Rows) < keptRows {
		g.Rows = append(g.Rows, f)
	}
	for _, field := range fields {
		g.Edits.Add(f.Target, field)
	}
	kind := report.Target{APIVersion: f.Target.APIVersion, Kind: f.Target.Kind, Namespace: f.Target.Namespace}
	if len(g.Kinds) < maxGroups && !slices.Contains(g.Kinds, kind) {
		g.Kinds = append(g.Kinds, kind)
	}
}

// mergedNames is how many names the message of a group lists.
const mergedNames = 3

// merged is a message whose names are those of another one too, and in which a value that
// the other does not have is left out.
func merged(a, b text.Text) text.Text {
	if a.Format != b.Format || len(a.Args) != len(b.Args) {
		return a
	}
	a.Args = slices.Clone(a.Args)
	for i, arg := range b.Args {
		if arg.HasValue && text.New("%v", arg).String() != text.New("%v", a.Args[i]).String() {
			// The rows have the values.
			a.Args[i] = text.Name("…")
		}
		names := strings.Split(a.Args[i].Name, ", ")
		for _, name := range strings.Split(arg.Name, ", ") {
			if name == "" || slices.Contains(names, name) || len(names) > mergedNames {
				continue
			}
			if len(names) == mergedNames {
				name = "…"
			}
			names = append(names, name)
		}
		a.Args[i].Name = strings.Join(names, ", ")
	}
	return a
}

// Starred puts * for the keys of a path that differ from those of another one.
func Starred(keys, others []string) {
	for i, k := range others {
		if keys[i] != k {
			keys[i] = "*"
		}
	}
}

// Under are the groups of a rule.
func (g *Groups) Under(rule string) []*Group {
	return slices.DeleteFunc(slices.Clone(g.Sorted()), func(one *Group) bool { return one.Rule != rule })
}

// Sorted are the groups, the worst first, and of one severity those that decide about the
// whole run, then those of most objects.
func (g *Groups) Sorted() []*Group {
	slices.SortStableFunc(g.list, func(a, b *Group) int {
		return cmp.Or(
			cmp.Compare(stood(a), stood(b)),
			cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
			cmp.Compare(weight(a), weight(b)),
			cmp.Compare(turn(a), turn(b)),
			cmp.Compare(b.Objects, a.Objects),
			cmp.Compare(b.Fields, a.Fields),
			strings.Compare(
				a.Rule,
				b.Rule,
			),
			strings.Compare(a.key.pattern, b.key.pattern),
			strings.Compare(a.key.kind, b.key.kind),
		)
	})
	return g.list
}

// stood puts what stood before a change behind all others.
func stood(g *Group) int {
	if g.Counts() {
		return 0
	}
	return 1
}

// weight puts rejections first, which decide about the whole run, then what has no answer,
// and deletions, those of data before others, and parts of objects last.
func weight(g *Group) int {
	switch {
	case g.Rule == report.RuleRefused:
		return 0
	case g.Rule == report.RuleNoAnswer:
		return 1
	case g.Rule == report.RuleDeletesMore && isStorage(g.Rows[0].Target.Kind):
		return 2
	case g.Rule == report.RuleDeletesMore:
		return 3
	case g.Rule == report.RuleDataPruned:
		return 4
	}
	return 5
}

// isStorage reports whether objects of a kind stand for data.
func isStorage(kind string) bool {
	return kind == "PersistentVolumeClaim" || kind == "PersistentVolume"
}

// turn puts a migration before the other conflicts, as they are resolved on what it
// leaves, and those that are to be forced behind them.
func turn(g *Group) int {
	switch does := g.Does(); {
	case g.Rule != report.RuleConflict:
	case does == report.EditMigrate:
		return -1
	case does == report.EditForce:
		return 1
	}
	return 0
}
