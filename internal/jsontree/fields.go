package jsontree

// fieldsKey is the key of what a field manager owns. Half of a live object is below it,
// and of one kind many objects say the same there.
const fieldsKey = "fieldsV1"

// fields reads what a field manager owns. Where the text was read before, it is the
// same tree.
func (d *decoder) fields() any {
	if d.next() != '{' {
		return d.value()
	}
	from := d.at
	d.skip()
	if d.failed {
		return nil
	}
	text := d.text[from:d.at]
	if tree, ok := d.owned.Get(text); ok {
		return tree
	}
	d.at = from
	repeated := d.repeated
	d.repeated = false
	tree := d.value()
	if !d.failed && !d.repeated {
		d.owned.Put(text, func() any { return tree })
	}
	d.repeated = d.repeated || repeated
	return tree
}
