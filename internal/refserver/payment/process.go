package payment

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Attempt is a customer trying to pay an order.
type Attempt struct {
	Order int64
	// Provider is a UUID.
	Provider string
	// MethodType is for example credit_card, MethodID for example visa.
	MethodType string
	MethodID   string
	// Amount is in the currency of the order.
	Amount decimal.Decimal
}

type processJSON struct {
	Store    int64      `json:"store_id"`
	Order    int64      `json:"order_id"`
	Provider string     `json:"payment_provider_id"`
	Attempt  string     `json:"payment_attempt_id"`
	Method   methodJSON `json:"payment_method"`
	Amount   amountJSON `json:"amount"`
}

type methodJSON struct {
	Type string  `json:"type"`
	ID   *string `json:"id"`
}

// Offers reports why a provider of the store does not take payments in a currency, by the
// method of the attempt; nil if it does. The order and the amount are not looked at.
func (p *Platform) Offers(store int64, a Attempt, currency string) error {
	from, err := p.provider(store, a.Provider)
	if err != nil {
		return err
	}
	if err := offered(from, a, currency); err != nil {
		return fmt.Errorf("payment by provider %s: %w", from.ID, err)
	}
	_, err = p.address(from.AppID, Process, func(u world.PaymentURLs) string { return u.Process })
	return err
}

// Process has the app take a payment, at its address for payments. The app creates the
// transaction itself, with the attempt in payment_attempt_id. It fails if the provider
// does not offer the payment or ctx ends, not because of what the app answers.
func (p *Platform) Process(ctx context.Context, store int64, a Attempt) (Call, error) {
	from, err := p.provider(store, a.Provider)
	if err != nil {
		return Call{}, err
	}
	var o world.Order
	err = p.world.View(0, store, func(tx *world.Tx) error {
		var ok bool
		if o, ok = tx.Orders.Get(a.Order); !ok {
			return fmt.Errorf("order %d does not exist in store %d", a.Order, store)
		}
		if !a.Amount.IsPositive() || !a.Amount.Equal(a.Amount.Truncate(2)) {
			return fmt.Errorf("amount %s: must be more than 0 with at most two decimals", a.Amount)
		}
		return offered(from, a, o.Currency)
	})
	if err != nil {
		return Call{}, fmt.Errorf("payment by provider %s: %w", from.ID, err)
	}
	c := Call{Kind: Process, Store: store, App: from.AppID, Provider: from.ID, Try: 1, Method: http.MethodPost}
	if c.URL, err = p.address(c.App, c.Kind, func(u world.PaymentURLs) string { return u.Process }); err != nil {
		return c, err
	}
	id, err := uuid.NewRandom()
	if err != nil {
		return c, err
	}
	c.Attempt = id.String()
	method := methodJSON{Type: a.MethodType}
	if a.MethodID != "" {
		method.ID = &a.MethodID
	}
	c.Request, err = json.Marshal(processJSON{store, o.ID, from.ID, c.Attempt, method, amountJSON{a.Amount.StringFixed(2), o.Currency}})
	if err != nil {
		return c, err
	}
	if c, err = p.signed(ctx, c, from); err != nil {
		return c, err
	}
	c.requires(http.StatusCreated)
	return p.record(c), nil
}

// offered reports why a provider does not take a payment, nil if it does.
func offered(p world.PaymentProvider, a Attempt, currency string) error {
	of := slices.IndexFunc(p.Methods, func(m world.PaymentMethods) bool { return m.Type == a.MethodType })
	switch {
	case !p.Enabled:
		return fmt.Errorf("the provider is not enabled")
	case !slices.Contains(p.Currencies, currency):
		return fmt.Errorf("currency %s: must be one of supported_currencies %v", currency, p.Currencies)
	case of < 0:
		return fmt.Errorf("payment method type %q: must be one of supported_payment_methods", a.MethodType)
	case a.MethodID != "" && !slices.Contains(p.Methods[of].IDs, a.MethodID):
		return fmt.Errorf("payment method %q: must be one of %v", a.MethodID, p.Methods[of].IDs)
	}
	return nil
}
