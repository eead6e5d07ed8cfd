package postgres

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/commerceplatform/commerce-go/webhook"
)

// receiveSQL counts received leases.
const receiveSQL = `SELECT inbox.receive($1, $2, $3, $4, $5)`

// confirmSQL writes a lane whose lease has the token, so that the end of the transaction is on disk.
const confirmSQL = `UPDATE inbox.lane l SET until = l.until WHERE l.queue = $1 AND l.lane = $2 AND l.token = $3`

// receiptTime is how long it may take to count leases, and then to confirm them if counting failed. A Worker allows
// more.
const receiptTime = 5 * time.Second

// received counts leases before their handlers begin. So a run whose process ends is left unfinished, and a lease whose
// answer was lost is none. It returns the leases that still hold. Their tokens are
// then on disk, because the transaction that drew them did not wait for that.
func (in *Inbox) received(ctx context.Context, leases []webhook.Lease) ([]webhook.Lease, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), receiptTime)
	defer cancel()
	keys, lanes := make([]string, len(leases)), make([]string, len(leases))
	tokens, counts := make([]int64, len(leases)), make([]int32, len(leases))
	ordered := slices.SortedFunc(slices.Values(leases), func(a, b webhook.Lease) int { return cmp.Compare(a.Key, b.Key) })
	for i, l := range ordered {
		keys[i], lanes[i], tokens[i], counts[i] = l.Key, l.Lane, int64(l.Token), int32(l.Count)
	}
	err := in.run(ctx, func(b *pgx.Batch) { b.Queue(in.sql.receive, in.options.Queue, keys, lanes, tokens, counts) })
	if err == nil {
		return leases, nil
	}
	held, err := in.confirmed(ctx, leases)
	for _, l := range leases {
		if !slices.ContainsFunc(held, func(h webhook.Lease) bool { return h.Key == l.Key }) {
			webhook.Survived(l)
		}
	}
	return held, err
}

// confirmed returns the leases that hold if it is unknown whether they were counted. The handlers of the others do not
// run, although they may count as unfinished runs.
func (in *Inbox) confirmed(ctx context.Context, leases []webhook.Lease) (held []webhook.Lease, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), receiptTime)
	defer cancel()
	ordered := slices.SortedFunc(slices.Values(leases), func(a, b webhook.Lease) int { return cmp.Compare(a.Lane, b.Lane) })
	for {
		err = in.run(ctx, func(b *pgx.Batch) {
			held = nil
			for _, l := range ordered {
				b.Queue(in.sql.confirm, in.options.Queue, l.Lane, int64(l.Token)).Exec(func(tag pgconn.CommandTag) error {
					if tag.RowsAffected() == 1 {
						held = append(held, l)
					}
					return nil
				})
			}
		})
		if err == nil {
			return held, nil
		}
		select {
		case <-time.After(slow):
		case <-ctx.Done():
			return nil, err
		}
	}
}
