package manifest

import (
	"crypto/sha256"
	"io"
	"io/fs"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// The limits of an Options whose fields are zero.
const (
	// DefaultMaxDocumentBytes is five times what kube-apiserver takes as a request body
	// (3 MiB): room for indentation, while the YAML reader's memory stays bearable.
	DefaultMaxDocumentBytes = 16 << 20
	// DefaultMaxDepth is far beyond any real object; the API server stops at 10000.
	DefaultMaxDepth = 1000
	// DefaultMaxInputBytes is more than the dump of the largest cluster, and
	// DefaultMaxObjects more than etcd keeps well: a compressed file of some
	// megabytes may have a thousand times that.
	DefaultMaxInputBytes = 4 << 30
	DefaultMaxObjects    = 1_000_000
)

// wholeListBytes is the size up to which a YAML List is held as a whole, so
// that anchors shared between its items can be resolved. Larger ones are cut
// while they are read.
const wholeListBytes = 1 << 20

// Recursion reports whether directories are read with those below them.
type Recursion int

// The ways to read a directory.
const (
	// TopOnly reads the files of a directory itself.
	TopOnly Recursion = iota
	// Recursive reads the directories below it too, as kubectl's -R.
	Recursive
)

// Options says how inputs are read. The zero value is usable.
type Options struct {
	// Stdin is read for the path "-"; nil makes that path an error.
	Stdin io.Reader
	// Recursion is for the paths that are directories.
	Recursion Recursion
	// MaxDocumentBytes limits one document, or one item of a List, after
	// decompression and after the expansion of aliases; 0 means
	// DefaultMaxDocumentBytes.
	MaxDocumentBytes int
	// MaxValues limits the number of values in one document, or one item of a
	// List; 0 means one for every 20 bytes of MaxDocumentBytes. YAML that can
	// be read in more ways than one is counted by its lines and commas.
	MaxValues int
	// MaxDepth limits the nesting of one document; 0 means DefaultMaxDepth.
	MaxDepth int
	// MaxInputBytes limits one file, or standard input, after decompression; 0
	// means DefaultMaxInputBytes. What is within the limit is read.
	MaxInputBytes int64
	// MaxObjects limits the objects of one file, or of standard input: documents
	// and items of Lists, those that nobody wants and those that cannot be read;
	// 0 means DefaultMaxObjects. Those within the limit are given.
	MaxObjects int
	// Want, when not nil, is asked before a document is decoded, once or more;
	// those that it does not want are skipped, and their contents are not
	// checked. It gets the identity as written, without any namespace
	// defaulting.
	Want func(Identity) bool
	// Beside reports which documents say something of their input, and are no objects
	// in it: OnBeside gets them, and nobody else. Nil means none.
	Beside   func(Identity) bool
	OnBeside func(Document)
	// OnSkip, when not nil, is given what is skipped, each document once and in
	// the order of the input.
	OnSkip func(Identity)
	// Defer, when not nil, is asked of a wanted YAML document that its lines alone
	// identify: whether its JSON is made when somebody asks for that, not before.
	// What cannot be read is then no problem, but a document without JSON.
	Defer func(Identity) bool
	// HoldBytes bounds the JSON that Load holds, beside the texts, of YAML
	// documents as it is: that of the documents after is held packed. 0 means no
	// bound.
	HoldBytes int
	// Wait, when not nil, is given each input that may never answer (standard
	// input, pipes and devices), and gives one whose reads can be ended.
	Wait func(io.Reader) io.Reader
	// Stop, when not nil, is asked before each read of an input. Its error
	// ends the reading: the input at hand is a problem with that error, and
	// those after it are not read.
	Stop func() error
	// OnDocument, when not nil, is given each document that is handed out, in the
	// order of the input.
	OnDocument func(Document)
	// Refuse, when not nil, is asked of each document that would be handed out: with an
	// error, which may be of a field, it is a problem instead.
	Refuse func(Document) (fieldpath.Path, error)
	// Conceal: values of Secrets are not shown, so that what a kustomization copies from them has to be found.
	Conceal bool
	// OnRead, when not nil, is called with how many bytes each read of an input gave,
	// as they are stored.
	OnRead func(n int)
	// OnList, when not nil, is given each List that is complete, behind its items.
	OnList func(Identity)
	// OnFile, when not nil, is given each regular file that was read: the one
	// that was open, and the SHA-256 digest of all its bytes, as they are stored.
	OnFile func(name string, info fs.FileInfo, sum [sha256.Size]byte)
	// OnNotice, when not nil, is called with remarks that are not errors, in the
	// order of the input.
	OnNotice func(Notice)
}

// WithDefaults are the options with the limits that are not given.
func (o Options) WithDefaults() Options {
	if o.MaxDocumentBytes <= 0 {
		o.MaxDocumentBytes = DefaultMaxDocumentBytes
	}
	if o.MaxValues <= 0 {
		o.MaxValues = o.MaxDocumentBytes / bytesPerValue
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = DefaultMaxDepth
	}
	if o.MaxInputBytes <= 0 {
		o.MaxInputBytes = DefaultMaxInputBytes
	}
	if o.MaxObjects <= 0 {
		o.MaxObjects = DefaultMaxObjects
	}
	return o
}

func (o Options) notice(src Source, message string) {
	o.remark(Notice{Source: src, Message: message})
}

func (o Options) remark(n Notice) {
	if o.OnNotice != nil {
		o.OnNotice(n)
	}
}
