// Package input has the flags of what is read and asked: manifests and live objects, the
// server, the request, the client.
package input

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/shell"
)

// Flags say what is read.
type Flags struct {
	Filenames []string
	// Kustomize is the folder whose kustomization builds the manifests instead.
	Kustomize string
	Live      []string
	Crds      []string
	// Policies are files that say who may own what.
	Policies  []string
	Recursive bool
	Namespace string
	// Strict refuses documents of another namespace.
	Strict bool
	// ByKubectl: the client is said to be kubectl, which refuses such documents itself.
	ByKubectl bool
	Selector  selector
	// DryRun answers as a dry run of kubectl would.
	DryRun string
	// Rounds of the other writers that are simulated after an accepted write; 0 for none.
	Rounds int
	// AssumeAbsent: an unknown live object is taken as absent.
	AssumeAbsent bool
	// Unmatched asks for the live objects that no manifest names.
	Unmatched bool
	// SnapshotKey is the file with the key of digests; empty for the user's own.
	SnapshotKey string
	// The limits of a document; zero for the defaults.
	MaxBytes, MaxValues, MaxDepth int
	// MaxInputBytes and MaxObjects bound one file.
	MaxInputBytes int64
	MaxObjects    int
	// Base are the manifests before the change that is asked about; zero for none.
	Base Base
	Purpose
}

// Purpose is what a command is about to do with its inputs: its code sets it, no flag does.
type Purpose struct {
	// Others are files that the command reads besides.
	Others []string
	// Extra are lists of manifests that are no subjects, such as those of clear --with.
	Extra [][]string
	// BuiltText, when not nil, gets the text that a kustomization builds, in which its
	// manifests stand then.
	BuiltText *[]byte
	// Mixed: -f takes live objects and manifests alike.
	Mixed bool
	// LiveBySettings: --live is not typed, but a setting of the repository. Live objects that -f names are
	// asked about instead.
	LiveBySettings bool
	// Compact: of live objects their JSON is enough, without the lines of their fields,
	// so that those of a large dump are held packed.
	Compact bool
	// Wanted are the manifests that the arguments name; none for all.
	Wanted []ObjectName
	// About gives the object that a manifest is about, where that is another;
	// nil where each is about itself.
	About func(manifest.Identity) manifest.Identity
	// OneByOne says that each answer depends on those before it.
	OneByOne bool
	// InOrder says that the manifests are written one after the other, so that
	// each is answered for in a cluster that has those before it; with DryRun it
	// has none of them.
	InOrder bool
	// Scaling says that Scales are for the scale subresource.
	Scaling bool
	// Creates: a create needs no live object.
	Creates bool
	// Spare reports which live objects are held though no manifest names them; nil for
	// none.
	Spare func(manifest.Identity) bool
	// Writes: files that are read may be written.
	Writes bool
	// Replaced are the files that outputs replace, by their names.
	Replaced map[string]fs.FileInfo
	// StandIn says what stands for live values of a snapshot that cannot be compared, and
	// Patch is that of the command; nil without one.
	StandIn standIn
	Patch   map[string]any
}

// Add adds the flags of manifests and live objects.
func (f *Flags) Add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(
		&f.Filenames,
		"filename", "f", nil, "manifest `file`, directory, or - for standard input (repeatable)",
	)
	f.AddKustomize(cmd)
	f.AddLive(cmd)
}

// AddAssumeAbsent is for the commands that ask about manifests next to live objects.
func (f *Flags) AddAssumeAbsent(cmd *cobra.Command) {
	cmd.Flags().
		BoolVar(&f.AssumeAbsent, "assume-absent", false, "take objects as absent that the live files leave unknown, such as those that a snapshot was not taken for")
}

// AddLive adds those of live objects.
func (f *Flags) AddLive(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(
		&f.Live,
		"live",
		nil,
		"live objects: a `file`, directory, or - for standard input, as 'kubectl get --show-managed-fields -o yaml' writes them (repeatable)",
	)
	f.AddReading(cmd)
}

