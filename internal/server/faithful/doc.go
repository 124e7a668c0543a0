// Package faithful makes answers those that a real server of the release would give: it
// repairs and orders what the server's code, run here, leaves to chance or to a cluster.
//
//	synthetic.go     values that only a server can give: placeholders, and how they leave
//	                 the answer; placeholders.go those of Services
//	clock.go         a fixed time of answering
//	types.go         the merge types of built-in kinds; quantity.go refuses numbers that no
//	                 server can read
//	letters.go       JSON that is kept to the letter
//	unseen.go        what no file has of a stored object
//	emulation.go     what feature gates do not emulate of an older release
//	order.go         the order of causes
package faithful
