package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
)

// errReportLate prevents a report after another replica may have begun one.
var errReportLate = errors.New("the report took too long and is tried again later")

const (
	answerMargin = time.Second      // time between the end of a report and the answer
	answerWait   = 10 * time.Second // maximum time that the customer waits for the report
)

// reportBeforeAnswer reports an operation while its answer can wait. If it fails, Run repeats it.
func (c *Cashier) reportBeforeAnswer(ctx context.Context, h *hold) {
	most := min(c.retry()/3, answerWait)
	if due, ok := AnswerBy(ctx); ok {
		most = min(most, time.Until(due)-answerMargin)
	}
	if most <= 0 || c.waits(ctx, h.owner, h.current()) {
		return
	}
	if err := c.report(ctx, h, most); err != nil && !errors.Is(err, errLost) {
		c.fail(ctx, h.current(), err)
	}
}

// report reports an operation with a timeout, and stores the result.
func (c *Cashier) report(ctx context.Context, h *hold, most time.Duration) error {
	e, end := h.current(), time.Now().Add(most)
	timed, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	may := func() error { // a process that was suspended must not report concurrently with the next
		if time.Now().After(end) {
			return errReportLate
		}
		return nil
	}
	e, err := c.ofPayment(timed, e)
	var about About
	var at time.Time
	if err == nil {
		about, at, err = c.send(timed, e, may)
	}
	if err == nil {
		err = c.own(timed, e, about)
	}
	if err != nil {
		return h.failed(ctx, fmt.Errorf("payments: report to the platform: %w", err))
	}
	return h.concluded(ctx, func(e *Entry) { // if this fails, the next report finds the record
		e.State, e.About, e.ReportedAt, e.LastError = StateReported, about, at, ""
	})
}

// own returns an error if the transaction of a payment belongs to another attempt, so that it is not reported.
func (c *Cashier) own(ctx context.Context, e Entry, about About) error {
	if e.Call != CallProcess {
		return nil
	}
	entries, err := c.ledger().Find(ctx, About{StoreID: about.StoreID, TransactionID: about.TransactionID})
	for _, other := range entries {
		if other.Call == CallProcess && other.Key != e.Key {
			const text = "ExternalID %.40q is also that of attempt %.40q: Charge must return another one for each attempt"
			return fmt.Errorf(text, e.Transaction.Info.ExternalID, other.PaymentAttemptID)
		}
	}
	return err
}

// send reports an operation unless the platform has it. It returns the ids, and the time of the platform's record.
func (c *Cashier) send(ctx context.Context, e Entry, may func() error) (About, time.Time, error) {
	api, err := c.service(ctx, e.StoreID)
	switch {
	case err != nil:
		return e.About, time.Time{}, err
	case e.Transaction != nil:
		t, made, err := e.sendTransaction(ctx, api, may)
		if err == nil && !made {
			err = e.reportedBy(t)
		}
		if err != nil {
			return e.About, time.Time{}, err
		}
		about := e.About
		about.TransactionID = t.ID
		return about, c.recorded(t.CreatedAt), nil
	case e.Event != nil:
		event, err := e.sendEvent(ctx, api, may)
		if err != nil {
			return e.About, time.Time{}, err
		}
		return e.About, c.recorded(event.CreatedAt), nil
	}
	return e.About, time.Time{}, errors.New("the entry has neither a transaction nor an event")
}

// sendTransaction is TransactionService.CreateOrGet, but sends the transaction only if may returns nil just before.
func (e *Entry) sendTransaction(
	ctx context.Context, api *providers.TransactionService, may func() error,
) (t *providers.Transaction, made bool, err error) {
	return client.CreateOrGet(ctx, func(ctx context.Context) (*providers.Transaction, error) {
		return api.Find(ctx, e.OrderID, *e.Transaction)
	}, func(ctx context.Context) (*providers.Transaction, error) {
		if err := may(); err != nil {
			return nil, err
		}
		return api.Create(ctx, e.OrderID, *e.Transaction)
	})
}

// sendEvent is TransactionService.CreateEventOrGet, but looks for the event with record, and sends it only if may
// returns nil just before.
func (e *Entry) sendEvent(
	ctx context.Context, api *providers.TransactionService, may func() error,
) (*providers.Event, error) {
	event, _, err := client.CreateOrGet(ctx, func(ctx context.Context) (*providers.Event, error) {
		t, err := api.Get(ctx, e.OrderID, e.TransactionID)
		if err != nil {
			return nil, err
		}
		return e.record(t)
	}, func(ctx context.Context) (*providers.Event, error) {
		if err := may(); err != nil {
			return nil, err
		}
		return api.CreateEvent(ctx, e.OrderID, e.TransactionID, *e.Event)
	})
	return event, err
}

// record returns the event of the transaction that reports e; nil if there is none. Its message has the key of e. If
// the platform shows no key at all, an event like it may be e or one of the app. That is an error, because a second
// report could be wrong too.
func (e *Entry) record(t *providers.Transaction) (*providers.Event, error) {
	in := *e.Event
	for i := range t.Events {
		event := &t.Events[i]
		switch {
		case event.Info.Operation() != e.Key:
		case isOutcome(in, event):
			return event, nil
		case event.Status == providers.EventSuccess: // any other status has moved no money
			return nil, fmt.Errorf("event %s of the operation is a %s of %s %s, and not a %s that is a %s",
				event.ID, event.Type, event.Amount.Value, event.Amount.Currency, in.Type, in.Status)
		}
	}
	if isKeyed(t) {
		return nil, nil
	}
	for _, event := range eventsSince(t, e.Shown) {
		if isOutcome(in, &event) {
			return nil, fmt.Errorf("event %s may be that of the operation or one of the app, because no message has a key",
				event.ID)
		}
	}
	return nil, nil
}

// reportedBy returns an error if a transaction that was found does not report the payment. It is then of another
// attempt, or of another outcome, and the payment would otherwise count as reported.
func (e *Entry) reportedBy(t *providers.Transaction) error {
	in, id := e.Transaction.FirstEvent, e.Transaction.Info.ExternalID
	if first := firstOf(t); first != nil && !slices.Contains([]string{"", e.Key}, first.Info.Operation()) {
		return fmt.Errorf("ExternalID %.40q is that of transaction %s of operation %s: "+
			"Charge must return another ID for each attempt", id, t.ID, first.Info.Operation())
	}
	if slices.ContainsFunc(t.Events, func(event providers.Event) bool { return isOutcome(in, &event) }) {
		return nil
	}
	return fmt.Errorf("ExternalID %.40q is that of transaction %s, which has no %s that is a %s of %s %s: "+
		"Charge must return another ID for each attempt", id, t.ID, in.Type, in.Status, in.Amount.Value, in.Amount.Currency)
}

// recorded returns the time of the platform's record, or now if it is missing.
func (c *Cashier) recorded(at client.Time) time.Time {
	if at.IsZero() {
		return c.now()
	}
	return at.UTC()
}
