package jsontree

// Equal reports whether a text is surely the tree's: equal keys, values and kinds
// of numbers, in any order of keys. The text must not repeat a key within an
// object, which no encoder does.
func Equal(text []byte, tree any) bool {
	c := comparer{scanner{text: text}}
	return c.value(tree) && c.next() == 0 && c.at == len(text) && !c.failed
}

// comparer compares as it reads. Its methods are false where it stops.
type comparer struct{ scanner }

func (c *comparer) value(tree any) bool {
	switch first := c.next(); first {
	case '{':
		object, ok := tree.(map[string]any)
		return ok && c.members(object)
	case '[':
		list, ok := tree.([]any)
		return ok && c.elements(list)
	case '"':
		want, ok := tree.(string)
		return ok && string(c.string()) == want && !c.failed
	case 't':
		c.word("true")
		return tree == true && !c.failed
	case 'f':
		c.word("false")
		return tree == false && !c.failed
	case 'n':
		c.word("null")
		return tree == nil && !c.failed
	case 0:
		return false
	}
	return c.number() == tree && !c.failed
}

func (c *comparer) members(object map[string]any) bool {
	if !c.enter() {
		return false
	}
	seen := 0
	for c.next() != '}' {
		if seen > 0 {
			c.pass(',')
		}
		value, ok := object[string(c.string())]
		c.pass(':')
		if !ok || c.failed || !c.value(value) {
			return false
		}
		seen++
	}
	c.at++
	c.depth--
	return seen == len(object)
}

func (c *comparer) elements(list []any) bool {
	if !c.enter() {
		return false
	}
	for i, value := range list {
		if i > 0 {
			c.pass(',')
		}
		if c.next() == ']' || !c.value(value) {
			return false
		}
	}
	c.pass(']')
	c.depth--
	return !c.failed
}

func (c *comparer) enter() bool {
	c.at++
	c.depth++
	return c.depth <= maxDepth
}
