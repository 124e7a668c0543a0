// Package reads asks a server what clients read: discovery, schemas, lists in each form, watches,
// pages, and questions that are refused. Two servers are compared by what they answer, without what
// each makes anew.
package reads
