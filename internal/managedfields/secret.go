package managedfields

import "strings"

// shownOfSecret are the fields of a Secret whose paths and values tell nothing
// that is secret, unless they are of a wrong type.
var shownOfSecret = map[string]bool{"apiVersion": true, "kind": true, "metadata": true, "type": true, "immutable": true}

// Top cuts a field behind its first name, which is empty for the object itself
// and where a list item or a value comes first.
//
//	.data.password  gives  data and .password
func Top(field string) (name, below string) {
	field = strings.TrimPrefix(field, ".")
	if at := strings.IndexAny(field, ".["); at >= 0 {
		return field[:at], field[at:]
	}
	return field, ""
}

// ShownOfSecret reports whether a field of a Secret, or what is below it, holds no
// secret. A field that no Secret has may hold what data was to hold.
func ShownOfSecret(field string) bool {
	name, _ := Top(field)
	return shownOfSecret[name]
}

// FieldOfSecret is the path of a Secret's field without the values in it:
// those of set elements, and the keys of list items.
//
//	.data[="hunter2"]  gives  .data[=***]
func FieldOfSecret(field string) string {
	at := strings.Index(field, "[")
	switch {
	case at < 0 || ShownOfSecret(field):
		return field
	case strings.HasPrefix(field[at:], "[="):
		return field[:at] + "[=***]"
	}
	return field[:at] + "[***]"
}
