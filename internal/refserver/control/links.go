package control

import (
	"iter"
	"reflect"
)

// Bounds of a search through records.
const (
	mostSearched = 10_000 // records that one call looks at
	mostLinks    = 100    // of each kind
)

type linkJSON struct {
	Resource string `json:"resource"`
	Key      string `json:"key"`
	Member   string `json:"member"`
}

// linksOf answers which records a record names, and which name it. Deleted records are left out.
func linksOf(c *call) (any, error) {
	r, err := c.resource()
	if err != nil {
		return nil, err
	}
	if _, err := r.record(c.r.PathValue("key")); err != nil {
		return nil, err
	}
	tables, err := c.tables(c.st.ID)
	if err != nil {
		return nil, err
	}
	names, usedBy := newLinks(), newLinks()
	record := r.find(c.r.PathValue("key"))
	byName := map[string]resource{}
	for _, other := range tables {
		byName[other.name] = other
	}
	for _, t := range r.trails() {
		t.keys(record, func(of, key string) bool {
			other, ok := byName[of]
			if ok && other.has(key) && (of != r.name || key != c.r.PathValue("key")) {
				names.add(linkJSON{of, key, t.member})
			}
			return true
		})
	}
	left := mostSearched
	for _, other := range tables {
		for _, t := range other.trails() {
			if t.of == r.name || t.of == "" {
				left = other.using(c, r, t, left, usedBy)
			}
		}
	}
	return map[string]any{"names": names.all, "used_by": usedBy.all, "complete": left > 0 && !names.more &&
		!usedBy.more}, nil
}

// links are the links that were found, each once.
type links struct {
	all  []linkJSON
	seen map[linkJSON]bool
	more bool // than mostLinks
}

func newLinks() *links { return &links{all: []linkJSON{}, seen: map[linkJSON]bool{}} }

func (l *links) add(one linkJSON) {
	switch {
	case l.seen[one]:
	case len(l.all) >= mostLinks:
		l.more = true
	default:
		l.seen[one] = true
		l.all = append(l.all, one)
	}
}

// using adds the records of a table that name the record of the path by a trail, and returns how many more may be
// looked at. At 0 the search has ended early.
func (r resource) using(c *call, of resource, t trail, left int, to *links) int {
	key := c.r.PathValue("key")
	records, counts := r.all(), true
	if index, ok := indexed()[r.name+"."+t.member]; ok {
		records, counts = r.where(index, key), false
	}
	for k, record := range records {
		if to.more || left == 0 || c.ctx.Err() != nil {
			return 0
		}
		if counts {
			left--
		}
		t.keys(record, func(named, found string) bool {
			if named != of.name || found != key || r.name == of.name && keyText(k) == key {
				return true
			}
			to.add(linkJSON{r.name, keyText(k), t.member})
			return false
		})
	}
	return left
}

// all yields every record with its key.
func (r resource) all() iter.Seq2[reflect.Value, reflect.Value] {
	return r.table.MethodByName("All").Call(nil)[0].Seq2()
}

// where yields the records that an index has under a value.
func (r resource) where(index, value string) iter.Seq2[reflect.Value, reflect.Value] {
	in := []reflect.Value{reflect.ValueOf(index), reflect.ValueOf(value)}
	return r.table.MethodByName("Where").Call(in)[0].Seq2()
}

// has reports whether there is a record with the key in the text.
func (r resource) has(key string) bool {
	k, ok := r.parse(key)
	return ok && r.table.MethodByName("Has").Call([]reflect.Value{k})[0].Bool()
}
