package plainyaml

// unsafe are the bytes that a JSON string has to escape.
var unsafe = func() (u [256]bool) {
	for c := range ' ' {
		u[c] = true
	}
	u['"'], u['\\'] = true, true
	return u
}()

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
		default:
			out = append(out, '\\', c)
		}
	}
	return append(append(out, s[start:]...), '"')
}
