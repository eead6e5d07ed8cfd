package webhook

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
)

// Record is the payload of an event about a record with an integer id, of which a store can be copied.
type Record interface {
	Entity | CustomerEntity
}

// copier copies a record of a store, as a client.Copier does.
type copier interface {
	Changed(ctx context.Context, id value.ID) error
	Deleted(ctx context.Context, id value.ID) error
}

// recordID returns the id of the record.
func recordID[P Record](payload P) value.ID {
	switch p := any(payload).(type) {
	case Entity:
		return p.ID
	case CustomerEntity:
		return p.ID
	}
	return 0
}

// OnCopied updates the copy of a store when events arrive. An event whose name ends in "/deleted" deletes the record in
// the copy (client.Copy.Deleted); any other event reads it (client.Copy.Changed). Of returns the copy of a store:
//
//	webhook.OnCopied(&events, products, webhook.ProductCreated, webhook.ProductUpdated, webhook.ProductDeleted)
//	webhook.OnCopied(&events, customers, webhook.CustomerCreated, webhook.CustomerUpdated, webhook.CustomerDeleted)
//
// The record is read as it is now, so an inbox treats these events as signals, also the ones that are facts by the
// contract, such as customer/updated. Only deletions stay facts. [Registry.Policy] overrides that.
func OnCopied[P Record, C copier](
	r *Registry, of func(ctx context.Context, store value.ID) (C, error), events ...Event[P],
) {
	for _, e := range events {
		deletes := strings.HasSuffix(string(e.Name), "/deleted")
		On(r, e, func(ctx context.Context, d Delivery[P]) error {
			c, err := of(ctx, d.StoreID)
			ctx = context.WithValue(ctx, copyingKey{}, true)
			switch {
			case err != nil:
				return err
			case deletes:
				return c.Deleted(ctx, recordID(d.Payload))
			}
			return c.Changed(ctx, recordID(d.Payload))
		})
		if !deletes {
			r.suggest(e.Name, Policy{Kind: KindSignal})
		}
	}
}

// CommitStep is an OnStep of sqlcopy.Mirror. Within a handler that [OnCopied] has registered and a [Worker] calls, it
// calls [CommitTx], so that the record and the end of its delivery are committed together. Elsewhere it does nothing,
// so a handler of the app that calls client.Copy.Changed ends its delivery itself. The mirror must be in the database
// of the inbox.
func CommitStep[T any](ctx context.Context, tx *sql.Tx, _ value.CopyStep[T]) error {
	if _, handles := LeaseOf(ctx); !handles || ctx.Value(copyingKey{}) == nil {
		return nil
	}
	return CommitTx(ctx, tx)
}

// copyingKey marks the context of a handler of OnCopied, which has nothing to do after the step.
type copyingKey struct{}

// ChangedIn is [Changed] for a list whose records have an ID. List returns the query for a store, without a bound of
// time:
//
//	few := client.Paging{Fields: []string{"id", "updated_at"}}
//	list := func(ctx context.Context, store client.ID) (client.List[client.Product], error) {
//		…
//		return v202503.Products(c).List(client.ProductFilter{Paging: few}), nil
//	}
//	webhook.ChangedIn(webhook.ProductUpdated.Name, list)
func ChangedIn[T any, S synced[T], L interface{ UpdatedSince(mark time.Time) S }](
	event Name, list func(ctx context.Context, store value.ID) (L, error),
) Source {
	since := func(ctx context.Context, store value.ID, mark time.Time) (since S, err error) {
		l, err := list(ctx, store)
		if err != nil {
			return since, err
		}
		return l.UpdatedSince(mark), nil
	}
	return Changed(event, since, func(record *T) string { return fmt.Sprint(reflect.ValueOf(record).Elem().FieldByName("ID")) })
}
