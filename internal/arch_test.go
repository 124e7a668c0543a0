package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/ssactl/ssactl/"

// rooms are the rooms of the house, and the rooms that each may look into. What
// is not here may not be: a package outside of all rooms fails the test. Those of
// tests are free.
var rooms = map[string][]string{
	"cmd": {
		"answer", "client", "disguise", "document", "engine", "files", "finding", "guard", "input", "jsontree",
		"kubectl", "managedfields", "ownership", "pool", "program", "render", "report", "run", "serve",
		"server", "shell", "story", "suggest", "text", "textdiff",
	},
	"run": {
		"answer", "client", "engine", "files", "finding", "guard", "input", "jsontree", "managedfields",
		"ownership", "pool", "program", "render", "report", "server", "shell", "suggest",
	},
	"ownership": {
		"client", "engine", "files", "finding", "guard", "kubectl", "managedfields", "program", "report",
		"server", "shell", "suggest", "text",
	},
	"client": {"engine", "guard", "jsontree", "managedfields", "report", "server"},
	"answer": {
		"finding", "kubectl", "managedfields", "ownership", "program", "render", "report", "shell",
		"text", "textdiff",
	},
	"render":        {"managedfields", "packed", "report", "text", "textdiff", "yamlout"},
	"report":        {"disguise", "managedfields", "server", "shell", "text"},
	"finding":       {"managedfields", "program", "report", "text"},
	"disguise":      {},
	"engine":        {"disguise", "guard", "jsontree", "managedfields", "report", "server", "suggest"},
	"files":         {"document", "managedfields", "yamlout"},
	"input":         {"disguise", "document", "guard", "jsontree", "packed", "pool", "program"},
	"document":      {},
	"server":        {"disguise", "document", "guard", "jsontree", "pool", "suggest"},
	"managedfields": {},
	"story":         {"managedfields", "suggest"},
	"serve":         {"guard", "input", "jsontree", "report"},
	"kubectl":       {"server", "shell"},
	"program":       {},
	"shell":         {"program"},
	"guard":         {},
	"jsontree":      {"document"},
	"packed":        {},
	"pool":          {"guard"},
	"suggest":       {},
	"text":          {},
	"textdiff":      {},
	"yamlout":       {},
}

