package statetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/shipping/sqlrates"
)

func rates() Row {
	return Row{
		Name:   "rates",
		Rules:  []rule{{"Cache", caches}, {"Clock", clockOfRates}},
		Tables: []string{"commerce_rate"},
		Ends:   "SELECT ends FROM commerce_rate", Term: time.Hour,
		Damage: &Damage{
			Row: "UPDATE commerce_rate SET ends = 'x' WHERE request = 'act 1'", Names: "act 1",
			Scan: func(ctx context.Context, f Face) (all int, failed error) {
				for n := range 3 {
					ok, err := f.Has(ctx, n)
					if failed = errors.Join(failed, err); ok && err == nil {
						all++
					}
				}
				return all, failed
			},
		},
		Open: func(w *World, db *sql.DB) Face {
			return &ratesFace{&sqlrates.Cache{DB: db, Prefix: w.Prefix, App: w.App}}
		},
	}
}

// ratesFace puts an answer for each act.
type ratesFace struct{ *sqlrates.Cache }

func (f *ratesFace) Act(ctx context.Context, n int) error {
	if _, err := f.Has(ctx, n); err != nil {
		return err
	}
	return f.Put(ctx, fmt.Sprint("act ", n), fmt.Appendf(nil, `{"act":%d}`, n), time.Hour)
}

func (f *ratesFace) Has(ctx context.Context, n int) (bool, error) {
	answer, err := f.Get(ctx, fmt.Sprint("act ", n))
	if want := fmt.Sprintf(`{"act":%d}`, n); err == nil && len(answer) > 0 && string(answer) != want {
		err = fmt.Errorf("got %s, want %s", answer, want)
	}
	return len(answer) > 0, err
}
