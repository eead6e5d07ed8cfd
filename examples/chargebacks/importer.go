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

// importer does the lines of a file.
type importer struct {
	client *client.Client
	record *record
	stuck  map[string]int // by chargeback, the line whose outcome later lines wait for
}

func newImporter(c *client.Client, r *record) *importer {
	return &importer{client: c, record: r, stuck: map[string]int{}}
}

// do does one line, unless it was done before. After an error, such as a full disk, no line can be done.
func (im *importer) do(ctx context.Context, r row) (verdict, string, error) {
	d, err := im.record.dispute(ctx, r.chargeback)
	if err != nil {
		return failed, "", err
	}
	refusal, known, err := im.record.line(ctx, r.sum)
	opening := r.status == disputes.StatusNeedsResponse
	switch {
	case err != nil || ctx.Err() != nil:
		return failed, "", errors.Join(err, ctx.Err())
	case opening && d != nil && (d.Line == r.sum || d.Line == ""), d != nil && known && refusal == "":
		return before, "dispute " + d.ID, nil
	case opening && d != nil:
		return refused, "the dispute was opened by a line with other values", nil
	case known:
		return refused, refusal, nil
	case r.problem != nil:
		return refused, r.problem.Error(), nil
	case im.stuck[r.chargeback] > 0:
		return failed, fmt.Sprintf("waits for line %d", im.stuck[r.chargeback]), nil
	case !opening && d == nil:
		return refused, "no dispute of this chargeback was opened", nil
	}
	v, why := unknown, ""
	if opening {
		v, why, err = im.open(ctx, r)
	} else {
		v, why, err = im.move(ctx, r, d)
	}
	if v == unknown || v == failed {
		im.stuck[r.chargeback] = r.line
	}
	return v, why, err
}

// open creates the dispute, at most once in any case.
func (im *importer) open(ctx context.Context, r row) (verdict, string, error) {
	if err := r.input.Check(); err != nil {
		return refused, err.Error(), nil
	}
	made, err := im.find(ctx, r)
	if err != nil {
		return verdictOf(err), err.Error(), nil
	}
	journal, in := im.record.journal, im.record.intent(r.chargeback)
	if err := journal.Begin(ctx, in); err != nil {
		if taken, ok := errors.AsType[*sqljournal.TakenError](err); ok {
			if !taken.Open { // by another process, just now
				return before, "dispute " + taken.Record, nil
			}
			sent := taken.Intent.ID.Timestamp().UTC().Format(time.DateTime)
			return unknown, "sent at " + sent + " UTC, and no outcome is known; not sent again, see -h", nil
		}
		return failed, "", err
	}
	held, release, err := journal.Hold(ctx, in, true)
	if err != nil {
		return failed, "", err
	}
	defer release()
	made.ID, err = v1.Disputes(im.client).Create(held, made.Order, made.Transaction, r.input)
	v := verdictOf(err)
	switch v {
	case done:
		return v, "dispute " + made.ID, journal.End(context.WithoutCancel(held), in, made)
	case unknown:
		return v, err.Error(), nil // the intent stays open
	case refused:
		if failure := im.record.keepLine(ctx, r.sum, err.Error()); failure != nil {
			return failed, "", failure
		}
	}
	return v, err.Error(), journal.End(context.WithoutCancel(held), in, nil)
}

// move updates the dispute. It reads the dispute first, which shows the moves of earlier runs whose outcome is unknown.
func (im *importer) move(ctx context.Context, r row, opened *dispute) (verdict, string, error) {
	d, err := v1.Disputes(im.client).Get(ctx, opened.Order, opened.Transaction, opened.ID)
	if err != nil {
		return verdictOf(err), err.Error(), nil
	}
	if !r.update.AppliedTo(d) {
		if err = d.Timeline().Check(r.update); err == nil {
			err = v1.Disputes(im.client).Update(ctx, d, r.update)
		}
	}
	v := verdictOf(err)
	switch v {
	case done:
		return v, "dispute " + d.ID, im.record.keepLine(context.WithoutCancel(ctx), r.sum, "")
	case refused: // after a later move, the line could be accepted
		return v, err.Error(), im.record.keepLine(context.WithoutCancel(ctx), r.sum, err.Error())
	}
	return v, err.Error(), nil
}

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

var errNoPayment = errors.New("no such payment")

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
				return &dispute{Order: o.ID, Transaction: tx.ID, Line: r.sum}, nil
			}
		}
	}
	return nil, fmt.Errorf("order %q, payment %q: %w", r.order, r.payment, errNoPayment)
}
