package redact

import "io"

// Writer gives a writer that masks what is written to it. Each call is to write
// whole words, as those of fmt do.
func (m *Masker) Writer(to io.Writer) io.Writer { return &writer{m, to} }

type writer struct {
	masker *Masker
	to     io.Writer
}

// Write implements io.Writer. It counts the bytes that it was given.
func (w *writer) Write(p []byte) (int, error) {
	text := string(p)
	masked := w.masker.Text(text)
	if masked == text {
		return w.to.Write(p)
	}
	if _, err := io.WriteString(w.to, masked); err != nil {
		return 0, err
	}
	return len(p), nil
}