// inside are the packages of a room that may import others of it, and which.
var inside = map[string][]string{
	"cmd/ssactl":               {"internal/cmd"},
	"cmd/ssactl-serve":         {"internal/serve"},
	"internal/answer/blame":    {"internal/answer/fixes", "internal/answer/page"},
	"internal/answer/findings": {"internal/answer/fixes"},
	"internal/answer/page":     {"internal/answer/findings", "internal/answer/fixes"},
	"internal/answer/show": {
		"internal/answer/fixes", "internal/answer/page", "internal/answer/writes",
	},
	"internal/answer/writes": {
		"internal/answer/blame", "internal/answer/findings", "internal/answer/fixes",
		"internal/answer/page",
	},
	"internal/cmd": {
		"internal/cmd/apply", "internal/cmd/audit", "internal/cmd/clear", "internal/cmd/comment", "internal/cmd/compare",
		"internal/cmd/completions", "internal/cmd/explain", "internal/cmd/fn", "internal/cmd/impact",
		"internal/cmd/lint", "internal/cmd/migrate", "internal/cmd/owners", "internal/cmd/policy",
		"internal/cmd/resolve", "internal/cmd/schema", "internal/cmd/serve", "internal/cmd/snapshot", "internal/cmd/transfer",
		"internal/cmd/stories", "internal/cmd/version", "internal/cmd/write",
	},
	"internal/cmd/apply":               {"internal/cmd/write"},
	"internal/cmd/audit":               {"internal/cmd/audit/rules"},
	"internal/cmd/clear":               {"internal/cmd/plans"},
	"internal/cmd/explain":             {"internal/cmd/explain/pasted"},
	"internal/cmd/fn":                  {"internal/cmd/apply", "internal/cmd/fn/resourcelist"},
	"internal/cmd/migrate":             {"internal/cmd/plans"},
	"internal/cmd/owners":              {"internal/cmd/explain"},
	"internal/cmd/resolve":             {"internal/cmd/explain", "internal/cmd/resolve/interactive"},
	"internal/cmd/resolve/interactive": {"internal/cmd/explain"},
	"internal/cmd/serve":               {"internal/cmd/write"},
	"internal/cmd/snapshot":            {"internal/cmd/version"},
	"internal/cmd/transfer":            {"internal/cmd/explain", "internal/cmd/plans"},
	"internal/client":                  {"internal/client/about", "internal/client/objects"},
	"internal/client/argocd": {
		"internal/client", "internal/client/about", "internal/client/objects", "internal/client/pathquery",
	},
	"internal/client/clients": {
		"internal/client", "internal/client/about", "internal/client/argocd", "internal/client/flux",
		"internal/client/helm", "internal/client/kubectl",
	},
	"internal/client/flux":             {"internal/client", "internal/client/about", "internal/client/objects"},
	"internal/client/helm":             {"internal/client", "internal/client/about", "internal/client/objects"},
	"internal/client/kubectl":          {"internal/client", "internal/client/about", "internal/client/objects"},
	"internal/document":                {"internal/document/plainyaml", "internal/document/scan"},
	"internal/engine":                  {"internal/engine/causes"},
	"internal/files/folder":            {"internal/files/atomic"},
	"internal/files/writeback":         {"internal/files/atomic"},
	"internal/input/kustomize":         {"internal/input/manifest"},
	"internal/input/live":              {"internal/input/manifest"},
	"internal/managedfields/fielddiff": {"internal/managedfields"},
	"internal/managedfields/fieldtree": {"internal/managedfields"},
	"internal/ownership/conflict":      {"internal/ownership", "internal/ownership/writers"},
	"internal/ownership/migration":     {"internal/ownership", "internal/ownership/writers"},
	"internal/ownership/fields":        {"internal/ownership/writers"},
	"internal/ownership/impact":        {"internal/ownership/fields"},
	"internal/ownership/proof": {
		"internal/ownership", "internal/ownership/conflict", "internal/ownership/risk", "internal/ownership/writers",
	},
	"internal/ownership/refusal": {
		"internal/ownership", "internal/ownership/migration", "internal/ownership/writers",
	},
	"internal/ownership/settle": {"internal/ownership", "internal/ownership/writers"},
	"internal/ownership/risk": {
		"internal/ownership/conflict",
		"internal/ownership/policy",
		"internal/ownership/writers",
	},
	"internal/render/brief": {"internal/render/glyph", "internal/render/model"},
	"internal/render/ci": {
		"internal/render/glyph", "internal/render/model", "internal/render/objects",
		"internal/render/text", "internal/render/words",
	},
	"internal/render/html":     {"internal/render/glyph", "internal/render/model"},
	"internal/render/markdown": {"internal/render/glyph", "internal/render/model"},
	"internal/render/objects": {
		"internal/render/glyph", "internal/render/stream", "internal/render/text",
		"internal/render/words",
	},
	"internal/render/safetext": {"internal/render/glyph"},
	"internal/render/text":     {"internal/render/glyph", "internal/render/model"},
	"internal/render/topic":    {"internal/render/glyph", "internal/render/model"},
	"internal/render/words":    {"internal/render/glyph"},
	"internal/report/ignore":   {"internal/report"},
	"internal/run": {
		"internal/run/app", "internal/run/cluster", "internal/run/input", "internal/run/output",
		"internal/run/progress",
	},
	"internal/run/app": {"internal/run/iostreams", "internal/run/progress", "internal/run/settings"},
	"internal/run/cluster": {
		"internal/run/app", "internal/run/bounded", "internal/run/input", "internal/run/iostreams",
		"internal/run/progress", "internal/run/settings",
	},
	"internal/run/input": {"internal/run/app", "internal/run/bounded"},
	"internal/run/output": {
		"internal/run/app", "internal/run/bounded", "internal/run/input", "internal/run/iostreams",
	},
	"internal/run/settings": {"internal/run/bounded"},
	"internal/server": {
		"internal/server/admission", "internal/server/api", "internal/server/custom",
		"internal/server/exchange", "internal/server/faithful", "internal/server/given",
		"internal/server/gotree", "internal/server/memory", "internal/server/schema",
	},
	"internal/serve": {
		"internal/serve/chain", "internal/serve/load", "internal/serve/record", "internal/serve/store",
		"internal/serve/wire",
	},
	"internal/serve/chain": {
		"internal/serve/etcd", "internal/serve/load", "internal/serve/store", "internal/serve/wire",
	},
	"internal/serve/etcd":       {"internal/serve/store"},
	"internal/serve/load":       {"internal/serve/store", "internal/serve/wire"},
	"internal/serve/record":     {"internal/serve/wire"},
	"internal/server/admission": {"internal/server/api", "internal/server/exchange", "internal/server/given"},
	"internal/server/custom":    {"internal/server/api", "internal/server/exchange", "internal/server/memory"},
	"internal/server/exchange":  {"internal/server/api"},
	"internal/server/faithful":  {"internal/server/api", "internal/server/memory", "internal/server/schema"},
	"internal/server/given":     {"internal/server/api"},
	"internal/server/memory":    {"internal/server/gotree"},
	"internal/server/fastapply": {"internal/server", "internal/server/api"},
}

