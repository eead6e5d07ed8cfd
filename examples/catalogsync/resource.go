package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// resource is a kind of record that is mirrored. What differs between products and orders ends here.
type resource struct {
	name string // of the list, and of its table
	// hints are the events upon which a record is read again.
	hints   []webhook.Event[webhook.Entity]
	look    func(ctx context.Context) (glance, error)
	records func(ctx context.Context, q query) iter.Seq2[record, error]
	get     func(ctx context.Context, id client.ID) (record, error)
}

// query asks for the records behind an id.
type query struct {
	after   client.ID
	changed time.Time // only what was changed since; zero for everything
	perPage int
}

// record is a row of a table.
type record struct {
	id       client.ID
	updated  time.Time
	document string
}

// glance is what is seen of a resource before it is read.
type glance struct {
	total  int       // 0 if the platform does not tell
	newest time.Time // when a record that was created of late was changed; zero if there is none
}

// service is what the services of the client have in common, for records of type T.
type service[T any] struct {
	newest  client.List[T] // in descending order of creation, one per page
	records func(context.Context, query) iter.Seq2[*T, error]
	get     func(context.Context, client.ID) (*T, error)
	key     func(*T) (client.ID, client.Time)
}

// resource returns the resource behind a service.
func (s service[T]) resource(name string, hints ...webhook.Event[webhook.Entity]) resource {
	return resource{name: name, hints: hints, look: s.look, records: s.rows, get: s.row}
}

func (s service[T]) look(ctx context.Context) (glance, error) {
	page, err := s.newest.Page(ctx)
	if err != nil && !unreadable(err) {
		return glance{}, err
	}
	g := glance{total: max(page.Total, 0)}
	for i := range page.Items {
		_, updated := s.key(&page.Items[i])
		g.newest = updated.UTC()
	}
	return g, nil
}

func (s service[T]) rows(ctx context.Context, q query) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		for v, err := range s.records(ctx, q) {
			var r record
			if err == nil {
				r, err = s.record(v)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

func (s service[T]) row(ctx context.Context, id client.ID) (record, error) {
	v, err := s.get(ctx, id)
	if err != nil {
		return record{}, err
	}
	return s.record(v)
}

// record writes a record down. Unlike encoding/json, the package behind the client's own reading and writing puts the
// members that the client has no field for back where they were.
func (s service[T]) record(v *T) (record, error) {
	id, updated := s.key(v)
	document, err := jsonv2.Marshal(v, jsonv2.Deterministic(true))
	if err != nil {
		return record{}, fmt.Errorf("record %d: %w", id, err)
	}
	return record{id, updated.UTC(), string(document)}, nil
}

// unreadable reports whether err is about one record of a list only: the others come all the same.
func unreadable(err error) bool { return errors.Is(err, client.ErrUnreadableItem) }
