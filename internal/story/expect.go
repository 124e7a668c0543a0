package story

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Failure is an expectation that does not hold.
type Failure struct {
	Place
	// Key is that of the expectation, Field the field that it is about; empty for none.
	Key, Field string
	// Expected and Actual are in words.
	Expected, Actual string
}

// String says what was expected and what is there.
func (f Failure) String() string {
	about := f.Key
	if f.Field != "" {
		about += " " + f.Field
	}
	return fmt.Sprintf("%s: expected %s, got %s", about, f.Expected, f.Actual)
}

// check is one expectation while it is looked at.
type check struct {
	Expect
	answer Answer
	out    []Failure
	// hides: values are those of a Secret.
	hides bool
}

// Check gives the expectations of a step that do not hold, in their order. Values of Secrets
// are not shown.
func Check(step Step, answers []Answer, showSecrets bool) []Failure {
	var out []Failure
	for _, e := range step.Expect {
		found := answers
		if e.Object != "" {
			found = slices.DeleteFunc(slices.Clone(answers), func(a Answer) bool { return !a.isNamed(e.Object) })
		}
		switch {
		case len(found) == 1:
			c := check{Expect: e, answer: found[0], hides: found[0].isSecret() && !showSecrets}
			c.all()
			out = append(out, c.out...)
		case e.Object != "":
			out = append(out, Failure{e.at("object"), "object", "", e.Object, names(answers)})
		default:
			out = append(out, Failure{e.At, "object", "", "one object, or one that is named", names(answers)})
		}
	}
	return out
}

func names(answers []Answer) string {
	var out []string
	for _, a := range answers {
		out = append(out, a.Reference())
	}
	if out == nil {
		return "none"
	}
	return strings.Join(out, ", ")
}

func (e Expect) at(key string) Place {
	if at, is := e.Places[key]; is {
		return at
	}
	return e.At
}

// mentions reports whether a key is there, be it with nothing.
func (e Expect) mentions(key string) bool {
	_, is := e.Places[key]
	return is
}

func (c *check) fail(key, field, expected, actual string) {
	c.out = append(c.out, Failure{c.at(key), key, field, expected, actual})
}

func (c *check) all() {
	a := c.answer
	if c.Outcome != "" && c.Outcome != a.Outcome {
		c.fail("outcome", "", c.Outcome, strings.TrimSuffix(a.Outcome+": "+c.message(), ": "))
	}
	if c.Code != nil && *c.Code != a.Code {
		c.fail("code", "", fmt.Sprint(*c.Code), fmt.Sprint(a.Code))
	}
	if c.Message != "" && !strings.Contains(c.message(), c.Message) {
		c.fail("message", "", Shown(c.Message), Shown(c.message()))
	}
	if c.Unchanged != nil && *c.Unchanged != (a.Outcome == "Unchanged") {
		c.fail("unchanged", "", fmt.Sprint(*c.Unchanged), a.Outcome)
	}
	if c.Deleted != nil && *c.Deleted != a.Deleted {
		c.fail("deleted", "", fmt.Sprint(*c.Deleted), fmt.Sprint(a.Deleted))
	}
	c.values()
	c.owners()
	c.lists()
	c.settles()
}

// message is what the API server says, or why there is no answer.
func (c *check) message() string {
	if c.hides {
		return ""
	}
	return c.answer.message()
}

func (c *check) values() {
	after := c.answer.after()
	for _, field := range slices.Sorted(maps.Keys(c.Values)) {
		want := c.Values[field]
		got, has := Lookup(after, field)
		switch {
		case !has:
			c.fail("values", field, c.value(want), "no such field")
		case !Equal(want, got):
			c.fail("values", field, c.value(want), c.value(got))
		}
	}
	for _, field := range c.Absent {
		if got, has := Lookup(after, field); has {
			c.fail("absent", field, "no such field", c.value(got))
		}
	}
}

func (c *check) value(v any) string {
	if c.hides {
		return "***"
	}
	return Shown(v)
}

func (c *check) owners() {
	for _, field := range slices.Sorted(maps.Keys(c.Owners)) {
		c.same("owners", field, c.Owners[field], c.answer.ownersOf(field))
	}
	if c.mentions("managers") {
		c.same("managers", "", c.Managers, c.answer.managers())
	}
}

// ownersOf are those of a field; of one that is owned with what it is in, those of that.
func (a Answer) ownersOf(field string) []Owner {
	for _, row := range a.Ownership {
		if row.Field == field {
			return row.Managers
		}
	}
	return nil
}

