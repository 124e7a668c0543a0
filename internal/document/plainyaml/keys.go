package plainyaml

import "bytes"

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
	if k.sets != nil {
		delete(k.sets, mark)
	}
}

// add is false for a key that the mapping has already.
func (k *keys) add(mark int, key []byte) bool {
	if set, ok := k.sets[mark]; ok {
		_, twice := set[string(key)]
		set[string(key)] = struct{}{}
		return !twice
	}
	for _, other := range k.seen[mark:] {
		if bytes.Equal(other, key) {
			return false
		}
	}
	k.seen = append(k.seen, key)
	if len(k.seen)-mark > many {
		k.lookUp(mark)
	}
	return true
}

func (k *keys) lookUp(mark int) {
	set := make(map[string]struct{}, 4*many)
	for _, key := range k.seen[mark:] {
		set[string(key)] = struct{}{}
	}
	if k.sets == nil {
		k.sets = map[int]map[string]struct{}{}
	}
	k.sets[mark] = set
}
