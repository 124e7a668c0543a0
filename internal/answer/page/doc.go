// Package page has what the pages of all commands are made of: titles, sections, changes,
// cautions, fixes and settings of clients, as the presentation model
// (internal/render/model). The page of a question stands in its room.
//
//	view.go         titles, sections and counts
//	change.go       changed values; inside.go what differs inside of large ones
//	caution.go      what makes an answer doubtful
//	findings.go     what commands that find faults found, rule by rule
//	option.go       the options of a conflict
//	refusal.go      why an apply is rejected
//	client.go       settings of clients; client_settings.go their texts
//	grouped.go      fields that are alike
package page
