package plainyaml

import "bytes"

// maxKey bounds keys as they are written: YAML gives up on longer ones.
const maxKey = 1000

// key splits a line at the colon of its key, and gives what follows it without
// the spaces between. It is false where the line has no key that reads as a
// string.
func (p *parser) key(text []byte) (key, value []byte, ok bool) {
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
