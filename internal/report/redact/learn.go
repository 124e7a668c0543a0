package redact

import (
	"maps"
	"slices"
)

// Learn remembers the values of the Secrets in an object as it was read, or in
// any other JSON value, wherever in it they are.
func (m *Masker) Learn(v any) {
	if m.Shows() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if object, ok := v.(map[string]any); ok {
		m.learnObject(object)
		return
	}
	m.learn(v)
}

// learnObject remembers the values of an object that may say nothing but that it is a
// Secret.
func (m *Masker) learnObject(object map[string]any) {
	if saysSecret(object) {
		m.learning().secret(object)
		return
	}
	m.learn(object)
}

// Object gives an object with the values of Secrets masked. The given one is not changed.
func (m *Masker) Object(object map[string]any) map[string]any {
	if m.Shows() || object == nil {
		return object
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.learnObject(object)
	if saysSecret(object) {
		return m.masking().secret(object)
	}
	masked, _ := m.masking().tree(object).(map[string]any)
	return masked
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
