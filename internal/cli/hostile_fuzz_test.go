package cli

import "testing"

// FuzzCommands puts a text anywhere into the files or flags of any command. The
// law is that of hostileRun.check.
func FuzzCommands(f *testing.F) {
	seeds, lines := hostileSeeds(f), hostileLines()
	for i := range lines {
		f.Add(uint8(i), uint8(i), uint8(i), uint16(7*i), "A%")
	}
	f.Add(uint8(40), uint8(1), uint8(3), uint16(2), "x.y/{")
	f.Fuzz(func(t *testing.T, line, seed, file uint8, place uint16, text string) {
		// Size is another test's.
		text = text[:min(len(text), 1000)]
		s := seeds[int(seed)%len(seeds)]
		h := s.run(lines[int(line)%len(lines)], int(file)%4, func(places []hostilePlace) hostilePlace {
			return places[int(place)%len(places)]
		}, text)
		h.check(t, h.run(t, t.TempDir()))
	})
}
