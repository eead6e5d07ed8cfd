package refserver

import (
	"sync"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// mostShown bounds the bytes that are kept of what was shown.
const mostShown = 32 << 20

// shown keeps the JSON of records until anything in their store changes, for callers who read the
// same lists again and again. The zero value keeps nothing yet.
type shown struct {
	mu     sync.Mutex
	stores map[int64]*shownStore
	bytes  int
}

// shownStore holds what was shown of a store at one revision, by operation and record.
type shownStore struct {
	of    *world.Tables
	items map[shownKey][]byte
}

type shownKey struct {
	op     string
	record int64
}

// item returns the JSON of the ith record of a list.
func (s *shown) item(tx *world.Tx, op string, l *api.List, i int) ([]byte, error) {
	revision := tx.Revision()
	if l.Key == nil || revision == nil {
		return api.Encode(l.Item(i))
	}
	key, store := shownKey{op, l.Key(i)}, tx.Store().ID
	if item, ok := s.get(store, revision, key); ok {
		return item, nil
	}
	item, err := api.Encode(l.Item(i))
	if err == nil {
		s.put(store, revision, key, item)
	}
	return item, err
}

func (s *shown) get(store int64, revision *world.Tables, key shownKey) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.stores[store]
	if kept == nil || kept.of != revision {
		return nil, false
	}
	item, ok := kept.items[key]
	return item, ok
}

func (s *shown) put(store int64, revision *world.Tables, key shownKey, item []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stores == nil || s.bytes+len(item) > mostShown {
		s.stores, s.bytes = make(map[int64]*shownStore), 0
	}
	kept := s.stores[store]
	if kept == nil || kept.of != revision {
		if kept != nil {
			for _, old := range kept.items {
				s.bytes -= len(old)
			}
		}
		kept = &shownStore{revision, make(map[shownKey][]byte)}
		s.stores[store] = kept
	}
	if old, ok := kept.items[key]; ok {
		s.bytes -= len(old)
	}
	kept.items[key] = item
	s.bytes += len(item)
}
