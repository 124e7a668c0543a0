package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/shell"
)

// inputFlags say what is read.
type inputFlags struct {
	filenames []string
	// kustomize is the folder whose kustomization builds the manifests instead;
	// builtText, when not nil, gets the text of them, in which they stand then.
	kustomize string
	builtText *[]byte
	live      []string
	crds      []string
	// policies are files that say who may own what.
	policies []string
	// others are files that the command reads besides.
	others []string
	// extra are lists of manifests that are no subjects, such as those of clear --with.
	extra     [][]string
	recursive bool
	namespace string
	// mixed: -f takes live objects and manifests alike.
	mixed bool
	// compact: of live objects their JSON is enough, without the lines of their fields,
	// so that those of a large dump are held packed.
	compact bool
	// strict refuses documents of another namespace.
	strict   bool
	selector selector
	// wanted are the manifests that the arguments name; none for all.
	wanted []objectName
	// about gives the object that a manifest is about, where that is another;
	// nil where each is about itself.
	about func(manifest.Identity) manifest.Identity
	// oneByOne says that each answer depends on those before it.
	oneByOne bool
	// inOrder says that the manifests are written one after the other, so that
	// each is answered for in a cluster that has those before it; with dryRun it
	// has none of them.
	inOrder bool
	dryRun  string
	// scaling says that Scales are for the scale subresource.
	scaling bool
	// assumeAbsent: an unknown live object is taken as absent; creates: a create needs
	// none.
	assumeAbsent, creates bool
	// unmatched asks for the live objects that no manifest names.
	unmatched bool
	// spare reports which live objects are held though no manifest names them; nil for
	// none.
	spare func(manifest.Identity) bool
	// writes: files that are read may be written.
	writes bool
	// replaced are the files that outputs replace, by their names.
	replaced map[string]fs.FileInfo
	// snapshotKey is the file with the key of digests; empty for the user's own.
	snapshotKey string
	// standIn says what stands for live values of a snapshot that cannot be compared, and
	// patch is that of the command; nil without one.
	standIn standIn
	patch   map[string]any
	// The limits of a document; zero for the defaults.
	maxBytes, maxValues, maxDepth int
	// maxInputBytes and maxObjects bound one file.
	maxInputBytes int64
	maxObjects    int
}

func (f *inputFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.filenames, "filename", "f", nil, "manifest `file`, directory, or - for standard input (repeatable)")
	f.addKustomize(cmd)
	f.addLive(cmd)
}

// addAssumeAbsent is for the commands that ask about manifests next to live objects.
func (f *inputFlags) addAssumeAbsent(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.assumeAbsent, "assume-absent", false, "take objects as absent that the live files leave unknown, such as those that a snapshot was not taken for")
}

func (f *inputFlags) addLive(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.live, "live", nil, "live objects: a `file`, directory, or - for standard input, as 'kubectl get --show-managed-fields -o yaml' writes them (repeatable)")
	f.addReading(cmd)
}

// addReading adds how inputs are read, whatever they are.
func (f *inputFlags) addReading(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.crds, "crds", nil, "`file` or directory with CustomResourceDefinitions (repeatable)")
	flags.BoolVarP(&f.recursive, "recursive", "R", false, "read directories recursively")
	flags.StringVarP(&f.namespace, "namespace", "n", "", "`namespace` of documents without one (default \"default\")")
	flags.BoolVar(&f.strict, "namespace-strict", false, "refuse documents of another namespace than -n, as kubectl does")
	flags.VarP(&f.selector, "selector", "l", "only objects whose labels match this `selector`, such as app=web,tier!=cache")
	flags.StringVar(&f.snapshotKey, "snapshot-key", "", "`file` with the key of digests that stand for values of Secrets in a snapshot (default one of your own)")
	f.addLimits(cmd)
}

// addLiveObjects adds the inputs of a command that asks about live objects.
func (f *inputFlags) addLiveObjects(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.live, "filename", "f", nil, "live objects: a `file`, directory, or - for standard input, as 'kubectl get --show-managed-fields -o yaml' writes them (repeatable)")
	flags.StringArrayVar(&f.live, "live", nil, "`file` with live objects, the same as --filename")
	f.addReading(cmd)
	onlyNamespace(cmd)
}

