package wire

import "encoding/json"

// names are those of the members that a record has, in the order that is likely.
type names struct {
	// starts are the names as they stand before a value, without white space.
	starts []string
	byName map[string]int
}

// most members of a record: one bit says that a member was there.
const mostMembers = 256

// add adds a name. It returns false for one that is there.
func (n *names) add(name string) bool {
	if _, twice := n.byName[name]; twice {
		return false
	}
	if n.byName == nil {
		n.byName = map[string]int{}
	}
	n.byName[name] = len(n.starts)
	n.starts = append(n.starts, `"`+name+`":`)
	return true
}

// read takes an object and calls member before the value of each member that has the ith name, and other before that of
// any other. It refuses a member that is there twice: which one counts is for the general decoder to say.
func (n *names) read(r *Reader, member func(i int) bool, other func(name []byte) bool) bool {
	if !r.open('{') {
		return false
	}
	if r.shut('}') {
		return true
	}
	after := n.followers(r)
	var seen [mostMembers / 64]uint64
	for last := 0; ; { // one more than the index of the member before
		i := last
		if after != nil {
			i = after[last]
		}
		if i == len(n.starts) || !r.word(n.starts[i]) {
			name, ok := r.name()
			if !ok {
				return false
			}
			known := false
			if i, known = n.byName[string(name)]; !known {
				i = len(n.starts)
				ok = other(name)
			} else if after != nil {
				after[last] = i
			}
			if !ok {
				return false
			}
		}
		if i < len(n.starts) {
			bit := uint64(1) << (i % 64)
			if seen[i/64]&bit != 0 {
				return false
			}
			seen[i/64] |= bit
			last = i + 1
			if !member(i) {
				return false
			}
		}
		if !r.is(',') {
			return r.shut('}')
		}
	}
}

// followers returns by member which one is likely to follow; first it is the next one of the names.
func (n *names) followers(r *Reader) []int {
	after, known := r.after[n]
	if !known && r.after != nil {
		after = make([]int, len(n.starts)+1)
		for i := range after {
			after[i] = i
		}
		r.after[n] = after
	}
	return after
}

// keepIn keeps a member as it is. It refuses a name that is there.
func (r *Reader) keepIn(rest *map[string]json.RawMessage, name []byte) bool {
	key := r.Keep(name)
	raw, ok := r.Raw()
	if _, twice := (*rest)[key]; !ok || twice {
		return false
	}
	if *rest == nil {
		*rest = map[string]json.RawMessage{}
	}
	(*rest)[key] = append(json.RawMessage{}, raw...)
	return true
}
