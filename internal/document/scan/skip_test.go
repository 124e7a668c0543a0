package scan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"testing/iotest"
)

// Skip accepts what encoding/json accepts, wherever reads end.
func FuzzSkip(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2.5e+3,true,null,"\u00e9\n"],"b":{}}`, `[]`, `01`, `"\x"`, `{"a" :}`, "[1,]", "-", "1e", "\"\x01\"", "nul", `{"a":1}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, r := range []io.Reader{bytes.NewReader(text), iotest.OneByteReader(bytes.NewReader(text))} {
			s := New(NewWindow(r, 0, 1<<20), 1<<20)
			s.Skip()
			err := s.Err()
			if c := s.Next(); err == nil && s.Err() == nil {
				err = fmt.Errorf("%q is behind it", c)
			}
			if valid := json.Valid(text); valid != (err == nil) {
				t.Errorf("Skip of %q gives %v, encoding/json accepts: %v", text, err, valid)
			}
		}
	})
}
