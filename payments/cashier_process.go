package payments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Process is a function for ProcessHandler. It takes the payment of an attempt once: a repeated call returns the
// first answer. The answer waits a limited time for the report. If the report fails, Run repeats it.
//
// An error means that the customer may have paid, except ErrCancelled. ErrCancelled means that the attempt was
// cancelled earlier, and will never be charged. A payment that was cancelled after it was taken still returns its
// answer. The error is ErrInProgress if another replica has not finished in time, and ErrDiffers for an attempt with
// other values. ErrMalformed means that the platform would reject the report of the payment. Then ids or the method are
// missing, the amount is not above 0 or has more than two decimals, or the currency is not an ISO 4217 code. Nothing
// was taken or stored, and a ProcessHandler answers 400. Otherwise it is an error of Charge or of the ledger.
func (c *Cashier) Process(ctx context.Context, r ProcessRequest) (any, error) {
	if err := errors.Join(c.Check(), r.payable()); err != nil {
		return nil, err
	}
	about := About{StoreID: r.StoreID, OrderID: r.OrderID, PaymentAttemptID: r.PaymentAttemptID}
	stored := r
	if c.Redact != nil {
		stored.Extra, stored.PaymentMethod.Extra = maps.Clone(r.Extra), maps.Clone(r.PaymentMethod.Extra)
		c.Redact(&stored)
	}
	e, err := c.entry(ctx, CallProcess, about, r.Amount, stored, key("payment", r.StoreID, string(r.PaymentAttemptID)))
	if err != nil {
		return nil, err
	}
	e, err = c.conclude(ctx, e, r.differs, func(ctx context.Context, h *hold) error { return c.charge(ctx, h, r) })
	switch {
	case err != nil:
		return nil, err
	case e.State == StateCancelled:
		return nil, ErrCancelled
	case e.Transaction == nil:
		return nil, ErrClosed
	case len(e.Answer) == 0:
		return nil, nil
	}
	return e.Answer, nil
}

// payable returns an error if ids that identify an operation are missing, or if the platform would reject the report of
// the payment because of its amount or its method.
func (r ProcessRequest) payable() error {
	var err error
	switch {
	case r.StoreID <= 0:
		err = errors.New("store_id is missing")
	case r.OrderID <= 0:
		err = errors.New("order_id is missing")
	case r.PaymentAttemptID == "":
		err = errors.New("payment_attempt_id is missing")
	case r.Amount.Value.Cmp(client.Money{}) <= 0:
		err = engine.Invalid("amount.value", r.Amount.Value, "more than 0")
	default:
		sale := providers.EventInput{Amount: r.Amount, Type: providers.EventTypeSale, Status: providers.EventPending}
		method := providers.PaymentMethodInput{Type: r.PaymentMethod.Type, ID: r.PaymentMethod.ID}
		err = cmp.Or(method.Check(), sale.Check())
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w, so the payment could not be recorded and was not taken", ErrMalformed, err)
}

// differs returns ErrDiffers if the values of an entry differ from the request.
func (r ProcessRequest) differs(e Entry) error {
	var begun ProcessRequest
	if err := wire.UnmarshalExact(e.Request, &begun); err != nil {
		return err
	}
	if e.OrderID == r.OrderID && e.Amount.Equal(r.Amount) && begun.PaymentMethod.Type == r.PaymentMethod.Type &&
		begun.PaymentProviderID == r.PaymentProviderID {
		return nil
	}
	return fmt.Errorf("%w: %s %s of order %d, and now %s %s of order %d", ErrDiffers,
		e.Amount.Value, e.Amount.Currency, e.OrderID, r.Amount.Value, r.Amount.Currency, r.OrderID)
}
