package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/disputes"
)

// verdict is the result of a line.
type verdict string

const (
	done    verdict = "done"
	before  verdict = "before"  // done by an earlier run
	refused verdict = "refused" // by the contract's rules, here or on the platform
	failed  verdict = "failed"  // nothing was changed; the next run tries again
	unknown verdict = "UNKNOWN" // it may have been done
)

var errNoPayment = errors.New("no such payment")

// verdictOf returns the verdict for the error of a write.
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

// importer imports the lines of a file.
type importer struct {
	client *client.Client
	record *record
}

// do opens the dispute of a chargeback, unless it is open, and moves it to the present status.
func (im *importer) do(ctx context.Context, r row) (verdict, string) {
	if r.problem != nil {
		return refused, r.problem.Error()
	}
	d, err := im.record.dispute(ctx, r.chargeback)
	if err != nil {
		return failed, err.Error()
	}
	v := before
	if d == nil {
		if d, v, err = im.open(ctx, r); err != nil {
			return v, err.Error()
		}
	}
	if r.update.Status != disputes.StatusNeedsResponse {
		if v, err = im.move(ctx, r, d); err != nil {
			return v, err.Error()
		}
	}
	return v, "dispute " + d.ID
}

// open creates the dispute, at most once in any case: the intent is committed before the request is sent.
func (im *importer) open(ctx context.Context, r row) (*dispute, verdict, error) {
	made, err := im.find(ctx, r)
	if err = errors.Join(err, r.input.Check()); err != nil {
		return nil, verdictOf(err), err
	}
	journal, in := im.record.journal, im.record.intent(r.chargeback)
	if err := journal.Begin(ctx, in); err != nil {
		if taken, ok := errors.AsType[*sqljournal.TakenError](err); ok && taken.Open {
			sent := taken.Intent.ID.Timestamp().UTC().Format(time.DateTime)
			return nil, unknown, fmt.Errorf("sent at %s UTC, and no outcome is known; it is not sent again", sent)
		}
		return nil, failed, err
	}
	held, release, err := journal.Hold(ctx, in, true)
	if err != nil {
		return nil, failed, err
	}
	defer release()
	made.ID, err = v1.Disputes(im.client).Create(held, made.Order, made.Transaction, r.input)
	v := verdictOf(err)
	switch v {
	case done:
		return made, v, journal.End(context.WithoutCancel(held), in, made)
	case unknown:
		return nil, v, err // the intent stays open, until a person ends it
	}
	return nil, v, errors.Join(err, journal.End(context.WithoutCancel(held), in, nil))
}

// move updates the dispute. It reads the dispute first, which shows the moves of earlier runs whose outcome is unknown.
func (im *importer) move(ctx context.Context, r row, opened *dispute) (verdict, error) {
	d, err := v1.Disputes(im.client).Get(ctx, opened.Order, opened.Transaction, opened.ID)
	if err != nil {
		return verdictOf(err), err
	}
	if r.update.AppliedTo(d) {
		return before, nil
	}
	err = v1.Disputes(im.client).Update(ctx, d, r.update)
	return verdictOf(err), err
}

// find returns a dispute about the payment of a line, without an id.
func (im *importer) find(ctx context.Context, r row) (*dispute, error) {
	for o, err := range v1.Orders(im.client).List(client.OrderFilter{Query: r.order}).All(ctx) {
		if err != nil {
			return nil, err
		}
		if fmt.Sprint(o.Number) != r.order {
			continue // the number is part of a name or an email
		}
		for tx, err := range v1.Transactions(im.client).List(o.ID).All(ctx) {
			if err != nil {
				return nil, err
			}
			if tx.Info.ExternalID == r.payment {
				return &dispute{Order: o.ID, Transaction: tx.ID}, nil
			}
		}
	}
	return nil, fmt.Errorf("order %q, payment %q: %w", r.order, r.payment, errNoPayment)
}
