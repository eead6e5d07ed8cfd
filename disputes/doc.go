// Package disputes is the part of the API for payment apps that report chargebacks:
// a consumer disputes a payment, and the app tells the platform how that goes and
// how much is withheld from the merchant meanwhile.
//
//	api := v1.New(c) // c is a *client.Client; unstable has disputes too, 2025-03 has not
//	id, err := api.Disputes.Create(ctx, orderID, transactionID, disputes.Input{…})
//	d, err := api.Disputes.Get(ctx, orderID, transactionID, id)
//	err = api.Disputes.Update(ctx, d, disputes.Update{Status: disputes.StatusUnderReview, RetainedTotal: d.RetainedTotal})
//
// Keep the id that Create returns: disputes cannot be listed, and an app sees its
// own only. A creation is never sent again by itself, for the same reason.
//
// # States
//
// A dispute starts in needs_response and ends in won or lost. Transitions holds
// this picture as data, with the contract's conditions:
//
//	    ┌─────────────────────────────────────────────────────┐
//	    │                    needs_response                   │
//	    └─────┬────────────────┬────────────────┬─────────┬───┘
//	          ▼                │                │         │
//	┌────────────────────┐     │                │         │
//	│ documentation_sent │     │                │         │
//	└─────────┬──────────┘     │                │         │
//	          ▼                ▼                ▼         │
//	    ┌──────────────────────────┐       ┌─────────┐    │
//	    │       under_review       │◄─(1)─►│ insured │    │
//	    └────────────┬─────────────┘       └────┬────┘    │
//	                 ▼                          ▼         ▼
//	    ┌─────────────────────────────────────────────────────┐
//	    │              won, lost: closed for good             │
//	    └─────────────────────────────────────────────────────┘
//
// (1) A dispute becomes insured at most once, and leaves that state for a review
// at most once. Insured means that the provider applied chargeback insurance and
// covered part or all of the disputed amount.
//
// A [Timeline] is where a dispute stands in this picture. It tells what may come
// next and checks an Update before it is sent; [Service.Update] does so by itself.
//
// # Money
//
// RetainedTotal is what is withheld from the merchant now, without the fees of the
// chargeback. It lies between 0.00 and the disputed amount and goes with every
// creation and every update: what does not change is sent again. The examples of
// [Timeline] show the contract's typical runs.
//
// # Where the rest is
//
// [Input] and [Update] are what is sent, [Dispute] is what is read, [Reason] and [Transitions] have the contract's
// words. Payments are in package payments. examples/chargebacks imports a processor's file, and opens nothing twice.
//
// # What may be relied on
//
// An input that the contract forbids is refused before anything is sent, by an
// error that wraps client.ErrValidation and names field, value and rule. Amounts
// are exact. Members and values that this package does not know are kept. All is
// safe for concurrent use, as long as callers do not share what they change.
package disputes
