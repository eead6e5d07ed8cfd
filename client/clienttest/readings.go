package clienttest

// Readings select the other answers to questions that the contract leaves open. The zero value selects the more likely
// answers. The platform may behave in either way, so run the tests of your app with both.
type Readings struct {
	// EmptyList200 answers 200 [] to every empty list that is requested without a page or with page=1, not only to
	// webhooks and lists below a record. Otherwise the answer is 404 "Last page is 0", which is documented for orders
	// and assumed for other lists. Package client reads both as no records.
	EmptyList200 bool
	// UserIDNumber writes user_id in the answer of the token exchange as a number. The published form is text.
	UserIDNumber bool
	// TokenErrors400 answers 400 if the token exchange rejects a code or a client, as RFC 6749 does. Otherwise the
	// status is 200, and the member error describes why there is no token. Package oauth reads both.
	TokenErrors400 bool
	// PublishedShippingWords calls orders unshipped and shipped, as published examples do. Otherwise they are
	// unfulfilled and fulfilled, the words of the contract. client.ShippingStatus.Common maps both to one value. The
	// filter accepts the words of the contract in either case.
	PublishedShippingWords bool
	// RepeatedCustomers204 accepts customers who are added to the price table that they are in. Otherwise the answer is
	// 409, as for customers in another table. PriceTableService.EnsureCustomers of package client works with both.
	RepeatedCustomers204 bool
	// AbsentValuesEmpty accepts a new custom field without the member values, as if it were an empty list. Otherwise
	// the answer is 422, because the contract requires it. Package client always sends it.
	AbsentValuesEmpty bool
}
