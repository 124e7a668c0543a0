// Package text is what people read: sentences whose arguments keep their meaning.
//
// Who finds something says it, where it is found, with New. A Text is a format and typed
// arguments: a field path, the name of a manager, a value of an object, words of somebody
// else. It marshals as the sentence. Secrets are masked argument by argument
// (internal/report/redact walks a Text as it walks every document), and renderers color
// arguments by their roles (Spans).
package text
