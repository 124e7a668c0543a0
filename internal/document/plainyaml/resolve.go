package plainyaml

import "bytes"

// scalarKind is what a plain scalar means.
type scalarKind int

const (
	// otherKind is whatever this package leaves alone.
	otherKind scalarKind = iota
	stringKind
	intKind
	octalKind
	floatKind
	boolKind
	nullKind
)

// maxDigits are those of the integers that surely fit 64 bits.
const maxDigits = 18

// resolve reports what a plain scalar means to a YAML 1.1 parser (go-yaml v2,
// resolve.go), as far as that is beyond doubt.
func resolve(text []byte) scalarKind {
	if len(text) == 0 {
		return otherKind
	}
	switch c := text[0]; {
	case letter(c):
		return resolveWord(text)
	case digit(c), c == '-':
		return resolveNumber(text)
	case string(text) == "<<":
		return otherKind
	case bytes.IndexByte([]byte("/_$(^\\<=;"), c) >= 0, c >= 0x80:
		return stringKind
	case c == ':', c == '?', c == '~':
		if len(text) > 1 && text[1] != ' ' {
			return stringKind
		}
	case c == '.':
		// .5, .inf and .nan are floats.
		if len(text) == 1 || letter(text[1]) && bytes.IndexByte([]byte("iInN"), text[1]) < 0 || text[1] == '/' ||
			text[1] == '.' {
			return stringKind
		}
	}
	return otherKind
}

// words have another meaning than their letters, in some way of writing them.
var words = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"}

func resolveWord(text []byte) scalarKind {
	switch string(text) {
	case "true", "false":
		return boolKind
	case "null":
		return nullKind
	}
	if len(text) <= len("false") {
		for _, word := range words {
			if len(word) == len(text) && bytes.EqualFold(text, []byte(word)) {
				return otherKind
			}
		}
	}
	return stringKind
}

// resolveNumber distinguishes numbers from texts that only start as one, such as
// 128Mi, 10.0.0.1:80 or --port=80.
func resolveNumber(text []byte) scalarKind {
	digits := bytes.TrimPrefix(text, []byte("-"))
	if len(digits) == 0 || digits[0] == ' ' {
		return otherKind
	}
	dots, numeric, exponent, others, parts := 0, true, false, false, false
	for _, c := range digits {
		switch {
		case digit(c):
			continue
		case c == '.':
			dots++
		case c == '_', c == '+', c == 'e', c == 'E':
			exponent = true
		case c == '-', c == ':':
			parts = true
		default:
			others = true
		}
		numeric = false
	}
	switch {
	case numeric && len(digits) <= maxDigits:
		switch {
		case digits[0] != '0' || len(text) == 1:
			return intKind
		case len(digits) > 1 && !bytes.ContainsAny(digits, "89"):
			return octalKind
		}
	case prefixed(digits), len(digits) > 4 && digits[4] == '-' && len(bytes.Trim(digits[:4], "0123456789")) == 0:
		// The second may be a timestamp.
	case others, !exponent && (parts || dots > 1):
		return stringKind
	case dots == 1 && !exponent && len(digits) <= maxFloat:
		if point := bytes.IndexByte(digits, '.'); point == len(digits)-1 || point == 0 || digits[0] == '0' && point > 1 {
			return otherKind
		}
		return floatKind
	}
	return otherKind
}

// maxFloat is how many characters a decimal fraction may have: the digits of one
// are exact then, and it is not so small as to be written with an exponent.
const maxFloat = 7

// prefixed reports whether text without its sign may be a number with a prefix, such as
// 0x1f, 0b1 or 0o7. Right behind the prefix a dash may be part of one: go-yaml reads 0b-1
// as -1. Further behind it is not, and the text may be a uid, of which one in 256 begins
// with 0b. But go-yaml leaves out each _ first, which moves a dash nearer: 0b_-1.
func prefixed(digits []byte) bool {
	if len(digits) > 3 && bytes.IndexByte(digits[3:], '-') >= 0 && bytes.IndexByte(digits, '_') < 0 {
		return false
	}
	digits = bytes.TrimLeft(digits, "+-_")
	return len(digits) > 1 && digits[0] == '0' && bytes.IndexByte([]byte("xXbBoO_"), digits[1]) >= 0
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }
