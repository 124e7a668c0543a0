package objects

// row is a place in an object, or at the same place in two: a leaf, or, behind one that
// opens, the map or list that is below it and not cut into leaves yet.
type row struct {
	leaf
	in [2]bool
	// dashes are those of the lists whose items the row begins, in each object: an
	// item may begin with a field that the other one does not have.
	dashes [2]int
	// shown: it differs from the other object, or is near to what does.
	shown bool
}

// step is how much deeper a field is than what it is in, and as wide as a dash.
const step = 2

// differs reports whether a row is not in both objects, or not alike.
func (r row) differs() bool { return r.in[0] != r.in[1] || r.dashes[0] != r.dashes[1] }

// uncut reports whether a row is not cut into leaves yet.
func (r row) uncut() bool { return isOpen(r.value) }

// isOpen reports whether a value is a map or a list with something in it.
func isOpen(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return false
}

// cutter cuts objects into rows.
type cutter struct {
	// strange: there is something that the encoder may write in another way where it
	// does not stand alone.
	strange bool
}

// cut gives what is below a row, one level deep, in the order of its lines.
func (c *cutter) cut(r row) []row {
	var out []row
	switch v := r.value.(type) {
	case map[string]any:
		out = make([]row, 0, 2*len(v))
		for _, key := range keysOf(v) {
			out = c.field(out, r.in, r.indent, key, v[key])
		}
	case []any:
		out = make([]row, 0, len(v))
		for _, item := range v {
			out = c.item(out, r.in, r.indent, item)
		}
	}
	for i, dashes := range r.dashes {
		out[0].dashes[i] += dashes
	}
	return out
}

// field adds a field of objects, and what is below it.
func (c *cutter) field(out []row, in [2]bool, indent int, key string, v any) []row {
	value, alone := c.value(v)
	out = append(out, row{leaf: leaf{indent: indent, key: key, value: value}, in: in})
	if alone {
		return out
	}
	return append(out, row{leaf: leaf{indent: indentBelow(indent, v), value: v}, in: in})
}

// indentBelow is where the fields or items are that are below a field: a list stands below
// its name, and no deeper.
func indentBelow(indent int, v any) int {
	if _, ok := v.(map[string]any); ok {
		return indent + step
	}
	return indent
}

// item adds an item of a list.
func (c *cutter) item(out []row, in [2]bool, indent int, item any) []row {
	value, alone := c.value(item)
	if alone {
		return append(out, row{leaf: leaf{indent: indent, item: true, value: value}, in: in})
	}
	r := row{leaf: leaf{indent: indent + step, value: item}, in: in}
	begin(&r)
	return append(out, r)
}

// begin puts a dash before a row in each object that has it.
func begin(r *row) {
	for i, in := range r.in {
		if in {
			r.dashes[i]++
		}
	}
}

// value is that of a leaf, and whether nothing is below it.
func (c *cutter) value(v any) (any, bool) {
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
		return v, true
	case map[string]any:
		c.strange = c.strange || v == nil
		if len(v) > 0 {
			return opens{}, false
		}
		return noFields{}, true
	case []any:
		c.strange = c.strange || v == nil
		if len(v) > 0 {
			return opens{}, false
		}
		return noItems{}, true
	}
	c.strange = true
	return nil, true
}
