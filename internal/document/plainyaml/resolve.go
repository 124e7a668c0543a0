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
	s := signsOf(digits)
	switch {
	case !s.any && len(digits) <= maxDigits:
		return resolveInteger(digits, len(text) == 1)
	case prefixed(digits), mayBeDated(digits):
		return otherKind
	case s.others, !s.exponent && (s.parts || s.dots > 1):
		return stringKind
	case s.dots == 1 && !s.exponent && len(digits) <= maxFloat:
		return resolveFraction(digits)
	}
	return otherKind
}

// signs are what a text has that is no digit.
type signs struct {
	any      bool
	dots     int
	exponent bool // signs that an exponent may have, or that stand between digits
	parts    bool // signs that separate the parts of a date, a time or an address
	others   bool
}

func signsOf(text []byte) (s signs) {
	for _, c := range text {
		switch {
		case digit(c):
			continue
		case c == '.':
			s.dots++
		case c == '_', c == '+', c == 'e', c == 'E':
			s.exponent = true
		case c == '-', c == ':':
			s.parts = true
		default:
			s.others = true
		}
		s.any = true
	}
	return s
}

// resolveInteger resolves digits, which alone are the text or have a sign. A leading zero
// makes an octal number, and -0 is not beyond doubt.
func resolveInteger(digits []byte, alone bool) scalarKind {
	switch {
	case digits[0] != '0' || alone:
		return intKind
	case len(digits) > 1 && !bytes.ContainsAny(digits, "89"):
		return octalKind
	}
	return otherKind
}

// resolveFraction resolves digits with one point, which stands between them in what is a
// fraction beyond doubt.
func resolveFraction(digits []byte) scalarKind {
	point := bytes.IndexByte(digits, '.')
	if point == len(digits)-1 || point == 0 || digits[0] == '0' && point > 1 {
		return otherKind
	}
	return floatKind
}

// mayBeDated reports whether a text may be a timestamp: it begins with the four digits of a
// year, and a dash.
func mayBeDated(text []byte) bool {
	return len(text) > 4 && text[4] == '-' && len(bytes.Trim(text[:4], "0123456789")) == 0
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
