package res

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// The payment statuses of an order.
const (
	paymentPending           = "pending"
	paymentAuthorized        = "authorized"
	paymentPartiallyPaid     = "partially_paid"
	paymentPaid              = "paid"
	paymentPartiallyRefunded = "partially_refunded"
	paymentRefunded          = "refunded"
	paymentVoided            = "voided"
	paymentAbandoned         = "abandoned"
)

// internalGateway is the gateway of an order that was marked as paid by hand.
const internalGateway = "internal"

// markedPaid is what happens to an order that is paid without a transaction.
const markedPaid = "mark as paid"

// PaymentStates is the table of the payment status of an order. What its
// transactions add up to is named by the status that it stands for.
func PaymentStates() api.Machine[string] {
	m := api.Machine[string]{
		Name:    "order payment status",
		Initial: paymentPending,
		States: []string{paymentPending, paymentAuthorized, paymentPartiallyPaid, paymentPaid,
			paymentPartiallyRefunded, paymentRefunded, paymentVoided, paymentAbandoned},
	}
	ways := func(from string, to ...string) {
		for _, s := range to {
			m.Edges = append(m.Edges, api.Edge[string]{From: from, On: s, To: s})
		}
	}
	ways(paymentPending, paymentAuthorized, paymentPartiallyPaid, paymentPaid, paymentVoided)
	ways(paymentAuthorized, paymentPending, paymentPartiallyPaid, paymentPaid, paymentVoided)
	ways(paymentPartiallyPaid, paymentPaid, paymentPartiallyRefunded, paymentRefunded)
	ways(paymentPaid, paymentPartiallyPaid, paymentPartiallyRefunded, paymentRefunded)
	ways(paymentPartiallyRefunded, paymentRefunded)
	ways(paymentRefunded, paymentPartiallyRefunded)
	ways(paymentVoided, paymentPending, paymentAuthorized, paymentPartiallyPaid, paymentPaid)
	ways(paymentAbandoned, paymentPending, paymentAuthorized, paymentPartiallyPaid, paymentPaid, paymentVoided)
	for _, from := range []string{paymentPending, paymentAuthorized, paymentPartiallyPaid, paymentAbandoned} {
		m.Edges = append(m.Edges, api.Edge[string]{From: from, On: markedPaid, To: paymentPaid})
	}
	return m
}

// paymentEvents are what is told when an order gets a payment status.
func paymentEvents(status string) []string {
	switch status {
	case paymentPaid:
		return []string{"order/paid", "order/updated"}
	case paymentVoided:
		return []string{"order/voided"}
	case paymentPending:
		return []string{"order/pending"}
	}
	return []string{"order/updated"}
}

// markPaid is the order after the merchant said that it is paid.
func markPaid(tx *world.Tx, o world.Order) (world.Order, error) {
	if o.Status == orderCancelled || !PaymentStates().Leads(o.PaymentStatus, markedPaid, paymentPaid) {
		return o, api.Unprocessable(cannotPay)
	}
	o = paid(tx, o, paymentPaid, o.Total, "")
	o.Gateway, o.GatewayName = internalGateway, ""
	return o, nil
}

// paid is the order with a payment status, dated, and an entry in the history of
// its value if an amount came in or went out or if it is a status of that history.
func paid(tx *world.Tx, o world.Order, status string, sum decimal.Decimal, method string) world.Order {
	value := world.OrderValue{Status: valueStatus(status), PaidDelta: sum.Sub(o.TotalPaid), Method: method, Gateway: o.GatewayName, HappenedAt: tx.Now()}
	if len(o.Values) == 0 || o.Values[len(o.Values)-1].Status != value.Status || !value.PaidDelta.IsZero() {
		o.Values = append(slices.Clone(o.Values), value)
	}
	if status == paymentPaid && o.PaymentStatus != paymentPaid {
		o.PaidAt = tx.Now()
	}
	o.PaymentStatus, o.TotalPaid = status, sum
	o.NextAction = nextAction(tx, o)
	return o
}

func valueStatus(payment string) string {
	switch payment {
	case paymentPending, paymentAuthorized, paymentAbandoned:
		return "PENDING"
	case paymentVoided:
		return "CANCELLED"
	}
	return "PAID"
}

// settlePayment is the order with the payment status that its transactions add up
// to, and what is to be told of it. A status they cannot lead to is not taken.
func settlePayment(tx *world.Tx, o world.Order) (world.Order, []string) {
	all := transactionsOf(tx, o.ID)
	if len(all) == 0 {
		return o, nil
	}
	sums := sumsOf(all)
	before := o
	o.Fees = sums.fees
	for _, t := range all {
		if t.Authorized.IsPositive() || t.Captured.IsPositive() {
			o = payingWith(tx, o, t)
		}
	}
	method := gatewayMethod(all[len(all)-1].MethodType)
	status := sums.status(o.Total)
	switch {
	case !sums.captured.IsPositive() && o.TotalPaid.IsPositive(): // paid by hand: no transaction says otherwise
	case status != o.PaymentStatus && !PaymentStates().Leads(o.PaymentStatus, status, status):
	default:
		o = paid(tx, o, status, sums.captured, method)
	}
	if o.PaymentStatus != before.PaymentStatus {
		return o, paymentEvents(o.PaymentStatus)
	}
	return o, []string{"order/updated"}
}

// payingWith is the order with how it is paid. The name of a provider that is gone by now stays.
func payingWith(tx *world.Tx, o world.Order, t world.Transaction) world.Order {
	if p, ok := tx.PaymentProviders.Get(t.ProviderID); ok || o.Gateway != t.ProviderID {
		o.GatewayName = p.Name
	}
	o.Gateway, o.GatewayID, o.GatewayLink = t.ProviderID, infoText(t, "external_id"), infoText(t, "external_url")
	o.PaymentMethod, o.CreditCardCompany = t.MethodType, ""
	if t.MethodType == "credit_card" {
		o.CreditCardCompany = t.MethodID
	}
	o.Installments = installmentsOf(t)
	return o
}

// gatewayMethod is the type of a payment method in the words of the history.
func gatewayMethod(kind string) string {
	switch kind {
	case "credit_card", "debit_card", "cash", "wire_transfer", "pix":
		return kind
	}
	return "other"
}
