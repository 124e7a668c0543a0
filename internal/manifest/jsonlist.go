package manifest

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"
)

// listStart is a List up to its items, as kubectl and the API server write it.
var listStart = regexp.MustCompile(`^\s*\{\s*(?:"(?:apiVersion|kind)"\s*:\s*"[^"\\]*"\s*,\s*|"metadata"\s*:\s*\{[^{}]*\}\s*,\s*)*"items"\s*:\s*\[`)

// listAhead looks for the start of a List in what the decoder has at hand.
func (j *jsonReader) listAhead() (head, bool) {
	if !j.dec.More() {
		return head{}, false
	}
	ahead, _ := io.ReadAll(io.LimitReader(j.dec.Buffered(), sniffed))
	start := listStart.Find(ahead)
	if start == nil {
		return head{}, false
	}
	h := readHead(append(bytes.Clone(start), "]}"...))
	return h, h.Kind == "" || strings.HasSuffix(string(h.Kind), "List")
}

// streamList gives the items of a List while it is read: only one item is held
// at a time.
func (j *jsonReader) streamList(h head) error {
	line := 0
	for depth := 0; ; {
		token, err := j.dec.Token()
		if err != nil {
			return err
		}
		if line == 0 {
			line = j.lines.lineAt(j.offset() - 1)
		}
		depth += nesting(token)
		if token == json.Delim('[') && depth == 2 {
			break
		}
	}
	j.given++
	for n := 1; j.dec.More() && !j.stopped; n++ {
		j.lines.budget = j.offset() + int64(j.opts.MaxDocumentBytes) + windowChunk
		if err := j.streamItem(h, n); err != nil {
			return err
		}
	}
	if j.stopped {
		return nil
	}
	return j.endList(h, line)
}

func nesting(token json.Token) int {
	switch token {
	case json.Delim('{'), json.Delim('['):
		return 1
	case json.Delim('}'), json.Delim(']'):
		return -1
	}
	return 0
}

func (j *jsonReader) streamItem(h head, n int) error {
	var raw json.RawMessage
	if err := j.dec.Decode(&raw); err != nil {
		return err
	}
	end := j.offset()
	start := end - int64(len(raw))
	line := j.lines.lineAt(start)
	if len(raw) > j.opts.MaxDocumentBytes {
		j.fail("parse", n, line, j.tooLarge())
		return nil
	}
	if err := checkDepth(raw, j.opts.MaxDepth); err != nil {
		j.fail("parse", n, line, err)
		return nil
	}
	item := readHead(raw)
	if item.Kind == "" || item.APIVersion == "" {
		raw = j.typed(h, raw)
		item = readHead(raw)
	}
	if err := mistaken(j.file, item, raw); err != nil {
		j.fail("parse", n, line, err)
		return nil
	}
	if j.opts.Want != nil && !j.opts.Want(item.identity()) {
		return nil
	}
	raw = bytes.Clone(raw)
	d := newDocument(j.source(line), raw, raw, JSON, Span{start, end}, line)
	d.Item = n
	if !j.yield(d, nil) {
		j.stopped = true
	}
	return nil
}

// endList reads what follows the items.
func (j *jsonReader) endList(h head, line int) error {
	if _, err := j.dec.Token(); err != nil {
		return err
	}
	for {
		token, err := j.dec.Token()
		if err != nil {
			return err
		}
		if token == json.Delim('}') {
			j.noticeContinue(h, line)
			return nil
		}
		var after json.RawMessage
		if err := j.dec.Decode(&after); err != nil {
			return err
		}
		if token == "metadata" {
			_ = h.Metadata.UnmarshalJSON(after)
		}
	}
}
