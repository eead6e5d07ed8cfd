package webhook

import (
	"context"
	"iter"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
)

// Changed makes a Source from a list of records. since returns the query for a store, and id returns the id of a
// record:
//
//	webhook.Changed(webhook.ProductUpdated.Name,
//		func(ctx context.Context, store client.ID, mark time.Time) (*client.Sync[client.Product], error) {
//			c, err := stores.Client(ctx, store)
//			if err != nil {
//				return nil, err
//			}
//			few := client.Paging{Fields: []string{"id", "updated_at"}} // only the id is used
//			return v202503.Products(c).List(client.ProductFilter{Paging: few}).UpdatedSince(mark), nil
//		},
//		func(p *client.Product) string { return p.ID.String() })
//
// For orders, OrderService.UpdatedSince supports more than 10,000 changes.
func Changed[T any, S synced[T]](
	event Name, since func(ctx context.Context, store value.ID, mark time.Time) (S, error), id func(*T) string,
) Source {
	return Source{event, func(ctx context.Context, store value.ID, mark time.Time) (Changes, error) {
		sync, err := since(ctx, store, mark)
		return changes[T]{sync, id}, err
	}}
}

// synced reads the records that changed since a mark, as a *client.Sync does.
type synced[T any] interface {
	All(ctx context.Context) iter.Seq2[*T, error]
	Mark() time.Time
}

// changes are the ids of the records of a sync.
type changes[T any] struct {
	synced[T]
	id func(*T) string
}

func (c changes[T]) All(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for record, err := range c.synced.All(ctx) {
			id := ""
			if record != nil {
				id = c.id(record)
			}
			if !yield(id, err) {
				return
			}
		}
	}
}
