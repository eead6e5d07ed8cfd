package control

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"sync"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// fewEntities are so few records that they are searched without an index.
const fewEntities = 1000

// entitySearch is the index by text of the resource that was searched last. The first search of a resource makes it,
// and later ones update it by the records that have changed.
type entitySearch struct {
	mu    sync.Mutex
	store int64
	of    resource // as it was at the last search
	index *table.Candidates
}

// among yields the records that may have the words, in the order of from.
func (s *entitySearch) among(
	store int64, r resource, words []string, after string, newest bool,
) (iter.Seq2[reflect.Value, reflect.Value], bool) {
	if len(words) == 0 || r.count() <= fewEntities {
		return r.from(after, newest)
	}
	keys := s.find(store, r, words)
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

// find returns the keys of the records that may have the words, in ascending order.
func (s *entitySearch) find(store int64, r resource, words []string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index == nil || s.store != store || s.of.name != r.name {
		s.store, s.index = store, new(table.Candidates)
		s.of = resource{r.name, reflect.New(r.table.Type().Elem())}
	}
	texts := texterOf(r.recordType())
	for key, change := range r.table.MethodByName("Since").Call([]reflect.Value{s.of.table.Elem()})[0].Seq2() {
		if r.has(keyText(key)) {
			s.index.Put(sortable(key), texts.searchedText(key, change.FieldByName("After")))
		} else {
			s.index.Delete(sortable(key))
		}
	}
	s.of = resource{r.name, reflect.New(r.table.Type().Elem())} // the other tables of the store are not kept
	s.of.table.Elem().Set(r.table.Elem())
	return s.index.Find(words)
}

// sortable is a key as a text whose order is that of the keys.
func sortable(key reflect.Value) string {
	if key.Kind() == reflect.String {
		return key.String()
	}
	return fmt.Sprintf("%020d", key.Int()) // negative ones have no order, and none is made
}
