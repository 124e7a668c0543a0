package redact

import "encoding/base64"

// Disguised gives an object in which other values stand wherever a Masker masks one,
// and reports whether there is any. It remains an object that the API server takes: in
// the data of a Secret the other values are base64. The given object is not changed.
func Disguised(object map[string]any, other func(plain string) string) (map[string]any, bool) {
	m := New()
	m.seal, m.inData = other, func(plain string) string { return base64.StdEncoding.EncodeToString([]byte(plain)) }
	m.learnObject(object)
	p := pass{m, func(v *value) string { return v.sealed }}
	if saysSecret(object) {
		disguised := p.secret(object)
		return disguised, !sameMap(disguised, object)
	}
	disguised, _ := p.tree(object).(map[string]any)
	return disguised, !sameMap(disguised, object)
}
