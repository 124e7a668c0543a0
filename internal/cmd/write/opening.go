package write

// opening begins the outputs of a run. Their first screen is another one for several results
// than for one: where it is not known beforehand how many there are, it waits for the second.
type opening struct {
	// start begins the outputs for so many results; nil once they have begun.
	start func(total int) error
	// total is how many results there are at most.
	total   int
	waiting []func() error
}

// begun reports whether results are shown as they come.
func (o *opening) begun() bool { return o.start == nil }

// show shows a result, once it is known whether it is the only one.
func (o *opening) show(show func() error) error {
	if o.begun() {
		return show()
	}
	if o.waiting = append(o.waiting, show); len(o.waiting) == 1 {
		return nil
	}
	return o.begin(o.total)
}

// end begins the outputs for what waits, where nothing else came.
func (o *opening) end() error { return o.begin(len(o.waiting)) }

// begin begins the outputs, and shows what waits for that.
func (o *opening) begin(total int) error {
	if o.begun() {
		return nil
	}
	if err := o.start(total); err != nil {
		return err
	}
	waiting := o.waiting
	o.start, o.waiting = nil, nil
	for _, show := range waiting {
		if err := show(); err != nil {
			return err
		}
	}
	return nil
}
