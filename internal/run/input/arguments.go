package input

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
)

// ObjectName is KIND/NAME or KIND.GROUP/NAME, as people type it. Without a name
// it is every object of the kind.
type ObjectName struct{ Kind, group, Name string }

// ParseNames takes KIND/NAME, as often as it comes, or KIND NAME NAME….
func ParseNames(args []string) ([]ObjectName, error) {
	if len(args) > 1 && !slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, "/") }) {
		kind := args[0]
		args = slices.Clone(args[1:])
		for i := range args {
			args[i] = kind + "/" + args[i]
		}
	}
	var names []ObjectName
	for _, arg := range args {
		kind, name, ok := strings.Cut(arg, "/")
		if !ok || kind == "" || name == "" {
			return nil, fmt.Errorf("%q names no object: write KIND/NAME, such as deployment/web", arg)
		}
		kind, group, _ := strings.Cut(kind, ".")
		names = append(names, ObjectName{kind, group, name})
	}
	return names, nil
}

// ParseKinds takes KIND or KIND.GROUP, also as kubectl's list with commas.
func ParseKinds(args []string) ([]ObjectName, error) {
	var names []ObjectName
	for _, arg := range args {
		for kind := range strings.SplitSeq(arg, ",") {
			if kind == "" || strings.Contains(kind, "/") {
				return nil, fmt.Errorf("%q is no kind: --all takes kinds, such as deployments, and no names", arg)
			}
			kind, group, _ := strings.Cut(kind, ".")
			names = append(names, ObjectName{Kind: kind, group: group})
		}
	}
	return names, nil
}

func (n ObjectName) String() string {
	text := n.Kind
	if n.group != "" {
		text += "." + n.group
	}
	if n.Name == "" {
		return text
	}
	return text + "/" + n.Name
}

// InGroup takes the beginning of a group, and VERSION.GROUP, as kubectl does.
func (n ObjectName) InGroup(group string) bool {
	return n.group == "" || strings.HasPrefix(group, n.group) || strings.HasSuffix(n.group, "."+group)
}

// KindOf is the kind of a document, with its group and version.
func KindOf(id manifest.Identity) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: id.Group(), Version: id.Version(), Kind: id.Kind}
}

// Habits are flags that people type from other tools, with what does the same
// here.
var Habits = map[string]string{
	"force":          "to take conflicting fields from their field managers: --force-conflicts",
	"dry-run":        "every run is dry: files are written only with --write",
	"no-color":       "color is off with --color never, or NO_COLOR=1",
	"diff":           "a diff is printed by 'ssactl diff', or by -o diff",
	"context":        clusterless,
	"kubeconfig":     clusterless,
	"cluster":        clusterless,
	"as":             clusterless,
	"all-namespaces": "documents are answered in their own namespaces; live objects of all of them come from 'kubectl get ... -A'",
	"manager":        "the field manager is --field-manager",
	"kustomize":      "-k builds manifests, and this command asks about live objects: give them with -f",
	"file":           "files are named with -f",
	"version":        "'ssactl version' prints which API server is simulated",
	"values":         "render the chart first: helm template ... | ssactl apply -f -",
	"prune":          "'kubectl apply --prune -l SELECTOR' is --client kubectl --server-side=false --prune -l SELECTOR; --unmatched lists the live objects that no manifest names",
	"atomic":         "--rollback-on-failure is its name in Helm 4, and with --client helm here",
}

// clusterless says where live objects come from.
const clusterless = `no cluster is asked: live objects are files, read with --live
  kubectl get KIND NAME -o yaml --show-managed-fields > live.yaml`

// habitFormats are formats of kubectl, with what does the same here.
var habitFormats = map[string]string{
	"wide":           "-o text shows everything with -v",
	"jsonpath":       inJSON,
	"jsonpath-file":  inJSON,
	"go-template":    inJSON,
	"custom-columns": inJSON,
}

const inJSON = "pick from what -o json prints, with jq"

// UnknownFormat explains a format that a command does not have.
func UnknownFormat(name string, formats []string) error {
	err := fmt.Errorf("unknown output format %q: use one of %s", name, strings.Join(formats, ", "))
	if habitFormats[name] != "" {
		return fmt.Errorf("%w\n%s", err, habitFormats[name])
	}
	return err
}

// manifestName is KIND/NAME or KIND.GROUP/NAME, and no path of a file of YAML or JSON.
var manifestName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*(\.[A-Za-z0-9.-]+)?/[^/]+$`)

// ManifestNames is for commands whose arguments select manifests as KIND/NAME. Other
// arguments are as wrong as where there are only flags.
func ManifestNames(in *Flags) cobra.PositionalArgs { return LiveNames(&in.Wanted) }

// LiveNames is the same for arguments that select live objects.
func LiveNames(wanted *[]ObjectName) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) (err error) {
		for _, arg := range args {
			if _, err := os.Lstat(arg); err == nil || !manifestName.MatchString(arg) || manifestFile.MatchString(arg) {
				return OnlyFlags(cmd, args)
			}
		}
		*wanted, err = ParseNames(args)
		return err
	}
}

// fieldOfKind is KIND.FIELD, as kubectl explain takes it.
var fieldOfKind = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*(\.[A-Za-z][A-Za-z0-9]*)+$`)

// manifestFile is the name of a file that is meant for -f.
var manifestFile = regexp.MustCompile(`\.(ya?ml|json)(\.gz)?$`)

// OnlyFlags is for commands without arguments: a file that is named without its
// flag is reported with it.
func OnlyFlags(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case len(args) == 2 && cmd.Flags().Lookup("live") != nil:
		return fmt.Errorf(
			"files are named with flags: which is the manifest, and which the live object?\n  %s -f %s --live %s",
			cmd.CommandPath(),
			args[1],
			args[0],
		)
	case cmd.Flags().Lookup("filename") == nil:
		return cobra.NoArgs(cmd, args)
	case cmd.Name() == "explain" && len(args) == 1 &&
		fieldOfKind.MatchString(args[0]) && !manifestFile.MatchString(args[0]):
		return fmt.Errorf(
			"explain is about conflicts of a manifest; fields of a kind are explained by:\n  %s schema %s",
			cmd.Root().CommandPath(),
			args[0],
		)
	}
	return fmt.Errorf("files are named with -f:\n  %s -f %s", cmd.CommandPath(), strings.Join(args, " -f "))
}

// ManagersIn lists the field managers of live files, sorted. Completion tells
// no errors: what cannot be read has no managers.
func ManagersIn(paths []string) []string {
	index, _ := live.Load(slices.DeleteFunc(slices.Clone(paths), IsStdin), live.Options{})
	names := map[string]bool{}
	for _, object := range index.Objects() {
		decoded, err := object.Decode()
		if err != nil {
			continue
		}
		for _, entry := range managedfields.Of(decoded).Entries {
			names[entry.Manager] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// IsStdin reports whether a path is standard input.
func IsStdin(path string) bool { return path == "-" }

// MustComplete completes a flag with fixed values.
func MustComplete(cmd *cobra.Command, flag string, values []string) {
	Complete(cmd, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values, cobra.ShellCompDirectiveNoFileComp
	})
}

// Complete completes a flag by a function.
func Complete(
	cmd *cobra.Command,
	flag string,
	f func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective),
) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}
