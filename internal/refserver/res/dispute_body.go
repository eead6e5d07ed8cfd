package res

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/scalar"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Refusals of disputes. All are assumed: the contract has the rules, not the words.
const (
	beReason      = "must be one of the reason codes"
	beStatus      = "must be one of the following values: needs_response, documentation_sent, insured, under_review, won, lost"
	beMoney       = "must be a string with two decimals, 0.00 or more"
	beISOCurrency = "must be an ISO 4217 code"
	beWithin      = "must be between 0.00 and the amount of the dispute"
	beSameMoney   = "must be the currency of the dispute"
	beOtherMoney  = "must be another currency than that of the dispute"
	beFee         = "must be processing_fee"
	beClosed      = "should not be empty when the status is won or lost"
	beExchange    = "must be a decimal number greater than 0"
	insuredTwice  = "A dispute can be insured only once"
	cannotMove    = "A dispute cannot go from %s to %s"
	noMore        = "A transaction cannot have more than %d disputes"
)

// processingFee is the only type of fee.
const processingFee = "processing_fee"

// disputeReasons are the reason codes.
func disputeReasons() []string {
	return strings.Fields(`bank_cannot_process check_returned credit_not_processed customer_initiated debit_not_authorized
		duplicate_transaction fraudulent_activity incorrect_account_details insufficient_funds product_not_received
		product_unacceptable subscription_canceled unrecognized`)
}

// retainedFaults are those of the amounts that both bodies have.
func retainedFaults() []api.ErrCase {
	const settled = "retained_settled_amount."
	return unprocessable(
		"retained_total: "+notEmpty, "retained_total: "+beObject,
		"retained_total.value: "+beMoney, "retained_total.value: "+beWithin,
		"retained_total.currency: "+beISOCurrency, "retained_total.currency: "+beSameMoney,
		"retained_settled_amount: "+beObject,
		settled+"value: "+beMoney, settled+"currency: "+beISOCurrency, settled+"currency: "+beOtherMoney,
		settled+"exchange_rate: "+notEmpty, settled+"exchange_rate.value: "+beExchange,
		settled+"exchange_rate.from: "+beISOCurrency, settled+"exchange_rate.from: "+beSameMoney,
		"evidence_url: "+beHTTPS, "evidence_sent_at: "+beTime,
	)
}

func disputeFaults() []api.ErrCase {
	return slices.Concat(retainedFaults(), unprocessable(
		"reason_code: "+notEmpty, "reason_code: "+beReason, "external_reason_code: "+notEmpty, "external_reason_code: "+beString,
		"amount: "+notEmpty, "amount: "+beObject, "amount.value: "+beMoney, "amount.currency: "+beISOCurrency,
		"fees: "+beArray, "fees.0.type: "+beFee, "fees.0.amount: "+notEmpty, "fees.0.amount.value: "+beMoney, "fees.0.amount.currency: "+beISOCurrency,
		"initiated_at: "+notEmpty, "initiated_at: "+beTime, "evidence_due_at: "+beTime, fmt.Sprintf(noMore, world.Contract().Disputes),
	))
}

func disputeUpdateFaults() []api.ErrCase {
	return slices.Concat(retainedFaults(), unprocessable("status: "+notEmpty, "status: "+beStatus, "closed_at: "+beClosed, "closed_at: "+beTime,
		fmt.Sprintf(cannotMove, world.DisputeWon, world.DisputeLost), insuredTwice))
}

// readDispute reads a new dispute. A status in the body says nothing.
func readDispute(b form) world.Dispute {
	d := world.Dispute{Status: world.DisputeNeedsResponse}
	b.required("reason_code", func() { b.choice("reason_code", beReason, disputeReasons(), &d.Reason) })
	b.required("external_reason_code", func() { b.text("external_reason_code", &d.ExternalReason) })
	d.Amount = b.money("amount")
	b.retained(&d)
	b.list("fees", func() {}, func(b form) {
		var fee world.DisputeFee
		b.choice("type", beFee, []string{processingFee}, &fee.Type)
		fee.Amount = b.money("amount")
		d.Fees = append(d.Fees, fee)
	})
	b.evidence(&d)
	b.required("initiated_at", func() { b.time("initiated_at", &d.InitiatedAt) })
	b.time("evidence_due_at", &d.EvidenceDueAt)
	return d
}