// onlyNamespace says what the namespace means where the live objects are what
// is asked about.
func onlyNamespace(cmd *cobra.Command) {
	cmd.Flags().Lookup("namespace").Usage = "only objects of this `namespace`, which is also that of documents without one"
}

// addLimits adds those of one document, and of one file.
func (f *inputFlags) addLimits(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.maxBytes, "max-document-bytes", manifest.DefaultMaxDocumentBytes, "largest document to read, in bytes")
	flags.IntVar(&f.maxValues, "max-values", 0, "most values in a document (default one for every 20 bytes of --max-document-bytes)")
	flags.IntVar(&f.maxDepth, "max-depth", manifest.DefaultMaxDepth, "deepest nesting of a document")
	flags.Int64Var(&f.maxInputBytes, "max-input-bytes", manifest.DefaultMaxInputBytes, "largest file to read, in bytes after decompression")
	flags.IntVar(&f.maxObjects, "max-objects", manifest.DefaultMaxObjects, "most objects to read from a file, items of Lists included")
}

// addUnmatched lets those be asked for that --live has too many.
func (f *inputFlags) addUnmatched(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.unmatched, "unmatched", false, "list the live objects that no manifest names")
}

// The values of --dry-run.
const (
	dryRunNone   = "none"
	dryRunServer = "server"
)

// addDryRun is for the commands that write one manifest after the other.
func (f *inputFlags) addDryRun(cmd *cobra.Command) {
	f.inOrder = true
	values := []string{dryRunNone, dryRunServer}
	cmd.Flags().StringVar(&f.dryRun, "dry-run", dryRunNone, "answer as a `run` of kubectl with the same flag would, which stores nothing: objects whose namespace or definition comes in the same run are rejected ("+strings.Join(values, ", ")+")")
	mustComplete(cmd, "dry-run", values)
}

func (f *inputFlags) checkDryRun() error {
	if f.dryRun == "" || f.dryRun == dryRunNone || f.dryRun == dryRunServer {
		return nil
	}
	return fmt.Errorf("--dry-run %q: use %s or %s", f.dryRun, dryRunNone, dryRunServer)
}

// sources are the flags, as they are typed, that name manifests and live objects.
func (f *inputFlags) sources() []shell.Flag {
	var flags []shell.Flag
	for _, path := range f.filenames {
		flags = append(flags, shell.File("-f", path))
	}
	for _, path := range f.live {
		flags = append(flags, shell.File("--live", path))
	}
	return flags
}

// words are the flags, as they are typed, that decide what is read.
func (f *inputFlags) words() []shell.Flag {
	var flags []shell.Flag
	if f.kustomize != "" {
		flags = append(flags, shell.File("-k", f.kustomize))
	}
	if f.recursive {
		flags = append(flags, shell.Switch("-R"))
	}
	if f.namespace != "" {
		flags = append(flags, shell.Value("-n", f.namespace))
	}
	if f.assumeAbsent {
		flags = append(flags, shell.Switch("--assume-absent"))
	}
	if f.strict {
		flags = append(flags, shell.Switch("--namespace-strict"))
	}
	if !f.selector.empty() {
		flags = append(flags, shell.Value("-l", f.selector.String()))
	}
	for _, path := range f.crds {
		flags = append(flags, shell.File("--crds", path))
	}
	return flags
}

// names are the arguments that select manifests, as they are typed.
func (f *inputFlags) names() []string {
	var words []string
	for _, n := range f.wanted {
		words = append(words, n.String())
	}
	return words
}

// needLive is the error of a command that asks about live objects, and has none.
func (f *inputFlags) needLive() error {
	if len(f.live) > 0 {
		return nil
	}
	return errors.New("--live is needed: the file with the live objects, as 'kubectl get --show-managed-fields -o yaml' writes them")
}

func (f *inputFlags) recursion() manifest.Recursion {
	if f.recursive {
		return manifest.Recursive
	}
	return manifest.TopOnly
}

func mustComplete(cmd *cobra.Command, flag string, values []string) {
	complete(cmd, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values, cobra.ShellCompDirectiveNoFileComp
	})
}

func complete(cmd *cobra.Command, flag string, f func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}
