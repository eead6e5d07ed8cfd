// Package providers has the payment providers of an app, the payment options of a store, and the transactions of its
// orders. Package payments answers the platform's calls to payment apps, and has the cashier.
//
//	id, err := v202503.PaymentProviders(c).Create(ctx, providers.ProviderInput{…})
//	tx, made, err := v202503.Transactions(c).CreateOrGet(ctx, orderID, providers.TransactionInput{…})
//	event, _, err := v202503.Transactions(c).CreateEventOrGet(ctx, orderID, tx.ID, providers.EventInput{…})
//
// [ProviderService], [OptionService] and [TransactionService] are the types of v202503.PaymentProviders,
// v202503.PaymentOptions and v202503.Transactions. The platform computes the payment status of an order from the events
// of its transactions, so a successful sale or capture marks the order as paid.
//
// Secrets of an [Authentication] are sent to the platform and are printed as [redacted]. Errors never repeat them. The
// package does not depend on package payments, so a program that only reads transactions compiles no cashier.
//
// # Guarantees
//
// All services are safe for concurrent use. Members, values and states that this package does not know are kept.
// Invalid input is rejected before a request is sent, with the field, the value and the rule.
//
// # See also
//
// Package [github.com/commerceplatform/commerce-go/payments] answers the calls of the platform.
package providers
