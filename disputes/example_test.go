package disputes_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/disputes"
)

// A chargeback is opened, goes to review and is won.
func ExampleService() {
	ctx := context.Background()
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	shop, err := open(ctx, srv) // a payment app with a product to sell
	if err != nil {
		log.Fatal(err)
	}
	order, transaction, err := shop.sell(ctx)
	if err != nil {
		log.Fatal(err)
	}
	c := shop.client

	paid := disputes.Amount{Value: client.MustMoney("25.50"), Currency: "ARS"}
	id, err := v1.Disputes(c).Create(ctx, order, transaction, disputes.Input{
		Reason: disputes.ReasonProductNotReceived, ExternalReason: "13.1", Amount: paid, RetainedTotal: paid, InitiatedAt: day,
	})
	if err != nil {
		log.Fatal(err)
	}
	d, err := v1.Disputes(c).Get(ctx, order, transaction, id) // keep id: disputes cannot be listed
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Status, d.RetainedTotal.Value, "then", d.Timeline().Next())

	// The retained amount goes with every update, changed or not.
	if err := v1.Disputes(c).Update(ctx, d, disputes.Update{Status: disputes.StatusUnderReview, RetainedTotal: d.RetainedTotal}); err != nil {
		log.Fatal(err)
	}
	if d, err = v1.Disputes(c).Get(ctx, order, transaction, id); err != nil {
		log.Fatal(err)
	}
	won := disputes.Update{Status: disputes.StatusWon, RetainedTotal: disputes.Amount{Currency: "ARS"}}
	err = v1.Disputes(c).Update(ctx, d, won) // refused before it is sent
	fmt.Println(errors.Is(err, client.ErrValidation), err)

	won.ClosedAt = day
	if err := v1.Disputes(c).Update(ctx, d, won); err != nil {
		log.Fatal(err)
	}
	if d, err = v1.Disputes(c).Get(ctx, order, transaction, id); err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Status, d.RetainedTotal.Value, d.ClosedAt)
	// Output:
	// needs_response 25.50 then [documentation_sent under_review insured won lost]
	// true closed_at: "": must be a time: it is required when status is won: validation
	// won 0.00 2025-01-05 10:00:00 +0000 UTC
}

func ExampleTransitions() {
	for _, t := range disputes.Transitions() {
		if t.From == disputes.StatusNeedsResponse {
			fmt.Printf("%s: %s\n", t.To, t.When)
		}
	}
	// Output:
	// documentation_sent: merchant sent documentation
	// under_review: direct review
	// insured: provider applies chargeback insurance
	// won: merchant wins directly
	// lost: time limit expired or rejected without review
}

func ExampleTimeline_Check() {
	opened := disputes.Input{Amount: money("25.50"), RetainedTotal: money("25.50")}.Timeline()
	for _, u := range []disputes.Update{
		{Status: disputes.StatusDocumentationSent, RetainedTotal: money("25.50")},
		{Status: disputes.StatusUnderReview, RetainedTotal: money("25.51")},
		{Status: disputes.StatusLost, RetainedTotal: money("25.50")},
	} {
		fmt.Println(opened.Check(u))
	}
	// Output:
	// <nil>
	// retained_total.value: "25.51": must be between 0.00 and the disputed amount, 25.50: validation
	// closed_at: "": must be a time: it is required when status is lost: validation
}

func ExampleUpdate_Ignored() {
	u := disputes.Update{Status: disputes.StatusWon, RetainedTotal: money("0.00"), ClosedAt: day, EvidenceURL: "https://files.partner.example/late.pdf"}
	fmt.Println(u.Ignored())
	// Output: [evidence_url]
}
