package view

import (
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// tallied are the cautions of a run. Those that differ in the object to fetch only are
// one.
type tallied struct{ keyed[Caution, tally] }

// tally is a caution with how many objects have it.
type tally struct {
	Caution
	n int
	// kinds and namespaces are those of the objects to fetch, as kubectl takes them.
	kinds, namespaces []string
}

func (t *tallied) add(c Caution, target report.Target) {
	c.Field = ""
	key := c
	if c.Rule == report.RuleNoManagedFields {
		key.Command = ""
	}
	one := t.of(key, func() *tally { return &tally{Caution: c} })
	if one == nil {
		return
	}
	if one.n++; c.Rule == report.RuleNoManagedFields {
		group, _ := words.GroupVersion(target.APIVersion)
		one.kinds = once(one.kinds, resourceArgument(target.Kind, group))
		if target.Namespace != "" {
			one.namespaces = once(one.namespaces, target.Namespace)
		}
	}
}

// once adds what a list does not have yet, as long as there is room.
func once(list []string, s string) []string {
	if len(list) >= maxGroups || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// caution is the one on all these objects of so many.
func (one *tally) caution(total int) Caution {
	c := one.Caution
	if one.n < total {
		c.Message = fmt.Sprintf("%s (%d of %s)", c.Message, one.n, words.Count(total, "object"))
	}
	if one.n > 1 && one.kinds != nil {
		get := kubectl.Get{Everywhere: len(one.namespaces) != 1}
		if !get.Everywhere {
			get.Namespace = one.namespaces[0]
		}
		for _, kind := range one.kinds {
			get.Selections = append(get.Selections, named(kind)...)
		}
		c.Cure, c.Command = cured("Fetch them with their managed fields:", fetch(get, "live.yaml"))
	}
	return c
}

// commonCautions say once what makes the answers on many objects doubtful. What most
// objects have comes before the groups that ask for a decision, the rest behind them.
func (w *Run) commonCautions(total int) (before, behind []model.Block) {
	if !w.o.Brief {
		return nil, nil
	}
	for _, one := range w.cautions.list {
		blocks := cautionBlocks(one.caution(total))
		if 2*one.n < total {
			behind = append(behind, detached(blocks)...)
		} else {
			before = append(before, blocks...)
		}
	}
	return before, behind
}

// detached puts an empty line before blocks that begin with a paragraph.
func detached(blocks []model.Block) []model.Block {
	if p, ok := blocks[0].(model.Paragraph); ok {
		p.Apart = true
		blocks[0] = p
	}
	return blocks
}
