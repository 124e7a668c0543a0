// Package ignore leaves out differences that users do not want to see: fields that
// a controller keeps changing, for one.
//
// An ignored field is shown as if the write left it as it is in the live
// object. What the server would do is not touched by that: the resulting
// object, its ownership and its conflicts stay whole, as a conflict over an
// ignored field still stands in the way.
//
// Laws: with no path, every report and object stays as it is; an object that
// differs from the live one in ignored fields only is shown as the live one;
// neither input is ever changed.
package ignore
