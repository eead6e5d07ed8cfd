package api

// Readings are the other answers to questions that the contract leaves open. The zero value has the answers for which
// the evidence is better. Apps should work under both.
type Readings struct {
	// EmptyList200 answers 200 [] to every empty list that is asked for without a page or with page=1, not only to
	// webhooks and lists below a record. Otherwise it is 404 "Last page is 0", which is known of orders and assumed of
	// other lists.
	EmptyList200 bool
	// UserIDNumber writes user_id in the answer of the token exchange as a number. The published form is text.
	UserIDNumber bool
	// TokenErrors400 answers 400 to a code or a client that the token exchange refuses, as RFC 6749 does. Otherwise the
	// error comes with 200, as programs of the platform read it.
	TokenErrors400 bool
	// PublishedShippingWords calls the shipping status of orders unshipped and shipped, as published examples do.
	// Otherwise they are unfulfilled and fulfilled, the words of the field table. The filter takes the latter in both.
	PublishedShippingWords bool
	// RepeatedCustomers204 ignores the customers of PUT /products/price-tables/{id}/customers that are in that table.
	// Otherwise they are a 409, as those in another table are.
	RepeatedCustomers204 bool
	// AbsentValuesEmpty takes a new custom field without values for one with an empty list. Otherwise it is a 422.
	AbsentValuesEmpty bool
}
