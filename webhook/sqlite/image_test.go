package sqlite_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// image is what is on a disk: what was synced, and what was written since and may be there or not.
type image map[string]*content

type content struct {
	exists  bool
	synced  []byte
	pending []op
}

// do follows an op.
func (m image) do(o op) {
	c := m[o.file]
	if c == nil {
		c = &content{}
		m[o.file] = c
	}
	switch o.kind {
	case write, truncate:
		if len(c.pending) > 0 && c.pending[0].kind == remove {
			*c = content{} // another file of that name
		}
		c.pending = append(c.pending, o)
	case syncs:
		for _, p := range c.pending {
			c.synced = p.apply(c.synced)
		}
		c.exists, c.pending = true, nil
	case remove:
		if c.pending = []op{o}; o.at != 0 {
			*c = content{}
		}
	}
}

// apply does what an op says to a content.
func (o op) apply(to []byte) []byte {
	switch o.kind {
	case write:
		if end := int(o.at) + len(o.data); end > len(to) {
			to = slices.Grow(to, end-len(to))
			clear(to[len(to):end])
			to = to[:end]
		}
		copy(to[o.at:], o.data)
	case truncate:
		if int(o.at) < len(to) {
			return to[:o.at]
		}
		to = append(to, make([]byte, int(o.at)-len(to))...)
	}
	return to
}

// sector is what a disk writes whole.
const sector = 512

// torn keeps some of the sectors of a write.
func (o op) torn(r *rand.Rand, to []byte) []byte {
	for begin := 0; begin < len(o.data); {
		end := min(len(o.data), begin+sector-(int(o.at)+begin)%sector)
		if r.IntN(2) == 0 {
			to = op{kind: write, at: o.at + int64(begin), data: o.data[begin:end]}.apply(to)
		}
		begin = end
	}
	return to
}

// cut writes the files as they may be after a power cut: of what was not synced, nothing is there, or the
// beginning, or any part.
func (m image) cut(t *testing.T, r *rand.Rand, path string) {
	t.Helper()
	for name, c := range m {
		data, exists, pending := c.synced, c.exists, c.pending
		keep := r.IntN(len(pending) + 1)
		how := r.IntN(3)
		if how == 0 {
			pending = nil
		}
		if len(pending) > 0 {
			data = bytes.Clone(data)
		}
		for i, o := range pending {
			switch {
			case how == 1 && i > keep || how == 2 && r.IntN(3) == 0:
				continue
			case o.kind == remove:
				data, exists = nil, false
				continue
			case o.kind == write && (how == 1 && i == keep || how == 2 && r.IntN(3) == 0):
				data = o.torn(r, data)
			default:
				data = o.apply(data)
			}
			exists = true
		}
		if !exists && name != "" { // the main file is made, and synced, before SQLite is asked
			continue
		}
		if err := os.WriteFile(path+name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
