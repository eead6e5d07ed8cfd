// Package disputes reports chargebacks to the platform. It is for payment apps: a customer disputes a payment, and the
// app reports the progress and the amount that is withheld from the merchant.
//
//	c, err := client.New(client.Config{…})
//	id, err := v1.Disputes(c).Create(ctx, orderID, transactionID, disputes.Input{…})
//	d, err := v1.Disputes(c).Get(ctx, orderID, transactionID, id)
//	err = v1.Disputes(c).Update(ctx, d,
//		disputes.Update{Status: disputes.StatusUnderReview, RetainedTotal: d.RetainedTotal})
//
// Packages v1 and unstable have disputes, v202503 does not.
//
// Store the id that Create returns: no endpoint lists disputes, and an app can read only its own. For the same
// reason, a creation is not retried automatically.
//
// # States
//
// A dispute starts in needs_response and ends in won or lost. [Transitions] returns this diagram as data, with the
// contract's conditions:
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
//	    │              won, lost: closed                      │
//	    └─────────────────────────────────────────────────────┘
//
// (1) A dispute can become insured at most once, and can leave that state for a review at most once. Insured means
// that the provider applied chargeback insurance and covered part or all of the disputed amount.
//
// A [Timeline] is the position of a dispute in this diagram. It returns the next possible states and checks an
// [Update] before it is sent. [Service.Update] performs this check automatically.
//
// # Money
//
// RetainedTotal is the amount that is withheld from the merchant now, without the fees of the chargeback. It is between
// 0.00 and the disputed amount. Every creation and every update must include it, even if it is unchanged. The examples
// of [Timeline] show typical sequences of the contract.
//
// # Guarantees
//
// Before anything is sent, an input that violates the contract is rejected. The error wraps client.ErrValidation and
// names the field, the value and the rule. Amounts are exact. Unknown JSON members and values are preserved.
// Everything is safe for concurrent use, as long as callers do not share values that they modify.
//
// # See also
//
// [Input] and [Update] are the bodies of requests, and [Dispute] is the record. [Reason] and [Transitions] hold the
// values of the contract. For payments, see package payments. The program examples/chargebacks imports a processor's
// file and never opens a dispute twice.
package disputes
