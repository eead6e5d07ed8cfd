package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/browsing"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Groups counts entries, a few thousand in each statement, because a long snapshot delays vacuum.
func (in *Inbox) Groups(ctx context.Context, f webhook.EntryFilter) (webhook.EntryGroups, error) {
	sum := browsing.NewCounter(f)
	var began time.Time
	for after := ""; ; {
		var step webhook.BrowsePage
		b, last, err := in.bound(ctx, f, after, browsing.Groups, &step)
		if began.IsZero() {
			began = step.At
		}
		if err == nil && step.Searched > 0 {
			b.choose(f, last)
			err = in.countGroups(ctx, fmt.Sprintf(groupSQL, b.where), b.values, sum)
		}
		if err != nil {
			return webhook.EntryGroups{}, failed("count groups", err)
		}
		if step.Searched < browsing.Groups {
			return sum.Sum(began), nil
		}
		after = last
	}
}

func (in *Inbox) countGroups(ctx context.Context, statement string, values []any, sum *browsing.Counter) error {
	var groups []webhook.EntryGroup
	err := in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.options.in(statement), values...).Query(func(rows pgx.Rows) (err error) {
			groups, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (g webhook.EntryGroup, err error) {
				var state, event string
				var store int64
				err = row.Scan(&state, &event, &store, &g.Cause, &g.Protected, &g.Count, &g.Oldest)
				g.State, g.Event, g.StoreID = webhook.EntryState(state), webhook.Name(event), client.ID(store)
				return g, err
			})
			return err
		})
	})
	for _, g := range groups {
		sum.Add(g)
	}
	return err
}
