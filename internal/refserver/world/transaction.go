package world

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Transaction is a payment of an order as its provider reports it.
type Transaction struct {
	// ID is a UUID.
	ID      string
	OrderID int64
	// AppID is the payment app.
	AppID int64
	// ProviderID is a UUID.
	ProviderID string
	// MethodType is for example credit_card, MethodID for example visa; MethodID is
	// empty for a type that has no methods.
	MethodType string
	MethodID   string
	Status     TransactionStatus
	// Amounts are in Currency.
	Authorized decimal.Decimal
	Captured   decimal.Decimal
	Refunded   decimal.Decimal
	Voided     decimal.Decimal
	// Discounted is what the provider took off, Fees what it charged the customer.
	Discounted decimal.Decimal
	Fees       decimal.Decimal
	Currency   string
	// FailureCode is that of the failure, empty for null.
	FailureCode string
	// Events have the oldest first.
	Events []TransactionEvent
	// Info is what the provider wrote about it.
	Info map[string]json.RawMessage
	// PaymentAttempt and ProviderTaxID are empty for null. Answers do not show them.
	PaymentAttempt string
	ProviderTaxID  string
	CreatedAt      time.Time
}

// Indexes find the transactions of an order.
func (t Transaction) Indexes() []table.Entry {
	return []table.Entry{table.Multi("order", strconv.FormatInt(t.OrderID, 10))}
}

// TransactionStatus is how far a payment is.
type TransactionStatus string

// The statuses. TransactionNew is that of one whose first event is still to come.
const (
	TransactionNew               TransactionStatus = ""
	TransactionPending           TransactionStatus = "pending"
	TransactionInFraudAnalysis   TransactionStatus = "in_fraud_analysis"
	TransactionNeedsReview       TransactionStatus = "needs_merchant_review"
	TransactionAuthorized        TransactionStatus = "authorized"
	TransactionPaid              TransactionStatus = "paid"
	TransactionPartiallyRefunded TransactionStatus = "partially_refunded"
	TransactionRefunded          TransactionStatus = "refunded"
	TransactionVoided            TransactionStatus = "voided"
	TransactionExpired           TransactionStatus = "expired"
	TransactionFailed            TransactionStatus = "failed"
)

// TransactionEvent is one thing that happened to a payment.
type TransactionEvent struct {
	// ID is a UUID.
	ID     string
	Amount decimal.Decimal
	// Type is for example sale, Status success, pending, failure or error.
	Type   string
	Status string
	// The texts are empty and the time zero for null.
	AuthorizationCode string
	FailureCode       string
	Info              json.RawMessage
	ExpiresAt         time.Time
	HappenedAt        time.Time
	CreatedAt         time.Time
}
