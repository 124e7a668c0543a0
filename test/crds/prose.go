package crds

import "strings"

// words are those of the names and descriptions.
var words = strings.Fields(`access address affinity agent archive backend backup batch bucket budget
cache channel claim client cluster config container controller default device disk domain driver
endpoint engine event export feature filter gateway group handler header health host image index
ingress instance interval job key label layer lease limit listener log manager mapping member memory
metric mirror mode monitor mount network node object operator option owner path peer plan policy pool
port probe profile project proxy queue quota receiver record region registry release replica request
resource restore retention role route rule runtime sample schedule scope secret selector server
service session shard sink snapshot source stage status storage stream subset target template tenant
threshold timeout token topology trace trigger upstream user value version volume watch window worker
zone`)

// small are the words between them.
var small = strings.Fields(`the a of to in for with by from on at as is are be will may must when
that this which all each any no not and or if then only more than one until before after`)

func (m *maker) word() string { return words[m.random.IntN(len(words))] }

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// description is the text of a doc comment, as controller-gen copies it: mostly
// one paragraph, often several lines, sometimes with what YAML has to quote.
func (m *maker) description() string {
	switch n := m.random.IntN(100); {
	case n < 45:
		return m.paragraph(" ", 1+m.random.IntN(4))
	case n < 80:
		return m.paragraph("\n", 2+m.random.IntN(5))
	case n < 88:
		return m.paragraph("\n", 2) + "\n\n" + m.paragraph("\n", 2)
	case n < 92:
		return m.sentence() + " For example:\n\n\t" + m.word() + ": " + m.word() + "\n\t" + m.word() + ": 12\n"
	case n < 96:
		return m.sentence() + " One of:\n- `" + title(m.word()) + "`: " + m.sentence() + "\n- `\"\"`: " + m.sentence()
	case n < 98:
		return "`" + m.word() + "` " + m.paragraph(" ", 2)
	}
	return "  " + m.paragraph("\n  ", 3) + "\n"
}

func (m *maker) paragraph(between string, sentences int) string {
	var all []string
	for range sentences {
		all = append(all, m.sentence())
	}
	return strings.Join(all, between)
}

// sentence is one of five to twenty words, with the punctuation that such texts
// have.
func (m *maker) sentence() string {
	var b strings.Builder
	b.WriteString(title(m.word()))
	for range 4 + m.random.IntN(16) {
		b.WriteByte(' ')
		b.WriteString(m.inSentence())
	}
	switch m.random.IntN(12) {
	case 0:
		return b.String() + ". More info: https://docs.example.com/concepts/" + m.word() + "#" + m.word()
	case 1:
		return b.String() + ": " + m.word() + " or " + m.word() + "."
	case 2:
		return b.String() + " (" + m.word() + "/" + m.word() + ")"
	}
	return b.String() + "."
}

func (m *maker) inSentence() string {
	if m.percent(50) {
		return small[m.random.IntN(len(small))]
	}
	word := m.word()
	switch m.random.IntN(40) {
	case 0:
		return "\"" + word + "\""
	case 1:
		return "`" + word + "`"
	case 2:
		return word + "'s"
	case 3:
		return word + ","
	case 4:
		return "[" + word + "]"
	case 5:
		return word + " \u2013"
	case 6:
		return "0.5"
	}
	return word
}