// roomOf is the room that a package is in.
func roomOf(pkg string) string {
	pkg = strings.TrimPrefix(pkg, "internal/")
	room, _, _ := strings.Cut(pkg, "/")
	return room
}

// onlyImporters are the packages that alone may import what starts so.
var onlyImporters = map[string][]string{
	"k8s.io/kubernetes/":              {"internal/server", "internal/serve"},
	"k8s.io/apiserver/":               {"internal/server", "internal/serve"},
	"k8s.io/apiextensions-apiserver/": {"internal/server", "internal/serve"},
	"k8s.io/kube-aggregator/":         {"internal/server", "internal/serve"},
	"sigs.k8s.io/kustomize/":          {"internal/input/kustomize"},
	"github.com/fatih/color":          {"internal/render/text"},
	"github.com/sergi/go-diff":        {"internal/textdiff"},
	"github.com/spf13/cobra":          {"internal/cmd", "internal/run"},
	"github.com/schollz/progressbar":  {"internal/run/progress"},
	"charm.land/bubbletea/":           {"internal/cmd/resolve/interactive"},
	"github.com/itchyny/gojq":         {"internal/client/pathquery"},
	"github.com/yuin/goldmark":        {"internal/render/topic"},
}

// plain are the packages of the server's room that speak of it in plain types: they do not
// import the API server's code.
var plain = []string{
	"internal/server/api", "internal/server/schema", "internal/server/gotree",
	"internal/server/fastapply",
}

// theServer is what makes servers: the command line alone may import it, and what wraps
// the server.
var (
	theServer = []string{"internal/server", "internal/server/custom", "internal/server/fastapply"}
	makers    = []string{"internal/cmd", "internal/run", "internal/server"}
)

// served is the program of the server of ssactl serve. It is one of its own, so other commands
// stay small and start fast.
const served = "cmd/ssactl-serve"

// isIn reports whether a package is one of some, or below one.
func isIn(pkg string, some []string) bool {
	return slices.ContainsFunc(some, func(s string) bool { return pkg == s || strings.HasPrefix(pkg, s+"/") })
}

func TestArrows(t *testing.T) {
	seen := 0
	forEachImport(t, func(from, imported string) {
		seen++
		for prefix, importers := range onlyImporters {
			if strings.HasPrefix(imported, prefix) && (!isIn(from, importers) || slices.Contains(plain, from)) {
				t.Errorf("%s imports %s, which only %v may", from, imported, importers)
			}
		}
		if to, ours := strings.CutPrefix(imported, module); ours {
			checkArrow(t, from, to)
		}
	})
	if seen < 100 {
		t.Errorf("saw %d imports only", seen)
	}
}

func checkArrow(t *testing.T, from, to string) {
	t.Helper()
	allowed, known := rooms[roomOf(from)]
	switch {
	case !known:
		t.Errorf("%s is in no room: add a rule for it", from)
	case to == "docs" && from == "internal/cmd":
		// The pages that help shows.
	case !strings.HasPrefix(to, "internal/"):
		t.Errorf("%s imports %s, which is for tests", from, to)
	case roomOf(from) == roomOf(to):
		if !slices.Contains(inside[from], to) {
			t.Errorf("%s imports %s of its room: allowed are %v", from, to, inside[from])
		}
	case !slices.Contains(allowed, roomOf(to)):
		t.Errorf("%s imports %s: the room may look into %v", from, to, allowed)
	}
	if slices.Contains(theServer, to) && !isIn(from, makers) {
		t.Errorf("%s imports %s: only %v may", from, to, makers)
	}
	if isIn(to, []string{"internal/serve"}) && to != "internal/serve/wire" && roomOf(from) != "serve" && from != served {
		t.Errorf("%s imports %s: only the program %s links the server of serve", from, to, served)
	}
	if strings.HasSuffix(to, "test") {
		t.Errorf("%s imports %s, which is for tests", from, to)
	}
}

