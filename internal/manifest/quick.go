package manifest

import (
	"bytes"
	"regexp"
)

// plainText is a value that YAML can only read as a string: a letter first,
// and none of the words that are booleans or null.
var (
	plainText = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._/-]*$`)
	otherWord = regexp.MustCompile(`(?i)^(y|n|yes|no|on|off|true|false|null)$`)
	oddLine   = regexp.MustCompile(`^ *(- )?["'?{\[&*!<%\t]`)
)

// quickIdentity reads the identity of a block mapping from its lines, without
// reading the rest; false where the shape is not the one that kubectl writes.
func quickIdentity(raw []byte) (Identity, bool) {
	var id Identity
	root, meta, inMeta := -1, -1, false
	seen := map[string]bool{}
	for line := range bytes.Lines(raw) {
		text := bytes.TrimLeft(line, " ")
		column := len(line) - len(text)
		if text = bytes.TrimSpace(text); len(text) == 0 || text[0] == '#' {
			continue
		}
		if root < 0 {
			root = column
		}
		if column > root && inMeta && meta < 0 {
			meta = column
		}
		atRoot, atMeta := column == root, inMeta && column == meta
		if column < root || ((atRoot || atMeta) && oddLine.Match(text)) {
			return id, false
		}
		if !atRoot && !atMeta {
			continue
		}
		key, value, ok := bytes.Cut(text, []byte(":"))
		if !ok {
			if bytes.HasPrefix(text, []byte("- ")) || string(text) == "-" {
				continue
			}
			return id, false
		}
		name := string(key)
		if atRoot {
			inMeta, meta = name == "metadata", -1
			if inMeta && len(bytes.TrimSpace(value)) > 0 {
				return id, false
			}
		} else {
			name = "metadata." + name
		}
		into := id.field(name)
		if into == nil {
			continue
		}
		word := string(bytes.TrimSpace(value))
		if seen[name] || !plainText.MatchString(word) || otherWord.MatchString(word) {
			return id, false
		}
		seen[name] = true
		*into = word
	}
	return id, id.Kind != "" && id.APIVersion != "" && id.Name != ""
}

func (id *Identity) field(name string) *string {
	switch name {
	case "apiVersion":
		return &id.APIVersion
	case "kind":
		return &id.Kind
	case "metadata.name":
		return &id.Name
	case "metadata.namespace":
		return &id.Namespace
	case "metadata.generateName":
		return &id.GenerateName
	}
	return nil
}
