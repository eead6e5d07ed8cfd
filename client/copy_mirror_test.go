package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

// shelf is a database in memory. Its rows are JSON, by id.
type shelf struct {
	mu    sync.Mutex
	state string
	rows  map[client.ID]string
}

// mirrorOf is a shelf as the Mirror of a process. Its hook is called before and after each transaction, and may end the
// process: an error before it undoes the transaction.
type mirrorOf[T any] struct {
	*shelf
	id   func(*T) client.ID
	hook func() error
}

func (m *mirrorOf[T]) State(context.Context) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state, nil
}

func (m *mirrorOf[T]) IDs(_ context.Context, after client.ID, limit int) ([]client.ID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	ids := slices.Sorted(maps.Keys(m.rows))
	first, found := slices.BinarySearch(ids, after)
	if found {
		first++
	}
	return ids[first:min(len(ids), first+limit)], nil
}

func (m *mirrorOf[T]) Apply(_ context.Context, step client.CopyStep[T]) error {
	if err := m.call(); err != nil {
		return err
	}
	if err := m.transact(step); err != nil {
		return err
	}
	return m.call() // the commit was done, and nobody learns of it
}

func (m *mirrorOf[T]) call() error {
	if m.hook == nil {
		return nil
	}
	return m.hook()
}

func (m *mirrorOf[T]) transact(step client.CopyStep[T]) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.state != step.Before {
		return client.ErrCopyMoved
	}
	rows := maps.Clone(m.rows)
	if rows == nil {
		rows = make(map[client.ID]string)
	}
	for i := range step.Put {
		data, err := json.Marshal(&step.Put[i])
		if err != nil {
			return err
		}
		rows[m.id(&step.Put[i])] = string(data)
	}
	for _, id := range step.Delete {
		delete(rows, id)
	}
	m.state, m.rows = step.After, rows
	return nil
}

// equals fails the test unless the shelf has all records of a list, byte for byte, and no others.
func equals[T any](t *testing.T, s *shelf, all client.List[T], id func(*T) client.ID) {
	t.Helper()
	there := make(map[client.ID]bool)
	for record, err := range all.Since(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		there[id(record)] = true
		switch row, mirrored := s.rows[id(record)]; {
		case !mirrored:
			t.Errorf("record %d is missing in the mirror", id(record))
		case row != string(data):
			t.Errorf("record %d is\n%s in the mirror and\n%s in the store", id(record), row, data)
		}
	}
	for id := range s.rows {
		if !there[id] {
			t.Errorf("record %d is in the mirror and not in the store", id)
		}
	}
}

var errKilled = errors.New("the process is dead")
