package sqlite

import (
	"context"
	"fmt"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/browsing"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Groups counts entries, a few thousand in each statement, because the write-ahead log grows during a long read.
func (in *Inbox) Groups(ctx context.Context, f webhook.EntryFilter) (webhook.EntryGroups, error) {
	if _, err := in.sound(); err != nil {
		return webhook.EntryGroups{}, failed("count groups", err)
	}
	sum, began := browsing.NewCounter(f), in.clock.now()
	for after := ""; ; {
		b, ok := in.browsed(f, after, in.clock.now())
		var step webhook.BrowsePage
		last, err := in.bound(ctx, &b, browsing.Groups, &step)
		if err == nil && ok && step.Searched > 0 {
			err = in.countGroups(ctx, fmt.Sprintf(groupSQL, b.from+b.to, b.filter), b.values, sum)
		}
		if err != nil {
			return webhook.EntryGroups{}, failed("count groups", err)
		}
		if !ok || step.Searched < browsing.Groups {
			return sum.Sum(instant(began)), nil
		}
		after = last
	}
}

func (in *Inbox) countGroups(ctx context.Context, query string, values []any, sum *browsing.Counter) error {
	rows, err := in.db.QueryContext(ctx, query, values...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err reports it
	for rows.Next() {
		var g webhook.EntryGroup
		var store, oldest int64
		if err := rows.Scan(&g.State, &g.Event, &store, &g.Cause, &g.Protected, &g.Count, &oldest); err != nil {
			return err
		}
		g.StoreID, g.Oldest = value.ID(store), instant(oldest)
		sum.Add(g)
	}
	return rows.Err()
}