// readDisputeUpdate reads what a dispute is to be, and the status it is to go to.
// What the status makes the platform ignore is not looked at.
func readDisputeUpdate(b form, d world.Dispute) (world.Dispute, world.DisputeStatus) {
	var status string
	b.required("status", func() {
		all := each(DisputeStates().States, func(s world.DisputeStatus) string { return string(s) })
		b.choice("status", beStatus, all, &status)
	})
	to := world.DisputeStatus(status)
	if to.Closed() {
		b.ignore("evidence_url", "evidence_sent_at")
		b.closing(&d.ClosedAt)
	} else {
		b.ignore("closed_at")
		b.evidence(&d)
	}
	b.retained(&d)
	return d, to
}

func (f form) closing(to *time.Time) {
	if raw, ok := f.members["closed_at"]; !ok || isNull(raw) || string(raw) == `""` {
		f.wrong.add("closed_at", beClosed)
	}
	f.time("closed_at", to)
}

// evidence reads the address and the time of what was sent; null takes them away.
func (f form) evidence(d *world.Dispute) {
	f.address("evidence_url", &d.EvidenceURL)
	f.time("evidence_sent_at", &d.EvidenceSentAt)
}

// Amounts of disputes are strings, and bounded, so that no number can be huge.
var (
	twoDecimals = regexp.MustCompile(`^[0-9]{1,15}\.[0-9]{2}$`)
	isoCurrency = regexp.MustCompile(`^[A-Z]{3}$`)
)

// money reads a member that is an amount and has to be there.
func (f form) money(name string) world.Amount {
	var a world.Amount
	f.required(name, func() {
		f.object(name, func(b form) { a = b.amount() })
	})
	return a
}

// amount reads the value and the currency of an amount.
func (f form) amount() world.Amount {
	var a world.Amount
	var text string
	value(f, "value", beMoney, &text)
	if twoDecimals.MatchString(text) {
		a.Value = decimal.RequireFromString(text)
	} else {
		f.wrong.add(f.at("value"), beMoney)
	}
	a.Currency = f.currency("currency")
	return a
}

func (f form) currency(name string) string {
	var code string
	value(f, name, beISOCurrency, &code)
	if !isoCurrency.MatchString(code) {
		f.wrong.add(f.at(name), beISOCurrency)
	}
	return code
}

// retained reads what is withheld now. The amount of the dispute is known by then.
func (f form) retained(d *world.Dispute) {
	a := f.money("retained_total")
	if known := d.Amount.Currency != ""; known && a.Value.GreaterThan(d.Amount.Value) {
		f.wrong.add("retained_total.value", beWithin)
	} else if known && a.Currency != "" && a.Currency != d.Amount.Currency {
		f.wrong.add("retained_total.currency", beSameMoney)
	}
	d.Retained = a.Value
	if raw, ok := f.members["retained_settled_amount"]; !ok || isNull(raw) {
		if ok {
			d.Settled = nil
		}
		f.ignore("retained_settled_amount")
		return
	}
	f.object("retained_settled_amount", func(b form) { d.Settled = b.settled(*d) })
}

func (f form) settled(d world.Dispute) *world.Settled {
	s := world.Settled{Amount: f.amount()}
	if s.Amount.Currency == d.Amount.Currency {
		f.wrong.add(f.at("currency"), beOtherMoney)
	}
	f.required("exchange_rate", func() {
		f.object("exchange_rate", func(b form) {
			var rate scalar.Value
			value(b, "value", beExchange, &rate)
			var ok bool
			if s.Rate, ok = rate.Decimal(); !ok || !s.Rate.IsPositive() {
				b.wrong.add(b.at("value"), beExchange)
			}
			if s.From = b.currency("from"); s.From != d.Amount.Currency {
				b.wrong.add(b.at("from"), beSameMoney)
			}
		})
	})
	return &s
}
