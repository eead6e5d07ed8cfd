package clienttest

// Readings are the other answers to questions that the contract leaves open. The zero value has the answers for which
// the evidence is better, and nobody knows which of the two the platform gives: run the tests of your app under both.
type Readings struct {
	// EmptyList200 answers 200 [] to an empty list that is asked for without a page or with page=1. Otherwise it is 404
	// "Last page is 0", which is known of orders and assumed of other lists. Package client reads both as no records.
	EmptyList200 bool
	// UserIDNumber writes user_id in the answer of the token exchange as a number; the published form is text.
	UserIDNumber bool
	// TokenErrors400 answers 400 to a code or a client that the token exchange refuses, as RFC 6749 does. Otherwise the
	// status is 200, and the member error says that there is no token. Package oauth reads both.
	TokenErrors400 bool
	// PublishedShippingWords calls orders unshipped and shipped, as published examples do, instead of unfulfilled and
	// fulfilled, the words of the contract. client.ShippingStatus.Common joins them. The filter takes the latter in
	// both.
	PublishedShippingWords bool
	// RepeatedCustomers204 accepts customers who are added to the price table that they are in. Otherwise that is a
	// 409, as for those in another table. PriceTableService.EnsureCustomers of package client works with both.
	RepeatedCustomers204 bool
}
