package causes

// The phrases of upstream's messages. Another release may change them first: nothing else
// in this package matches its English.
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
