package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/webhook"
)

// call is an Accept in progress.
type call struct {
	ctx     context.Context
	entries []webhook.Entry

	done     chan struct{} // closed when the fields below are set
	outcomes []webhook.Outcome
	err      error
}

func (c *call) end(outcomes []webhook.Outcome, err error) {
	c.outcomes, c.err = outcomes, err
	close(c.done)
}

func (c *call) context() context.Context { return c.ctx }

func (c *call) refuse(err error) { c.end(nil, failed("accept", err)) }

func (c *call) size() (entries, bytes int) {
	for i := range c.entries {
		bytes += len(c.entries[i].Body)
	}
	return len(c.entries), bytes
}

// write stores a group in one transaction, without the calls for which there is no room, and ends its calls.
func (in *Inbox) write(ctx context.Context, group []*call, lockTime string) error {
	admitted, leave, err := in.room.enter(ctx, in, group)
	if err != nil {
		return err
	}
	outcomes := make([][]webhook.Outcome, len(group))
	added, stored := 0, false
	defer func() {
		for i, c := range group {
			switch {
			case !stored:
			case !admitted[i]:
				c.end(nil, webhook.ErrFull)
			default:
				c.end(outcomes[i], nil)
			}
		}
	}()
	defer func() { leave(added) }()
	var entries []*webhook.Entry
	for i, c := range group {
		if !admitted[i] {
			continue
		}
		for n := range c.entries {
			entries = append(entries, &c.entries[n])
		}
	}
	a := newArrivals(entries)
	if len(a.waves) > 0 {
		err := in.transact(ctx, func(b *pgx.Batch) {
			b.Queue(acceptSettings, in.sync(), lockTime).Query(in.durability.check)
			a.queue(b, in)
		})
		if err != nil {
			return err
		}
	}
	n, due, shelved := 0, false, 0
	for i, c := range group {
		if !admitted[i] {
			continue
		}
		outcomes[i] = make([]webhook.Outcome, len(c.entries))
		for j := range c.entries {
			met := a.outcome(n)
			n++
			outcomes[i][j] = met
			if met == webhook.OutcomeStored || met == webhook.OutcomeRevived {
				added++
			}
			if met == webhook.OutcomeShelved {
				shelved++
			}
			due = due || met == webhook.OutcomeStored || met == webhook.OutcomeRevived || met == webhook.OutcomeJoined && c.entries[j].Kind == webhook.KindSignal
		}
	}
	if due {
		for _, w := range a.waves {
			in.arrived.add(w.stores...)
		}
		in.changed()
	}
	in.bury(shelved)
	stored = true
	return nil
}
