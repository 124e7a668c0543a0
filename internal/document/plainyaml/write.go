package plainyaml

import "strconv"

// unsafe are the bytes that a JSON string has to escape.
var unsafe = func() (u [256]bool) {
	for c := range ' ' {
		u[c] = true
	}
	u['"'], u['\\'] = true, true
	return u
}()

const hex = "0123456789abcdef"

// appendString writes a JSON string of valid UTF-8.
func appendString(out, s []byte) []byte {
	out = append(out, '"')
	start := 0
	for i, c := range s {
		if !unsafe[c] {
			continue
		}
		out = append(out, s[start:i]...)
		start = i + 1
		switch c {
		case '\n':
			out = append(out, '\\', 'n')
		case '\t':
			out = append(out, '\\', 't')
		case '\r':
			out = append(out, '\\', 'r')
		case '"', '\\':
			out = append(out, '\\', c)
		default:
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(out, s[start:]...), '"')
}

// appendOctal writes what an integer with a zero in front is.
func appendOctal(out, text []byte) []byte {
	// It has few enough digits of the right kind.
	n, _ := strconv.ParseInt(string(text), 0, 64)
	return strconv.AppendInt(out, n, 10)
}

// appendFloat writes a number as encoding/json does, so that whole ones read as
// integers.
func appendFloat(out, text []byte) []byte {
	f, _ := strconv.ParseFloat(string(text), 64)
	return strconv.AppendFloat(out, f, 'f', -1, 64)
}