// TestRulesAreUsed: a rule that no import needs is a wall that somebody forgot to
// close.
func TestRulesAreUsed(t *testing.T) {
	used := map[string]bool{}
	forEachImport(t, func(from, imported string) {
		if to, ours := strings.CutPrefix(imported, module); ours {
			used[roomOf(from)+" "+roomOf(to)], used[from+" "+to] = true, true
		}
	})
	for _, rules := range []map[string][]string{rooms, inside} {
		for from, list := range rules {
			for _, to := range list {
				if !used[from+" "+to] {
					t.Errorf("no import needs the rule that %s may import %s", from, to)
				}
			}
		}
	}
}

// TestPackagesHaveRooms: each package with Go files is in a room.
func TestPackagesHaveRooms(t *testing.T) {
	forEachFile(t, func(path string, _ []string) {
		if from := packageOf(path); from != "internal" && rooms[roomOf(from)] == nil {
			t.Errorf("%s is in no room: add a rule for it", path)
		}
	})
}

// TestOneFileHasColour: ANSI lives in the printer of text.
func TestOneFileHasColour(t *testing.T) {
	var files []string
	forEachFile(t, func(path string, imports []string) {
		if slices.Contains(imports, "github.com/fatih/color") {
			files = append(files, filepath.Base(path))
		}
	})
	if len(files) != 1 || files[0] != "palette.go" {
		t.Errorf("the color library is imported by %v, want palette.go alone", files)
	}
}

// TestOnePackageRecovers: what turns panics into errors is in internal/guard.
func TestOnePackageRecovers(t *testing.T) {
	forEachName(t, func(path, name string) {
		if name == "recover" && filepath.Base(filepath.Dir(path)) != "guard" {
			t.Errorf("%s recovers: only internal/guard may", path)
		}
	})
}

// TestOneWriter: what a terminal or a runner sees goes through
// internal/render/safetext, which only the streams of internal/run/iostreams open.
// internal/input/kustomize takes them from a library that writes to them.
func TestOneWriter(t *testing.T) {
	others := []string{
		"os.Stdout", "os.Stderr", "print", "println", "fmt.Print", "fmt.Printf", "fmt.Println",
		"syscall.Stdout", "syscall.Stderr", "log.Default",
	}
	forEachName(t, func(path, name string) {
		if slices.Contains(others, name) && !mayWrite(path) {
			t.Errorf("%s uses %s: write to the streams of internal/run/iostreams", path, name)
		}
	})
	forEachFile(t, func(path string, imports []string) {
		if (slices.Contains(imports, "log") || slices.Contains(imports, "log/slog")) && !mayWrite(path) {
			t.Errorf("%s logs: write to the streams of internal/run/iostreams", path)
		}
	})
}

func mayWrite(path string) bool {
	// What ssactl-serve writes, ssactl reads (internal/serve/wire).
	return slices.Contains([]string{"iostreams", "kustomize", "ssactl-serve"}, filepath.Base(filepath.Dir(path)))
}

// TestOneReading: what is written to a stream is read as its format says
// (internal/render), which escapes what acts; only the progress bar moves the cursor,
// and only programs that the user named write beside that.
func TestOneReading(t *testing.T) {
	may := map[string][]string{
		"safetext.Exact":     {"inputs.go"},
		"safetext.NewWriter": {"iostreams.go", "sheet.go"},
		"streams.Program":    {"diff.go", "editor.go", "client.go"},
	}
	checkNames(t, may)
}

// TestOneMakerOfCommands: command lines are those of internal/shell, in which no text of
// an input is a flag, whether they are printed or run.
func TestOneMakerOfCommands(t *testing.T) {
	// The editor and the diff program are the words of an environment variable; those of
	// completions name files of their own.
	checkNames(t, map[string][]string{
		"exec.Command": {}, "os.StartProcess": {}, "syscall.Exec": {},
		"exec.CommandContext": {"kubectl.go", "diff.go", "editor.go", "revision.go", "child.go", "client.go"},
		"shell.Quote":         {"completions.go", "serving.go"},
	})
	forEachNode(t, func(path string, n ast.Node) {
		literal, ok := n.(*ast.CompositeLit)
		if !ok {
			return
		}
		for _, element := range literal.Elts {
			field, ok := element.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			name, ok := field.Key.(*ast.Ident)
			if ok && (name.Name == "Command" || name.Name == "Line" && isCommand(literal)) && madeByHand(field.Value) {
				t.Errorf("%s puts a command line together: use internal/shell", path)
			}
		}
	})
}

