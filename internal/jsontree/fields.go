package jsontree

// fieldsKey is the key of what a field manager owns. Half of a live object is below it,
// and of one kind many objects say the same there.
const fieldsKey = "fieldsV1"

// fields reads what a field manager owns, and notes its text.
func (d *decoder) fields() any {
	d.next()
	from, at := d.at, len(d.owned)
	d.owned = append(d.owned, nil)
	tree := d.recalled()
	d.owned = d.owned[:at+1]
	d.owned[at] = d.text[from:d.at]
	return tree
}

// recalled reads an object. Where its text was read before, it is the same tree.
func (d *decoder) recalled() any {
	if d.next() != '{' {
		return d.value()
	}
	from := d.at
	d.skip()
	if d.failed {
		return nil
	}
	text := d.text[from:d.at]
	if tree, ok := d.known.Get(text); ok {
		return tree
	}
	d.at = from
	repeated, hollow := d.repeated, d.hollow
	d.repeated, d.hollow = false, false
	tree := d.value()
	if !d.failed && !d.repeated && !d.hollow {
		d.known.Put(text, func() any { return tree })
	}
	d.repeated, d.hollow = d.repeated || repeated, d.hollow || hollow
	return tree
}
