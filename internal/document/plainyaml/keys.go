package plainyaml

import "bytes"

// maxKey bounds keys as they are written: YAML gives up on longer ones.
const maxKey = 1000

// keyOf splits a line at the colon of its key, and gives what follows it without
// the spaces between. It is false where the line has no key that reads as a
// string.
func keyOf(text []byte) (key, value []byte, ok bool) {
	if len(text) == 0 {
		return nil, nil, false
	}
	var rest []byte
	if text[0] == '"' || text[0] == '\'' {
		if key, rest, ok = quoted(text, nil); !ok || len(rest) == 0 || rest[0] != ':' {
			return nil, nil, false
		}
		rest = rest[1:]
	} else {
		i := colon(text)
		if i < 0 {
			return nil, nil, false
		}
		key, rest = text[:i], text[i+1:]
		if resolve(key) != stringKind || key[len(key)-1] == ' ' || comment(key) >= 0 {
			return nil, nil, false
		}
	}
	if len(text)-len(rest) > maxKey || string(key) == "<<" || len(rest) > 0 && rest[0] != ' ' {
		return nil, nil, false
	}
	return key, bytes.TrimLeft(rest, " "), true
}

// colon finds the colon that ends a plain key; -1 without one.
func colon(text []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(text[from:], ':')
		if i < 0 {
			return -1
		}
		if i += from; i+1 == len(text) || text[i+1] == ' ' {
			return i
		}
		from = i + 1
	}
}

// many is how many keys of a mapping are compared one by one; more are looked
// up.
const many = 24

// keys are those of the mappings that are open, innermost last. They are parts
// of the text, or copies.
type keys struct {
	seen [][]byte
	// sets are the keys of large mappings, by where those begin in seen.
	sets map[int]map[string]struct{}
}

// open begins a mapping.
func (k *keys) open() (mark int) { return len(k.seen) }

// close ends the mapping that began at mark.
func (k *keys) close(mark int) {
	k.seen = k.seen[:mark]
	delete(k.sets, mark)
}

// add is false for a key that the mapping has already.
func (k *keys) add(mark int, key []byte) bool {
	if set := k.sets[mark]; set != nil {
		before := len(set)
		set[string(key)] = struct{}{}
		return len(set) > before
	}
	for _, other := range k.seen[mark:] {
		if bytes.Equal(other, key) {
			return false
		}
	}
	k.seen = append(k.seen, key)
	if seen := k.seen[mark:]; len(seen) > many {
		set := make(map[string]struct{}, 4*many)
		for _, key := range seen {
			set[string(key)] = struct{}{}
		}
		if k.sets == nil {
			k.sets = map[int]map[string]struct{}{}
		}
		k.sets[mark] = set
	}
	return true
}
