package answers

// maxGroups bounds what a run keeps of each kind: hostile input has as many
// different fields as it wants.
const maxGroups = 1000

// keyed are things by what those of one have in common, in the order of their first
// ones. What has no room any more is left out.
type keyed[K comparable, T any] struct {
	list []*T
	at   map[K]*T
}

// of is the one of a key, which is made for the first; nil where there is no room.
func (k *keyed[K, T]) of(key K, made func() *T) *T {
	if one := k.at[key]; one != nil || len(k.list) >= maxGroups {
		return one
	}
	if k.at == nil {
		k.at = map[K]*T{}
	}
	one := made()
	k.at[key], k.list = one, append(k.list, one)
	return one
}

// starred puts * for the keys of a path that differ from those of another one.
func starred(keys, others []string) {
	for i, k := range others {
		if keys[i] != k {
			keys[i] = "*"
		}
	}
}
