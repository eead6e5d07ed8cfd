package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/browsing"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Groups counts entries, a few thousand in each statement, because a long snapshot delays vacuum.
func (in *Inbox) Groups(ctx context.Context, f webhook.EntryFilter) (webhook.EntryGroups, error) {
	sum := browsing.NewCounter(f)
	var began time.Time
	for after := ""; ; {
		var step webhook.BrowsePage
		b := in.browsed(f, after, browsing.Groups)
		last, groups, err := readStep(ctx, in, fmt.Sprintf(groupSQL, b.read, b.step, b.selected), b.values, &step, readGroup)
		for _, g := range groups {
			sum.Add(g)
		}
		if began.IsZero() {
			began = step.At
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

func readGroup(row pgx.CollectableRow) (g webhook.EntryGroup, err error) {
	var state, event string
	var store int64
	err = row.Scan(&state, &event, &store, &g.Cause, &g.Protected, &g.Count, &g.Oldest)
	g.State, g.Event, g.StoreID = webhook.EntryState(state), webhook.Name(event), value.ID(store)
	return g, err
}
