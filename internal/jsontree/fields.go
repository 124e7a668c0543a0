package jsontree

// fieldsKey is the key of what a field manager owns.
const fieldsKey = "fieldsV1"

// fields reads what a field manager owns, and notes its text.
func (d *decoder) fields() any {
	d.next()
	from, at := d.at, len(d.owned)
	d.owned = append(d.owned, nil)
	tree := d.value()
	d.owned = d.owned[:at+1]
	d.owned[at] = d.text[from:d.at]
	return tree
}
