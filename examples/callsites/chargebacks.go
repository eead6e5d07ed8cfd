package main

import (
	"context"
	"fmt"
	"io"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/disputes"
)

// dispute opens a chargeback and brings it to the review.
func dispute(ctx context.Context, c *client.Client, orderID client.ID, transactionID uuid.UUID, at client.Time) (*disputes.Dispute, error) {
	// README: disputes
	amount := disputes.Amount{Value: client.MustMoney("25.50"), Currency: "ARS"}
	id, err := v1.Disputes(c).Create(ctx, orderID, transactionID, disputes.Input{
		Reason: disputes.ReasonProductNotReceived, ExternalReason: "13.1", // the code of the card operator
		Amount: amount, RetainedTotal: amount, InitiatedAt: at,
	})
	if err != nil {
		return nil, err
	}
	d, err := v1.Disputes(c).Get(ctx, orderID, transactionID, id) // keep id: disputes cannot be listed
	if err != nil {
		return nil, err
	}
	// d.Timeline().Next() lists the statuses that may follow. Update rejects others before the request is sent.
	err = v1.Disputes(c).Update(ctx, d, disputes.Update{Status: disputes.StatusUnderReview, RetainedTotal: d.RetainedTotal})
	// end
	if err != nil {
		return nil, err
	}
	return v1.Disputes(c).Get(ctx, orderID, transactionID, id)
}

// charges charges back an amount that a customer has paid.
func charges(ctx context.Context, platform *clienttest.Server, out io.Writer) error {
	paid, err := platform.Charge(client.MustMoney("25.50"))
	if err != nil {
		return err
	}
	d, err := dispute(ctx, platform.Client(), paid.OrderID, paid.TransactionID, client.At(platform.Clock().Now()))
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "chargeback:", d.Status, "and", d.RetainedTotal.Value, "withheld")
	return nil
}
