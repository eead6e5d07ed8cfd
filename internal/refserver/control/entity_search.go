package control

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"sync"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// fewEntities are so few records that they are searched without an index, or indexed by the search that requires it.
const fewEntities = 1000

// entitySearch is the index by text of the resource that was searched last. If more records than fewEntities have
// changed since, as before the first search of a resource, they are indexed after the answer. Until then, searches look
// at the records themselves.
type entitySearch struct {
	mu     sync.Mutex
	store  int64
	of     resource // as it was at the last update
	index  *table.Candidates
	making bool // an update holds of and index
	made   sync.WaitGroup
}

// among yields the records that may have the words, in the order of from. An update after the answer ends with ctx.
func (s *entitySearch) among(
	ctx context.Context, store int64, r resource, words []string, after string, newest bool,
) (iter.Seq2[reflect.Value, reflect.Value], bool) {
	if len(words) == 0 || r.count() <= fewEntities {
		return r.from(after, newest)
	}
	keys, indexed := s.find(ctx, store, r, words)
	if !indexed {
		return r.from(after, newest)
	}
	records := func(yield func(key, record reflect.Value) bool) {
		for _, text := range keys {
			if key, ok := r.parse(text); !ok || !yield(key, r.find(text)) {
				return
			}
		}
	}
	if r.random() {
		if after != "" {
			keys = append(keys, after)
			slices.Sort(keys)
			keys = slices.Compact(keys)
		}
		if after != "" && !r.find(after).IsValid() {
			return nil, false
		}
		return r.created(records, after, newest)
	}
	begin := 0
	if after != "" {
		key, ok := r.parse(after)
		if !ok {
			return nil, false
		}
		place, there := slices.BinarySearch(keys, sortable(key))
		if begin = place; there && !newest {
			begin++
		}
	}
	if !newest {
		keys = keys[begin:]
		return records, true
	}
	if after != "" {
		keys = keys[:begin]
	}
	slices.Reverse(keys)
	return records, true
}

// find returns the keys of the records that may have the words, in ascending order. It reports false if the index is
// being made.
func (s *entitySearch) find(ctx context.Context, store int64, r resource, words []string) ([]string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.making {
		return nil, false
	}
	if s.index == nil || s.store != store || s.of.name != r.name {
		s.store, s.index = store, new(table.Candidates)
		s.of = resource{r.name, reflect.New(r.table.Type().Elem())}
	}
	changed := 0
	for range r.since(s.of) {
		if changed++; changed > fewEntities {
			s.making = true
			s.made.Go(func() {
				s.update(ctx, r)
				s.mu.Lock()
				defer s.mu.Unlock()
				s.making = false
			})
			return nil, false
		}
	}
	s.update(ctx, r)
	return s.index.Find(words), true
}

// update indexes the records that have changed. If ctx ends meanwhile, the next search begins again.
func (s *entitySearch) update(ctx context.Context, r resource) {
	texts := texterOf(r.recordType())
	for key, change := range r.since(s.of) {
		switch {
		case ctx.Err() != nil:
			s.of.name = ""
			return
		case r.has(keyText(key)):
			s.index.Put(sortable(key), texts.searchedText(key, change.FieldByName("After")))
		default:
			s.index.Delete(sortable(key))
		}
	}
	s.of = resource{r.name, reflect.New(r.table.Type().Elem())} // the other tables of the store are not kept
	s.of.table.Elem().Set(r.table.Elem())
}

// since yields the keys of the records that differ from those of was, with their changes.
func (r resource) since(was resource) iter.Seq2[reflect.Value, reflect.Value] {
	return r.table.MethodByName("Since").Call([]reflect.Value{was.table.Elem()})[0].Seq2()
}

// sortable is a key as a text whose order is that of the keys.
func sortable(key reflect.Value) string {
	if key.Kind() == reflect.String {
		return key.String()
	}
	return fmt.Sprintf("%020d", key.Int()) // negative ones have no order, and none is made
}
