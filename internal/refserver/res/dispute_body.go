package res

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Refusals of disputes. All are assumed: the contract has the rules, not the words.
const (
	beReason = "must be one of the reason codes"
	beStatus = "must be one of the following values: " +
		"needs_response, documentation_sent, insured, under_review, won, lost"
	beMoney      = "must be a string with two decimals, 0.00 or more"
	beWithin     = "must be between 0.00 and the amount of the dispute"
	beSameMoney  = "must be the currency of the dispute"
	beOtherMoney = "must be another currency than that of the dispute"
	beFee        = "must be processing_fee"
	beClosed     = "should not be empty when the status is won or lost"
	insuredTwice = "A dispute can be insured only once"
	cannotMove   = "A dispute cannot go from %s to %s"
	noMore       = "A transaction cannot have more than %d disputes"
)

// processingFee is the only type of fee.
const processingFee = "processing_fee"

// DisputeReasons are the reason codes.
func DisputeReasons() []string {
	return strings.Fields(`bank_cannot_process check_returned credit_not_processed customer_initiated debit_not_authorized
		duplicate_transaction fraudulent_activity incorrect_account_details insufficient_funds product_not_received
		product_unacceptable subscription_canceled unrecognized`)
}

// retainedFaults are those of the amounts that both bodies have.
func retainedFaults() []api.ErrCase {
	const settled = "retained_settled_amount."
	return unprocessable(
		"retained_total: "+body.NotEmpty, "retained_total: "+body.BeObject,
		"retained_total.value: "+beMoney, "retained_total.value: "+beWithin,
		"retained_total.currency: "+body.BeISOCurrency, "retained_total.currency: "+beSameMoney,
		"retained_settled_amount: "+body.BeObject,
		settled+"value: "+beMoney, settled+"currency: "+body.BeISOCurrency, settled+"currency: "+beOtherMoney,
		settled+"exchange_rate: "+body.NotEmpty, settled+"exchange_rate.value: "+body.BePositive,
		settled+"exchange_rate.from: "+body.BeISOCurrency, settled+"exchange_rate.from: "+beSameMoney,
		"evidence_url: "+body.BeHTTPS, "evidence_sent_at: "+body.BeTime,
	)
}

func disputeFaults() []api.ErrCase {
	return slices.Concat(retainedFaults(), unprocessable(
		"reason_code: "+body.NotEmpty, "reason_code: "+beReason, "external_reason_code: "+body.NotEmpty,
		"external_reason_code: "+body.BeString,
		"amount: "+body.NotEmpty, "amount: "+body.BeObject, "amount.value: "+beMoney, "amount.currency: "+body.BeISOCurrency,
		"fees: "+body.BeArray, "fees.0.type: "+beFee, "fees.0.amount: "+body.NotEmpty, "fees.0.amount.value: "+beMoney,
		"fees.0.amount.currency: "+body.BeISOCurrency,
		"initiated_at: "+body.NotEmpty, "initiated_at: "+body.BeTime, "evidence_due_at: "+body.BeTime, fmt.Sprintf(noMore,
			world.Contract().Disputes),
	))
}

func disputeUpdateFaults() []api.ErrCase {
	return slices.Concat(retainedFaults(), unprocessable("status: "+body.NotEmpty, "status: "+beStatus,
		"closed_at: "+beClosed, "closed_at: "+body.BeTime,
		fmt.Sprintf(cannotMove, world.DisputeWon, world.DisputeLost), insuredTwice))
}

// readDispute reads a new dispute. A status in the body says nothing.
func readDispute(b body.Members) world.Dispute {
	d := world.Dispute{Status: world.DisputeNeedsResponse}
	b.Required("reason_code", func() { b.Choice("reason_code", beReason, DisputeReasons(), &d.Reason) })
	b.Required("external_reason_code", func() { b.Text("external_reason_code", &d.ExternalReason) })
	d.Amount = readMoney(b, "amount")
	readRetained(b, &d)
	b.List("fees", func() {}, func(b body.Members) {
		var fee world.DisputeFee
		b.Choice("type", beFee, []string{processingFee}, &fee.Type)
		fee.Amount = readMoney(b, "amount")
		d.Fees = append(d.Fees, fee)
	})
	readEvidence(b, &d)
	b.Required("initiated_at", func() { b.Time("initiated_at", &d.InitiatedAt) })
	b.Time("evidence_due_at", &d.EvidenceDueAt)
	return d
}

// readDisputeUpdate reads the new members of a dispute, and its new status. Members that the platform ignores with this
// status are not examined.
func readDisputeUpdate(b body.Members, d world.Dispute) (world.Dispute, world.DisputeStatus) {
	var status string
	b.Required("status", func() {
		all := each(DisputeStates().States, func(s world.DisputeStatus) string { return string(s) })
		b.Choice("status", beStatus, all, &status)
	})
	to := world.DisputeStatus(status)
	if to.Closed() {
		b.Ignore("evidence_url", "evidence_sent_at")
		readClosing(b, &d.ClosedAt)
	} else {
		b.Ignore("closed_at")
		readEvidence(b, &d)
	}
	readRetained(b, &d)
	return d, to
}

func readClosing(b body.Members, to *time.Time) {
	if b.Empty("closed_at") {
		b.Refuse("closed_at", beClosed)
	}
	b.Time("closed_at", to)
}

// readEvidence reads the address and the time of what was sent; null takes them away.
func readEvidence(b body.Members, d *world.Dispute) {
	b.HTTPS("evidence_url", &d.EvidenceURL)
	b.Time("evidence_sent_at", &d.EvidenceSentAt)
}

// readMoney reads a member that is an amount and has to be there.
func readMoney(b body.Members, name string) world.Amount {
	var a world.Amount
	b.Required(name, func() {
		b.Object(name, func(b body.Members) { a = b.Money(beMoney) })
	})
	return a
}

// readRetained reads what is withheld now. The amount of the dispute is known by then.
func readRetained(b body.Members, d *world.Dispute) {
	const settled = "retained_settled_amount"
	a := readMoney(b, "retained_total")
	if known := d.Amount.Currency != ""; known && a.Value.GreaterThan(d.Amount.Value) {
		b.Refuse("retained_total.value", beWithin)
	} else if known && a.Currency != "" && a.Currency != d.Amount.Currency {
		b.Refuse("retained_total.currency", beSameMoney)
	}
	d.Retained = a.Value
	if b.Set(settled) {
		b.Object(settled, func(b body.Members) { d.Settled = readSettled(b, *d) })
		return
	}
	if b.Has(settled) {
		d.Settled = nil
	}
	b.Ignore(settled)
}

func readSettled(b body.Members, d world.Dispute) *world.Settled {
	s := world.Settled{Amount: b.Money(beMoney)}
	if s.Amount.Currency == d.Amount.Currency {
		b.Refuse("currency", beOtherMoney)
	}
	b.Required("exchange_rate", func() {
		b.Object("exchange_rate", func(b body.Members) {
			var rate body.Scalar
			body.Value(b, "value", body.BePositive, &rate)
			var ok bool
			if s.Rate, ok = rate.Decimal(); !ok || !s.Rate.IsPositive() {
				b.Refuse("value", body.BePositive)
			}
			if s.From = b.Currency("from"); s.From != d.Amount.Currency {
				b.Refuse("from", beSameMoney)
			}
		})
	})
	return &s
}
