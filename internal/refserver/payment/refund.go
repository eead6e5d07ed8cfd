package payment

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// amountJSON is an amount in a currency, with the value as a decimal string.
type amountJSON struct {
	Value    string `json:"value"`
	Currency string `json:"currency"`
}

type refundJSON struct {
	Store       int64      `json:"store_id"`
	Provider    string     `json:"payment_provider_id"`
	Transaction string     `json:"transaction_id"`
	Amount      amountJSON `json:"amount"`
}

// Refund asks the app to pay back an amount of a transaction, at the refund_url of the
// transaction. The app reports the refund later, by an event. It fails if the
// transaction cannot be refunded so or ctx ends, not because of what the app answers.
func (p *Platform) Refund(ctx context.Context, store int64, transaction string, amount decimal.Decimal) (Call, error) {
	var t world.Transaction
	err := p.world.View(0, store, func(tx *world.Tx) error {
		var ok bool
		if t, ok = tx.Transactions.Get(transaction); !ok {
			return fmt.Errorf("transaction %q does not exist in store %d", transaction, store)
		}
		return nil
	})
	if err != nil {
		return Call{}, err
	}
	address, err := p.refundable(t, amount)
	if err != nil {
		return Call{}, fmt.Errorf("refund of %s of transaction %s: %w", amount.StringFixed(2), transaction, err)
	}
	from, err := p.provider(store, t.ProviderID)
	if err != nil {
		return Call{}, err
	}
	c := Call{Kind: Refund, Store: store, App: from.AppID, Provider: from.ID, Attempt: t.PaymentAttempt, Try: 1, Method: http.MethodPost, URL: address}
	c.Request, err = json.Marshal(refundJSON{store, from.ID, t.ID, amountJSON{amount.StringFixed(2), t.Currency}})
	if err != nil {
		return c, err
	}
	if c, err = p.signed(ctx, c, from); err != nil {
		return c, err
	}
	if c.HTTPStatus == http.StatusUnprocessableEntity && c.Outcome == "" {
		c.reject()
	}
	c.requires(http.StatusAccepted)
	return p.record(c), nil
}

// refundable returns where the refund of an amount is asked for, or why it is not.
func (p *Platform) refundable(t world.Transaction, amount decimal.Decimal) (string, error) {
	var address string
	_ = json.Unmarshal(t.Info["refund_url"], &address) // what is not a text is none
	var partly bool
	_ = json.Unmarshal(t.Info["supports_partial_refund"], &partly)
	left := t.Captured.Sub(t.Refunded)
	switch {
	case t.Status != world.TransactionPaid && t.Status != world.TransactionPartiallyRefunded:
		return "", fmt.Errorf("status %s: must be paid or partially_refunded", t.Status)
	case !amount.IsPositive() || !amount.Equal(amount.Truncate(2)):
		return "", fmt.Errorf("amount: must be more than 0 with at most two decimals")
	case amount.GreaterThan(left):
		return "", fmt.Errorf("amount: must be at most %s, which is left", left.StringFixed(2))
	case amount.LessThan(left) && !partly:
		return "", fmt.Errorf("amount: must be %s, because supports_partial_refund is not true", left.StringFixed(2))
	}
	if err := p.check(address); err != nil {
		return "", fmt.Errorf("refund_url in the info of the transaction: %w", err)
	}
	return address, nil
}

// rejectionJSON is the answer 422 to a refund.
type rejectionJSON struct {
	Code string `json:"error_code"`
}

// reject reads why a refund is not made.
func (c *Call) reject() {
	var b rejectionJSON
	_ = json.Unmarshal(c.Answer, &b) // what is not an object has no code
	c.Unread = delivery.Unread[rejectionJSON](c.Answer)
	switch b.Code {
	case "insufficient_account_balance", "refund_already_in_process", "refund_rejected", "transaction_date_too_old":
		c.Outcome, c.ErrorCode, c.Reason = Rejected, b.Code, "the app says "+b.Code
	default:
		c.Outcome = Failed
		c.Reason = fmt.Sprintf("error_code %.100q: must be insufficient_account_balance, refund_already_in_process, refund_rejected or transaction_date_too_old", b.Code)
	}
}