// AddReading adds how inputs are read, whatever they are.
func (f *Flags) AddReading(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.Crds, "crds", nil, "`file` or directory with CustomResourceDefinitions (repeatable)")
	flags.BoolVarP(&f.Recursive, "recursive", "R", false, "read directories recursively")
	flags.StringVarP(&f.Namespace, "namespace", "n", "", "`namespace` of documents without one (default \"default\")")
	flags.BoolVar(
		&f.Strict,
		"namespace-strict",
		false,
		"refuse documents whose namespace differs from -n, as --client kubectl does anyway",
	)
	flags.VarP(
		&f.Selector,
		"selector",
		"l",
		"only objects whose labels match this `selector`, such as app=web,tier!=cache",
	)
	flags.StringVar(
		&f.SnapshotKey,
		"snapshot-key",
		"",
		"`file` with the key for the digests that replace Secret values in a snapshot (default your personal key)",
	)
	f.AddLimits(cmd)
}

// AddLiveObjects adds the inputs of a command that asks about live objects.
func (f *Flags) AddLiveObjects(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(
		&f.Live,
		"filename",
		"f",
		nil,
		"live objects: a `file`, directory, or - for standard input, as 'kubectl get --show-managed-fields -o yaml' writes them (repeatable)",
	)
	flags.StringArrayVar(&f.Live, "live", nil, "`file` with live objects, the same as --filename")
	f.AddReading(cmd)
	OnlyNamespace(cmd)
}

// OnlyNamespace says what the namespace means where the live objects are what
// is asked about.
func OnlyNamespace(cmd *cobra.Command) {
	cmd.Flags().Lookup("namespace").Usage = "only objects of this `namespace`, which is also that of documents without one"
}

// AddLimits adds those of one document, and of one file.
func (f *Flags) AddLimits(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.MaxBytes, "max-document-bytes", manifest.DefaultMaxDocumentBytes, "largest document to read, in bytes")
	flags.IntVar(
		&f.MaxValues,
		"max-values",
		0,
		"most values in a document (default one for every 20 bytes of --max-document-bytes)",
	)
	flags.IntVar(&f.MaxDepth, "max-depth", manifest.DefaultMaxDepth, "deepest nesting of a document")
	flags.Int64Var(
		&f.MaxInputBytes,
		"max-input-bytes",
		manifest.DefaultMaxInputBytes,
		"largest file to read, in bytes after decompression",
	)
	flags.IntVar(
		&f.MaxObjects,
		"max-objects",
		manifest.DefaultMaxObjects,
		"most objects to read from a file, items of Lists included",
	)
}

// AddUnmatched lets those be asked for that --live has too many.
func (f *Flags) AddUnmatched(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.Unmatched, "unmatched", false, "list the live objects that no manifest names")
}

// The values of --dry-run.
const (
	dryRunNone   = "none"
	DryRunServer = "server"
)

// AddDryRun is for the commands that write one manifest after the other.
func (f *Flags) AddDryRun(cmd *cobra.Command) {
	f.InOrder = true
	values := []string{dryRunNone, DryRunServer}
	cmd.Flags().
		StringVar(&f.DryRun, "dry-run", dryRunNone, "simulate kubectl's --dry-run in this `mode`: nothing is stored, so objects whose namespace or definition comes in the same run are rejected ("+strings.Join(values, ", ")+")")
	MustComplete(cmd, "dry-run", values)
}

// DefaultRounds is how many rounds of other writers are simulated; mostRounds bounds them.
const (
	DefaultRounds = 3
	mostRounds    = 100
)

// AddRounds is for the commands that say whether a write lasts.
func (f *Flags) AddRounds(cmd *cobra.Command) {
	cmd.Flags().IntVar(
		&f.Rounds, "rounds", DefaultRounds,
		"simulate this `number` of rounds in which the other writers, and then the client, write again; 0 is off",
	)
}

// CheckRounds finds a wrong value of --rounds.
func (f *Flags) CheckRounds() error {
	if f.Rounds < 0 || f.Rounds > mostRounds {
		return fmt.Errorf("--rounds %d: use a number from 0 to %d", f.Rounds, mostRounds)
	}
	return nil
}

// CheckDryRun finds a wrong value of --dry-run.
func (f *Flags) CheckDryRun() error {
	if f.DryRun == "" || f.DryRun == dryRunNone || f.DryRun == DryRunServer {
		return nil
	}
	return fmt.Errorf("--dry-run %q: use %s or %s", f.DryRun, dryRunNone, DryRunServer)
}

