// Package spans relates the lines and columns that go.yaml.in/yaml/v3 puts
// on its nodes to byte offsets of the text it parsed.
//
// It exists because the parser counts neither lines nor columns as an editor
// would: columns are characters, and a lone carriage return, NEL, LS and PS
// end a line too. Code that cuts bytes out of a YAML text has to count the same.
//
// Beside it, the values of texts as the API server reads them, by which edits
// are proved.
package spans
