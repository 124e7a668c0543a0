package fielddiff

import "sort"

// places gives the position of each item by its path element.
func places(k kind, list []any) map[string]int {
	out := make(map[string]int, len(list))
	for i, item := range list {
		pe, _ := k.element(item)
		out[pe.String()] = i
	}
	return out
}

// movedItems are the positions of the new list whose items left their place:
// all that stay but for a longest run that keeps its order.
func movedItems(k kind, list []any, old map[string]int) map[int]bool {
	var at, was []int
	for i, item := range list {
		pe, _ := k.element(item)
		if from, ok := old[pe.String()]; ok {
			at, was = append(at, i), append(was, from)
		}
	}
	moved := map[int]bool{}
	for _, i := range at {
		moved[i] = true
	}
	for _, n := range longestRising(was) {
		delete(moved, at[n])
	}
	return moved
}

// longestRising gives the indices of a longest subsequence that rises.
func longestRising(list []int) []int {
	var tails []int
	before := make([]int, len(list))
	for i, v := range list {
		n := sort.Search(len(tails), func(t int) bool { return list[tails[t]] >= v })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	out := make([]int, len(tails))
	for i, n := tails[len(tails)-1], len(tails)-1; n >= 0; i, n = before[i], n-1 {
		out[n] = i
	}
	return out
}