// Sources are the flags, as they are typed, that name manifests and live objects.
func (f *Flags) Sources() []shell.Flag {
	var flags []shell.Flag
	for _, path := range f.Filenames {
		flags = append(flags, shell.File("-f", path))
	}
	for _, path := range f.Live {
		flags = append(flags, shell.File("--live", path))
	}
	return flags
}

// Words are the flags, as they are typed, that decide what is read.
func (f *Flags) Words() []shell.Flag {
	var w words
	w.add(f.Kustomize != "", shell.File("-k", f.Kustomize))
	w.add(f.Recursive, shell.Switch("-R"))
	w.add(f.Namespace != "", shell.Value("-n", f.Namespace))
	w.add(f.AssumeAbsent, shell.Switch("--assume-absent"))
	w.add(f.Strict, shell.Switch("--namespace-strict"))
	w.add(!f.Selector.empty(), shell.Value("-l", f.Selector.String()))
	for _, path := range f.Crds {
		w.add(true, shell.File("--crds", path))
	}
	return w
}

// words are flags as they are typed.
type words []shell.Flag

// add adds one that was given.
func (w *words) add(given bool, flag shell.Flag) {
	if given {
		*w = append(*w, flag)
	}
}

// Names are the arguments that select manifests, as they are typed.
func (f *Flags) Names() []string {
	var words []string
	for _, n := range f.Wanted {
		words = append(words, n.String())
	}
	return words
}

// NeedLive is the error of a command that asks about live objects, and has none.
func (f *Flags) NeedLive() error {
	if len(f.Live) > 0 {
		return nil
	}
	return errors.New(
		"--live is needed: the file with the live objects, as 'kubectl get --show-managed-fields -o yaml' writes them",
	)
}

// Recursion says whether directories are read recursively.
func (f *Flags) Recursion() manifest.Recursion {
	if f.Recursive {
		return manifest.Recursive
	}
	return manifest.TopOnly
}

// AddPolicy is for the commands that know who may own what.
func (f *Flags) AddPolicy(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.Policies, "policy", nil, "YAML `file` that says who may own which field (repeatable)")
}

// standIn says what stands for live values that cannot be compared.
type standIn int

const (
	// TheManifest is what is to be written.
	TheManifest standIn = iota
	// ThePatch is what is written where manifests only name the objects.
	ThePatch
	// Nothing is where nothing is written, or it is compared in another way.
	Nothing
)

// selector is the value of -l: only objects whose labels match are answered. The
// zero selector matches all.
type selector struct {
	text     string
	selector labels.Selector
}

func (s *selector) String() string { return s.text }

func (s *selector) Type() string { return "selector" }

func (s *selector) Set(text string) error {
	parsed, err := labels.Parse(text)
	if err != nil {
		return err
	}
	s.text, s.selector = text, parsed
	return nil
}

// Labels is the selector of labels; nil for none.
func (s *selector) Labels() labels.Selector { return s.selector }

func (s *selector) empty() bool { return s.selector == nil || s.selector.Empty() }

// Matches reports whether the labels of a document match. One whose labels cannot
// be read has none.
func (s *selector) Matches(d manifest.Document) bool {
	if s.empty() {
		return true
	}
	set, _ := labelsIn(d)
	return s.selector.Matches(set)
}

// labelsIn are the labels of a document; none where they cannot be read.
func labelsIn(d manifest.Document) (labels.Set, error) {
	var object struct {
		Metadata struct {
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(d.JSON(), &object); err != nil {
		return nil, err
	}
	return object.Metadata.Labels, nil
}

// Among are the manifests that match, in their order; an error where none of them
// does. One whose labels cannot be read is among them: kubectl decodes the metadata of all
// documents, whether it selects them or not, and fails.
func (s *selector) Among(manifests []manifest.Document) ([]manifest.Document, error) {
	if s.empty() || len(manifests) == 0 {
		return manifests, nil
	}
	var out []manifest.Document
	matched := false
	for _, d := range manifests {
		matches := s.Matches(d)
		if _, err := labelsIn(d); matches || err != nil {
			out, matched = append(out, d), matched || matches
		}
	}
	if !matched {
		return nil, fmt.Errorf("no manifest matches -l %s: %d were read", s.text, len(manifests))
	}
	return out, nil
}