// managers are the managed fields entries afterwards.
func (a Answer) managers() []Owner {
	metadata, _ := a.after()["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	var out []Owner
	for _, item := range list {
		entry, _ := item.(map[string]any)
		text := func(key string) string { s, _ := entry[key].(string); return s }
		out = append(out, Owner{text("manager"), text("operation"), text("subresource")})
	}
	return out
}

// same compares owners as they are written with those that are.
func (c *check) same(key, field string, want []string, got []Owner) {
	rest := slices.Clone(got)
	missing := false
	for _, w := range want {
		i := slices.IndexFunc(rest, func(o Owner) bool { return o.is(w) })
		if i < 0 {
			missing = true
			continue
		}
		rest = slices.Delete(rest, i, i+1)
	}
	if missing || len(rest) > 0 {
		c.fail(key, field, listed(want), listed(texts(got)))
	}
}

func texts(owners []Owner) []string {
	var out []string
	for _, o := range owners {
		out = append(out, o.String())
	}
	return out
}

func listed(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

func (c *check) lists() {
	a := c.answer
	if c.mentions("conflicts") || c.Exactly {
		c.fields("conflicts", c.Conflicts, a.conflicts(), c.Exactly || len(c.Conflicts) == 0)
	}
	if c.mentions("changes") || c.Exactly {
		got := a.changed()
		want := slices.Sorted(slices.Values(c.Changes))
		if !slices.Equal(want, got) {
			c.fail("changes", "", listed(want), listed(got))
		}
	}
	parts := func(want, got string) bool { return strings.Contains(got, want) }
	c.some("warnings", c.Warnings, a.Warnings, parts)
	var found, forbidden []string
	for _, f := range a.Findings {
		for _, rule := range append([]string{f.Rule}, f.Also...) {
			found = append(found, strings.TrimSpace(rule+" "+f.Field))
			if rule == "forbidden-owner" {
				forbidden = append(forbidden, f.Field)
			}
		}
	}
	c.some("findings", c.Findings, found, func(want, got string) bool {
		return want == got || strings.HasPrefix(got, want+" ")
	})
	c.some("policy", c.Policy, forbidden, func(want, got string) bool { return want == got })
}

// some compares what is expected with what is there: each has to be there, and if nothing is
// expected, or all, nothing else may.
func (c *check) some(key string, want, got []string, fits func(want, got string) bool) {
	if !c.mentions(key) && !c.Exactly {
		return
	}
	rest := slices.Clone(got)
	var missing []string
	for _, w := range want {
		if !slices.ContainsFunc(got, func(g string) bool { return fits(w, g) }) {
			missing = append(missing, w)
		}
		rest = slices.DeleteFunc(rest, func(g string) bool { return fits(w, g) })
	}
	if missing != nil || len(rest) > 0 && (c.Exactly || len(want) == 0) {
		c.fail(key, "", listed(want), listed(got))
	}
}

// fields compares fields with their managers.
func (c *check) fields(key string, want, got map[string][]string, exactly bool) {
	for _, field := range slices.Sorted(maps.Keys(want)) {
		w, g := slices.Sorted(slices.Values(want[field])), slices.Sorted(slices.Values(got[field]))
		if !slices.Equal(slices.Compact(w), slices.Compact(g)) {
			c.fail(key, field, listed(w), listed(g))
		}
	}
	if !exactly {
		return
	}
	for _, field := range slices.Sorted(maps.Keys(got)) {
		if _, is := want[field]; !is {
			c.fail(key, field, "none", listed(got[field]))
		}
	}
}

func (c *check) settles() {
	a := c.answer
	result := "nothing is known of it"
	if a.Settles != nil {
		result = a.Settles.Result
	}
	if c.Settles != "" && c.Settles != result {
		c.fail("settles", "", c.Settles, result)
	}
	if c.mentions("cycle") {
		c.fields("cycle", c.Cycle, a.Cycle(), c.Exactly)
	}
}

// Cycle are the writers that set a field in turn, by field.
func (a Answer) Cycle() map[string][]string {
	out := map[string][]string{}
	if a.Settles == nil {
		return out
	}
	for _, s := range a.Settles.Cycle {
		who := s.Writer
		if s.By != "" {
			who = s.By
		}
		if !slices.Contains(out[s.Field], who) {
			out[s.Field] = append(out[s.Field], who)
		}
	}
	return out
}

// changed are the fields whose values change, sorted; what counts writes is left out.
func (a Answer) changed() []string {
	out := []string{}
	for _, one := range a.Changes {
		if one.Field != ".metadata.generation" && one.Field != ".metadata.creationTimestamp" {
			out = append(out, one.Field)
		}
	}
	slices.Sort(out)
	return out
}
