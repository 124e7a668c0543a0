// Package transfer plans how the ownership of fields goes from one field
// manager to another without the fields changing on the way.
//
// Nothing is guessed that the server can be asked. A plan is made for one
// object:
//
//	who owns what of the fields     subject.go
//	  -> the options there are,     options.go  their steps (step.go), one after the
//	     tried                                  other, each on the outcome of the former
//	  -> what goes wrong in another hazard.go
//	     order, and afterwards
//	  -> the first safe option, why plan.go
//	     what is to be known        remark.go
//
// An option is safe when the server refuses no step, no field changes before the
// new owner means to change it, and in the end the former owner has no part in
// it any more, and the new one has.
package transfer
