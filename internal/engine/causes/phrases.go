package causes

// The phrases of the server by which its messages are read. They are upstream's,
// and the first thing that another release may change: nothing else in this
// package matches its English.
const (
	typedPatch   = "failed to create typed patch object ("
	severalFault = "errors:"
	expectedType = "expected "
	expectedText = "expected string, got "
	gotValue     = ", got "
	notDeclared  = "field not declared in schema"
	repeatedItem = "duplicate entries for key "
	strictErrors = "strict decoding error: "
	unknownField = "unknown field"
	repeatField  = "duplicate field"
	repeatedKey  = "already set in map"
	cannotDecode = "json: cannot unmarshal "
	intoField    = " into Go struct field "
	ofType       = " of type "
	conflictWith = "conflict with "
	subresource  = " with subresource "
	using        = " using "
	at           = " at "
	invalidValue = "Invalid value"
	noField      = "<nil>"
	ofElement    = "element "
	managedNil   = "metadata.managedFields must be nil"
	modified     = "the object has been modified; please apply your changes to the latest version and try again"
	mismatch     = "uid mismatch: "
)

// phrase is a text that is matched, and where upstream has it.
type phrase struct {
	text string
	// module is upstream's; empty for the standard library. file is in it.
	module, file string
	// source is the text as the file has it, where that is in another form.
	source string
}

const (
	apimachinery = "k8s.io/apimachinery"
	apiserver    = "k8s.io/apiserver"
	merge        = "sigs.k8s.io/structured-merge-diff/v6"
	kjson        = "sigs.k8s.io/json"
	decoder      = "internal/golang/encoding/json/decode.go"
	conflicts    = "pkg/util/managedfields/internal/conflict.go"
)

// phrases are all of them: phrases_test.go looks each up in upstream's source.
var phrases = []phrase{
	{text: typedPatch, module: apimachinery, file: "pkg/util/managedfields/internal/structuredmerge.go"},
	{text: severalFault, module: merge, file: "typed/helpers.go"},
	{text: expectedType, module: merge, file: "typed/validate.go"},
	{text: expectedText, module: merge, file: "typed/validate.go"},
	{text: gotValue, module: merge, file: "typed/validate.go"},
	{text: notDeclared, module: merge, file: "typed/validate.go"},
	{text: repeatedItem, module: merge, file: "typed/validate.go"},
	{text: ofElement, module: merge, file: "typed/validate.go", source: `"element %v: `},
	{text: strictErrors, module: apimachinery, file: "pkg/runtime/error.go"},
	{text: unknownField, module: kjson, file: "internal/golang/encoding/json/kubernetes_patch.go"},
	{text: repeatField, module: kjson, file: "internal/golang/encoding/json/kubernetes_patch.go"},
	{text: repeatedKey, module: "go.yaml.in/yaml/v2", file: "decode.go"},
	{text: cannotDecode, module: kjson, file: decoder},
	{text: intoField, module: kjson, file: decoder},
	{text: ofType, module: kjson, file: decoder},
	{text: conflictWith, module: apimachinery, file: conflicts},
	{text: subresource, module: apimachinery, file: conflicts},
	{text: using, module: apimachinery, file: conflicts},
	{text: at, module: apimachinery, file: conflicts},
	{text: invalidValue, module: apimachinery, file: "pkg/util/validation/field/errors.go"},
	{text: managedNil, module: apimachinery, file: "pkg/util/managedfields/internal/structuredmerge.go"},
	{text: modified, module: apiserver, file: "pkg/registry/generic/registry/store.go"},
	{text: mismatch, module: apiserver, file: "pkg/endpoints/handlers/patch.go"},
	{text: noField, module: apimachinery, file: "pkg/util/validation/field/path.go"},
}
