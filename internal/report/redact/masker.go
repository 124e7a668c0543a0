package redact

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// Masker masks the Secrets of one run. It numbers values in the order in which they are
// first shown, so that equal values have equal masks. It is safe for concurrent use; a nil
// one shows everything.
type Masker struct {
	mu sync.Mutex
	// values are those that were learned or shown, by what they are; numbered
	// counts those that have a mask.
	values   map[digest]*value
	numbered int
	search   index
	waiting  waiting
	// public are the names and keys of Secrets.
	public map[string]bool
	// knows is whether there is any value to search for.
	knows atomic.Bool
	// dry is while values are learned, and nothing is numbered.
	dry bool
	off atomic.Bool
	// held are the fields of objects that were made from values of Secrets, by target; shared with those apart.
	held *sync.Map
	// seal is a Sealer's, and inData how the data of a Secret has what it gives; nil
	// where values are masked.
	seal, inData func(plain string) string
}

// digest identifies a value that need not be kept.
type digest = [sha256.Size]byte

type value struct {
	key digest
	// number is 0 until the value is shown.
	number int
	// searched is whether texts are searched for it.
	searched bool
	// encodings are those that texts are searched for.
	encodings []string
	// sealed is what a Sealer puts in its place.
	sealed string
}

// New gives a Masker that knows no value yet.
func New() *Masker {
	return &Masker{values: map[digest]*value{}, public: map[string]bool{}, search: newIndex(), held: &sync.Map{}}
}

// Apart gives a Masker with numbers of its own, for answers that are masked before they are
// shown.
func (m *Masker) Apart() *Masker {
	apart := New()
	apart.off.Store(m.Shows())
	if m != nil {
		apart.held = m.held
	}
	apart.knows.Store(m != nil && m.knows.Load())
	return apart
}

// ShowSecrets has everything shown from now on.
func (m *Masker) ShowSecrets() { m.off.Store(true) }

// Shows reports whether nothing is masked.
func (m *Masker) Shows() bool { return m == nil || m.off.Load() }

// Learn remembers the values of the Secrets in an object as it was read, or in
// any other JSON value, wherever in it they are.
func (m *Masker) Learn(v any) {
	if m.Shows() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	// An object may say nothing but that it is a Secret.
	if object, ok := v.(map[string]any); ok && saysSecret(object) {
		m.learning().secret(object)
		return
	}
	m.learn(v)
}

// Object gives an object with the values of Secrets masked. The given one is not changed.
func (m *Masker) Object(object map[string]any) map[string]any {
	if m.Shows() || object == nil {
		return object
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.object(object, m.mask)
}

// object learns the values of an object, and gives it with each shown as it is said.
func (m *Masker) object(object map[string]any, show func(*value) string) map[string]any {
	if saysSecret(object) {
		m.learning().secret(object)
		return pass{m, show}.secret(object)
	}
	m.learn(object)
	shown, _ := pass{m, show}.tree(object).(map[string]any)
	return shown
}

// Annotation gives the masked value of an annotation of a Secret with known values.
func (m *Masker) Annotation(key, value string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	masked, _ := m.masking().annotation(key, value).(string)
	return masked
}

func (m *Masker) learn(v any) {
	switch v := v.(type) {
	case map[string]any:
		if isSecret(v) {
			m.learning().secret(v)
			return
		}
		for _, item := range v {
			m.learn(item)
		}
	case []any:
		for _, item := range v {
			m.learn(item)
		}
	case string:
		if HoldsText(v) {
			m.learnText(v)
		}
	}
}

// learnText remembers the Secrets of a manifest that is a value.
func (m *Masker) learnText(s string) {
	for _, tree := range trees(s) {
		if Holds(tree) {
			m.learn(tree)
		}
	}
}

// LearnPatch remembers all values of a patch of a Secret, or of what else is to
// be put into one: an object, the operations of a JSON patch, or a bare value.
func (m *Masker) LearnPatch(patch any) {
	if m.Shows() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch patch := patch.(type) {
	case map[string]any:
		m.learning().secret(patch)
	case []any:
		for _, item := range patch {
			operation, ok := item.(map[string]any)
			if !ok {
				m.learning().leaves(item)
				continue
			}
			pointer, _ := operation["path"].(string)
			for _, key := range slices.Sorted(maps.Keys(operation)) {
				if key != "op" && key != "path" && key != "from" {
					m.learning().at(fieldOf(pointer), operation[key])
				}
			}
		}
	default:
		m.learning().leaves(patch)
	}
}

// learning is a pass over Secrets that collects their values and discards the masked form.
func (m *Masker) learning() pass { return pass{m, func(*value) string { return unseen }} }

// masking is a pass that gives masks.
func (m *Masker) masking() pass { return pass{m, m.mask} }

// mask is what a value is shown as.
func (m *Masker) mask(v *value) string {
	if m.dry {
		return unseen
	}
	if v.number == 0 {
		m.numbered++
		v.number = m.numbered
	}
	return fmt.Sprintf(maskStart+"%d)", v.number)
}

// known is the value that a plain text is, learned when it is new.
func (m *Masker) known(plain string) *value {
	v := m.whole(plain)
	if v.searched {
		return v
	}
	v.searched = true
	m.await(&unspelled{of: v, text: plain, as: whole})
	m.await(&unspelled{of: v, text: plain, as: derived, encoded: true})
	for _, text := range lines(plain) {
		m.await(&unspelled{of: v, text: text, as: derived})
	}
	return v
}

// spell has all spellings of a text stand for a value.
func (m *Masker) spell(v *value, text string, as fit) {
	w := weigh(text)
	for _, spelling := range spelled(text) {
		with := meaning{v, as, w}
		if spelling == text && as == whole {
			with.fit = exact
		}
		m.search.add(spelling, with)
	}
}

// whole is the value that a text is, which is masked where it stands and not searched for.
func (m *Masker) whole(text string) *value {
	key := sha256.Sum256([]byte(text))
	v, ok := m.values[key]
	if !ok {
		v = &value{key: key}
		if m.seal != nil {
			v.sealed = m.seal(text)
		}
		m.values[key] = v
		m.knows.Store(true)
	}
	return v
}

// encoded is the value of an item of data, which is base64 of the plain one.
// What is not base64 is taken as it stands.
func (m *Masker) encoded(s string) *value {
	plain, ok := fromBase64(s)
	if !ok {
		return m.known(s)
	}
	v := m.known(plain)
	if slices.Contains(v.encodings, s) {
		return v
	}
	v.encodings = append(v.encodings, s)
	for _, text := range append(lines(s), s) {
		m.await(&unspelled{of: v, text: text, as: derived})
	}
	return v
}

// found is the value that is this text, or else has this spelling; nil where none
// was learned.
func (m *Masker) found(s string) *value {
	if v := m.values[sha256.Sum256([]byte(s))]; v != nil {
		return v
	}
	m.wake(s)
	return m.search.all[s].of
}

func (m *Masker) publish(name string) {
	m.public[name] = true
	if weigh(name) == quoted {
		for _, quoted := range spelled(name) {
			m.public[quoted] = true
		}
	}
}