// isCommand reports whether a literal is a model.Command.
func isCommand(literal *ast.CompositeLit) bool {
	of, ok := literal.Type.(*ast.SelectorExpr)
	return ok && of.Sel.Name == "Command"
}

// madeByHand reports whether a text is put together of others.
func madeByHand(value ast.Expr) bool {
	switch value := value.(type) {
	case *ast.BinaryExpr:
		return value.Op == token.ADD
	case *ast.CallExpr:
		called, ok := value.Fun.(*ast.SelectorExpr)
		return ok && (called.Sel.Name == "Sprintf" || called.Sel.Name == "Sprint" || called.Sel.Name == "Join")
	}
	return false
}

// checkNames holds names of other packages to the files that may use them.
func checkNames(t *testing.T, may map[string][]string) {
	t.Helper()
	forEachName(t, func(path, name string) {
		if files, ok := may[name]; ok && !slices.Contains(files, filepath.Base(path)) {
			t.Errorf("%s uses %s: only %v may", path, name, files)
		}
	})
}

// TestNobodyDials: ssactl opens no connection and serves none. What it knows of a
// cluster it reads from files, or from what kubectl prints. The one exception is the program
// ssactl-serve, which ssactl serve starts: it listens, and its controllers ask it.
func TestNobodyDials(t *testing.T) {
	dialing := []string{
		"net.Dial", "net.DialTimeout", "net.Dialer", "net.Listen", "net.ListenConfig", "net.DialTCP", "net.DialUDP",
		"net.DialUnix", "tls.Dial", "tls.Dialer", "http.Get", "http.Head", "http.Post", "http.PostForm",
		"http.Client", "http.DefaultClient", "http.Transport", "http.DefaultTransport",
		"http.ListenAndServe", "http.Server", "rest.HTTPClientFor", "rest.RESTClientFor",
		"rest.TransportFor", "kubernetes.NewForConfig", "dynamic.NewForConfig",
		"discovery.NewDiscoveryClientForConfig",
	}
	forEachName(t, func(path, name string) {
		// It takes its transport from a library that would dial.
		offline := filepath.Base(filepath.Dir(path)) == "kustomize"
		if slices.Contains(dialing, name) && !offline && !isIn(packageOf(path), []string{"internal/serve"}) {
			t.Errorf("%s uses %s: ssactl opens no connection", path, name)
		}
	})
}

// forEachName visits the names that are called, and those of other packages as
// os.Stdout.
func forEachName(t *testing.T, visit func(path, name string)) {
	t.Helper()
	forEachNode(t, func(path string, n ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if called, ok := n.Fun.(*ast.Ident); ok {
				visit(path, called.Name)
			}
		case *ast.SelectorExpr:
			switch of := n.X.(type) {
			case *ast.Ident:
				visit(path, of.Name+"."+n.Sel.Name)
			case *ast.SelectorExpr:
				visit(path, of.Sel.Name+"."+n.Sel.Name)
			}
		}
	})
}

// forEachNode visits what the source is made of.
func forEachNode(t *testing.T, visit func(path string, n ast.Node)) {
	t.Helper()
	forEachFile(t, func(path string, _ []string) {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			visit(path, n)
			return true
		})
	})
}

func forEachImport(t *testing.T, visit func(from, imported string)) {
	t.Helper()
	forEachFile(t, func(path string, imports []string) {
		from := packageOf(path)
		for _, imported := range imports {
			visit(from, imported)
		}
	})
}

// packageOf is the package of a file, as its path in the module.
func packageOf(path string) string {
	return filepath.ToSlash(filepath.Dir(strings.TrimPrefix(path, ".."+string(filepath.Separator))))
}

func forEachFile(t *testing.T, visit func(path string, imports []string)) {
	t.Helper()
	for _, root := range []string{filepath.Join("..", "internal"), filepath.Join("..", "cmd")} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			var imports []string
			for _, spec := range file.Imports {
				name, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					return err
				}
				imports = append(imports, name)
			}
			visit(path, imports)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
