package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/disputes"
)

// verdict is what became of a line.
type verdict string

const (
	done    verdict = "done"
	before  verdict = "before"  // done by an earlier run
	refused verdict = "refused" // by the contract's rules, here or on the platform
	failed  verdict = "failed"  // nothing was changed; the next run tries again
	unknown verdict = "UNKNOWN" // it may have been done
)

// importer does the lines of a file.
type importer struct {
	api     *v1.API
	journal *journal
	places  map[string]place
	stuck   map[string]int // chargebacks by the line whose outcome later ones wait for
}

func newImporter(api *v1.API, j *journal) *importer {
	return &importer{api: api, journal: j, places: map[string]place{}, stuck: map[string]int{}}
}

// place is a payment on the platform.
type place struct {
	order       client.ID
	transaction uuid.UUID
}

// do does one line, unless the journal says that it was done. The error is one
// after which no line can be done, such as a full disk.
func (im *importer) do(ctx context.Context, r row) (verdict, string, error) {
	last := im.journal.last(r)
	switch {
	case ctx.Err() != nil:
		return failed, "", ctx.Err()
	case last.Outcome == isDone && (last.Row == r.sum || last.Row == ""):
		return before, "dispute " + last.Dispute, nil
	case last.Outcome == isDone:
		return refused, "the dispute was opened by a line with other values", nil
	case last.Outcome == isRefused && last.Row == r.sum:
		return refused, last.Why, nil
	case r.problem != nil:
		return refused, r.problem.Error(), nil
	case im.stuck[r.chargeback] > 0:
		return failed, fmt.Sprintf("waits for line %d", im.stuck[r.chargeback]), nil
	}
	step := im.move
	if r.status == disputes.StatusNeedsResponse {
		step = im.open
	}
	v, why, err := step(ctx, r, last)
	if v == unknown || v == failed {
		im.stuck[r.chargeback] = r.line
	}
	return v, why, err
}

// open creates the dispute, at most once whatever happens.
func (im *importer) open(ctx context.Context, r row, last entry) (verdict, string, error) {
	if last.Outcome == isIntent {
		return unknown, fmt.Sprintf("sent on %s, and no outcome is known; not sent again, see -h", last.At.Format("2006-01-02 15:04:05Z07:00")), nil
	}
	if err := r.input.Check(); err != nil {
		return refused, err.Error(), nil
	}
	at, err := im.find(ctx, r)
	if err != nil {
		return verdictOf(err), err.Error(), nil
	}
	e := entry{Chargeback: r.chargeback, Status: r.status, Outcome: isIntent, Order: at.order, Transaction: at.transaction, Row: r.sum}
	if err := im.journal.record(e); err != nil {
		return failed, "", err
	}
	e.Dispute, err = im.api.Disputes.Create(ctx, at.order, at.transaction, r.input)
	return im.settle(e, err)
}

// move updates the dispute. It is read first, so that a move of an earlier run
// whose outcome is not known shows.
func (im *importer) move(ctx context.Context, r row, last entry) (verdict, string, error) {
	opened := im.journal.opened[r.chargeback]
	if opened.Outcome != isDone {
		return refused, "no dispute of this chargeback was opened", nil
	}
	e := entry{Chargeback: r.chargeback, Status: r.status, Outcome: isIntent, Order: opened.Order, Transaction: opened.Transaction, Dispute: opened.Dispute, Row: r.sum}
	d, err := im.api.Disputes.Get(ctx, e.Order, e.Transaction, e.Dispute)
	switch {
	case err != nil && last.Outcome == isIntent:
		return unknown, err.Error(), nil
	case err != nil:
		return verdictOf(err), err.Error(), nil
	case last.Outcome == isIntent && r.update.AppliedTo(d):
		return im.settle(e, nil) // the earlier run's request did it
	}
	if err := d.Timeline().Check(r.update); err != nil {
		return im.settle(e, err) // remembered: once the dispute has moved on, the late step might pass
	}
	if err := im.journal.record(e); err != nil {
		return failed, "", err
	}
	return im.settle(e, im.api.Disputes.Update(ctx, d, r.update))
}

// settle records how a request ended. What may have been done stays an intent.
func (im *importer) settle(e entry, err error) (verdict, string, error) {
	why := "dispute " + e.Dispute
	e.Outcome = isDone
	if err != nil {
		why = err.Error()
		e.Outcome, e.Why = isFailed, why
	}
	v := verdictOf(err)
	switch v {
	case unknown:
		return v, why, nil
	case refused:
		e.Outcome = isRefused
	}
	return v, why, im.journal.record(e)
}

// verdictOf tells what an error says of the write that it came from.
func verdictOf(err error) verdict {
	switch {
	case err == nil:
		return done
	case errors.Is(err, client.ErrOutcomeUnknown):
		return unknown
	case errors.Is(err, client.ErrValidation), errors.Is(err, errNoPayment):
		return refused
	}
	return failed
}

var errNoPayment = errors.New("no such payment")

// find returns where a payment is on the platform.
func (im *importer) find(ctx context.Context, r row) (place, error) {
	key := r.order + " " + r.payment
	if at, ok := im.places[key]; ok {
		return at, nil
	}
	for o, err := range im.api.Orders.List(client.OrderFilter{Query: r.order}).All(ctx) {
		if err != nil {
			return place{}, err
		}
		if fmt.Sprint(o.Number) != r.order {
			continue // the number stands in a name or an email
		}
		for tx, err := range im.api.Transactions.List(o.ID).All(ctx) {
			if err != nil {
				return place{}, err
			}
			if tx.Info.ExternalID == r.payment {
				im.places[key] = place{o.ID, tx.ID}
				return im.places[key], nil
			}
		}
	}
	return place{}, fmt.Errorf("order %q, payment %q: %w", r.order, r.payment, errNoPayment)
}
