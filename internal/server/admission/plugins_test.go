package admission

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/kubernetes/pkg/kubeapiserver/options"

	"github.com/ssactl/ssactl/internal/server/given"
)

// pluginRow is a row of the table in docs/parity.md.
type pluginRow struct{ name, runs, why, said string }

// TestPluginTable compares the table of plug-ins with kube-apiserver's list of those
// that run by default, and with what runs here.
func TestPluginTable(t *testing.T) {
	rows := readPluginTable(t)
	var documented []string
	for _, row := range rows {
		documented = append(documented, row.name)
	}
	var upstream []string
	off := options.DefaultOffAdmissionPlugins()
	for _, name := range options.AllOrderedPlugins {
		if !off.Has(name) {
			upstream = append(upstream, name)
		}
	}
	if diff := cmp.Diff(upstream, documented); diff != "" {
		t.Fatalf("plug-ins that run by default (-kube-apiserver +docs/parity.md):\n%s", diff)
	}
	ours := pluginsByName(t)
	for _, row := range rows {
		entries := ours[row.name]
		if got := runsWhen(entries); got != row.runs {
			t.Errorf("%s runs %q, the table says %q", row.name, got, row.runs)
		}
		if row.runs == "not" && row.why == "" {
			t.Errorf("%s does not run, and the table does not say why", row.name)
		}
		for _, p := range entries {
			if !strings.Contains(row.said, p.absent) {
				t.Errorf("the table does not say what confidence says of %s: %s", row.name, p.absent)
			}
		}
		delete(ours, row.name)
	}
	for name := range ours {
		t.Errorf("%s runs here, and not in a default server", name)
	}
}

// TestPluginOrder: plug-ins run in the order of kube-apiserver.
func TestPluginOrder(t *testing.T) {
	place := map[string]int{}
	for i, name := range options.AllOrderedPlugins {
		place[name] = i
	}
	before := &plugin{}
	for _, p := range allPlugins(t) {
		if place[p.name] < place[before.name] {
			t.Errorf("%s runs behind %s", p.name, before.name)
		}
		before = p
	}
}

func runsWhen(entries []*plugin) string {
	if len(entries) == 0 {
		return "not"
	}
	for _, p := range entries {
		if p.ready != nil {
			return "given"
		}
	}
	return "always"
}

func allPlugins(t *testing.T) []*plugin {
	t.Helper()
	on := sets.New(options.AllOrderedPlugins...).Difference(options.DefaultOffAdmissionPlugins())
	chain, err := New(given.New(nil), nil, Settings{Plugins: on}, authorizerfactory.NewAlwaysAllowAuthorizer())
	if err != nil {
		t.Fatal(err)
	}
	return chain.plugins
}

func pluginsByName(t *testing.T) map[string][]*plugin {
	t.Helper()
	byName := map[string][]*plugin{}
	for _, p := range allPlugins(t) {
		byName[p.name] = append(byName[p.name], p)
	}
	return byName
}

func readPluginTable(t *testing.T) []pluginRow {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "parity.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(raw), "<!-- plug-ins -->")
	table, _, found := strings.Cut(rest, "<!-- end of plug-ins -->")
	if !found {
		t.Fatal("docs/parity.md has no table of plug-ins")
	}
	known := sets.New("always", "given", "not")
	var rows []pluginRow
	for _, line := range strings.Split(strings.TrimSpace(table), "\n")[2:] {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != 4 || !known.Has(strings.TrimSpace(cells[1])) {
			t.Fatalf("not a row of four: %s", line)
		}
		rows = append(rows, pluginRow{
			name: strings.TrimSpace(cells[0]), runs: strings.TrimSpace(cells[1]),
			why: strings.TrimSpace(cells[2]), said: cells[3],
		})
	}
	return rows
}
