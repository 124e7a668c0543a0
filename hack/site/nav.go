package main

import "strings"

// section is a group of pages in the navigation.
type section struct {
	title   string
	entries []entry
}

// entry is a page in the navigation: its file in the repository, and a short title.
type entry struct{ source, title string }

// nav is the order of the site, from the first page on.
var nav = []section{
	{"Start", []entry{
		{"README.md", "ssactl"},
		{"docs/tutorial.md", "Tutorial"},
		{"docs/install.md", "Install"},
		{"docs/concepts.md", "Concepts"},
	}},
	{"For you", []entry{
		{"docs/for/platform.md", "Platform teams"},
		{"docs/for/chart-author.md", "Authors of charts"},
		{"docs/for/operator-author.md", "Authors of operators"},
		{"docs/for/on-call.md", "On call"},
	}},
	{"How to", []entry{
		{"docs/howto/argo-cd.md", "Argo CD"},
		{"docs/howto/flux.md", "Flux"},
		{"docs/howto/helm.md", "Helm 4"},
		{"docs/howto/terraform.md", "Terraform"},
		{"docs/ci.md", "Pull requests and CI"},
		{"docs/agents.md", "Agents"},
	}},
	{"When it fails", []entry{
		{"docs/troubleshooting.md", "By error message"},
		{"docs/faq.md", "Questions"},
	}},
	{"Conflicts", []entry{
		{"docs/conflicts.md", "Explain and resolve"},
		{"docs/clients.md", "Settings of clients"},
		{"docs/risks.md", "Risky changes"},
	}},
	{"Ownership", []entry{
		{"docs/owners.md", "Who owns what"},
		{"docs/migrate.md", "Move to server-side"},
		{"docs/transfer.md", "Hand a field over"},
		{"docs/clear.md", "Clear entries"},
		{"docs/audit.md", "Audit"},
		{"docs/policy.md", "Policies"},
		{"docs/compare.md", "Compare two dumps"},
		{"docs/stories.md", "Test ownership"},
		{"docs/second-install.md", "The second install"},
		{"docs/serve.md", "Serve a dump"},
	}},
	{"Manifests and definitions", []entry{
		{"docs/lint.md", "Lint"},
		{"docs/schema.md", "How fields merge"},
		{"docs/schema-impact.md", "Changed definitions"},
	}},
	{"In a repository", []entry{
		{"docs/snapshot.md", "Live objects"},
		{"docs/settings.md", "Settings"},
		{"docs/write.md", "Write results"},
	}},
	{"Reference", []entry{
		{"docs/reference/commands.md", "Commands"},
		{"docs/reference/rules.md", "Rules"},
		{"docs/reference/report.md", "The report"},
		{"docs/exit-codes.md", "Exit codes"},
		{"docs/stability.md", "What is stable"},
	}},
	{"About", []entry{
		{"docs/principles.md", "Principles"},
		{"docs/parity.md", "Parity"},
		{"docs/performance.md", "Performance"},
		{"docs/security.md", "Security"},
		{"docs/ARCHITECTURE.md", "Architecture"},
		{"docs/kubernetes-upgrade.md", "Upgrade Kubernetes"},
		{"docs/dependencies.md", "Dependencies"},
	}},
}

// urlOf is where a page of the repository is in the site.
func urlOf(source string) string {
	if source == nav[0].entries[0].source {
		return "index.html"
	}
	return strings.TrimSuffix(strings.TrimPrefix(source, "docs/"), ".md") + ".html"
}

// entries are those of all sections, in their order.
func entries() []entry {
	var out []entry
	for _, s := range nav {
		out = append(out, s.entries...)
	}
	return out
}
