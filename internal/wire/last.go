package wire

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// lastMembers returns data in which each name of an object stands once: members that are repeated later are replaced by
// spaces. It returns false if there are none, if data is not JSON, or if it has more than mostDeep levels.
//
// The decoder itself lets the last member win, but only if it can read those before it.
func lastMembers(data []byte) ([]byte, bool) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var open []*memberStarts // of the objects and lists that are open, and after them of closed ones, for reuse
	var kept []byte
	for {
		before := int(dec.InputOffset())
		token, err := dec.ReadToken()
		if err != nil {
			return kept, errors.Is(err, io.EOF) && kept != nil
		}
		depth := dec.StackDepth()
		if depth > mostDeep {
			return nil, false
		}
		for len(open) <= depth {
			open = append(open, &memberStarts{last: map[string]int{}})
		}
		switch token.Kind() {
		case '{', '[':
			open[depth].reset()
			continue
		}
		if within, read := dec.StackIndex(depth); within != '{' || read%2 == 0 {
			continue
		}
		start := before + bytes.IndexByte(data[before:], '"')
		if from, to, repeated := open[depth].add(token.String(), start); repeated {
			if kept == nil {
				kept = bytes.Clone(data)
			}
			copy(kept[from:to], bytes.Repeat([]byte(" "), to-from))
		}
	}
}

// memberStarts are the places at which the members of an object start.
type memberStarts struct {
	starts []int
	last   map[string]int // by name, an index of starts
}

func (m *memberStarts) reset() {
	m.starts = m.starts[:0]
	clear(m.last)
}

// add notes a member. If its name was there before, it returns from where to where the earlier member stands, with the
// comma after it.
func (m *memberStarts) add(name string, start int) (from, to int, repeated bool) {
	m.starts = append(m.starts, start)
	i, repeated := m.last[name]
	m.last[name] = len(m.starts) - 1
	if !repeated {
		return 0, 0, false
	}
	return m.starts[i], m.starts[i+1], true
}
