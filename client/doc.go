// Package client calls the JSON API of a multi-store commerce platform. It has typed services, exact amounts, lists
// that fetch their pages automatically, and retries that never create a record twice.
//
// # First call
//
// A [Client] is one app acting on one store. The packages v1, v202503 and unstable have a function for each
// service of one version of the API:
//
//	c, err := client.New(client.Config{
//		BaseURL:   "https://api.example.com",
//		StoreID:   123,
//		Token:     client.StaticToken(token),
//		UserAgent: "My App (dev@my.app)",
//	})
//	p, err := v202503.Products(c).Get(ctx, 42)
//
// A process that serves many stores gets their clients from [Stores].
//
// # Lists
//
// A List method sends nothing. The [List] it returns reads single pages or all records:
//
//	for p, err := range v202503.Products(c).List(client.ProductFilter{Published: client.Set(true)}).All(ctx) { … }
//
// [Copy] mirrors all records of one kind into a database of the app. [Copies] runs the copies of all stores.
//
// # Values
//
// [Money] is exact and preserves its scale. [Text] is keyed by language. [Time] and [ID] read every form that the
// platform prints.
//
// A member of an input is an [Opt] if its zero value or null can be meant, such as a price of 0 or an empty note. [Set]
// sends a value, [Null] sends null, and a member that is not set is not sent. All other members are plain, and their
// zero value is not sent. In both kinds, amounts, dates and enumerations have types of their own.
//
// A value in an unexpected form is converted. Numbers are read from strings, strings from numbers, and bools from 0 and
// 1. An empty string is nil in a pointer field. [Config].OnDrift is called for each converted value. An amount that
// would have to be rounded is an error, and so is a null in a list of records.
//
// Four members have the same meaning in every record: ID, CreatedAt, UpdatedAt and Extra. The platform assigns ID.
// CreatedAt and UpdatedAt are the times of the creation and of the last change, by the platform's clock.
// [List.UpdatedSince] selects by UpdatedAt. JSON members without a struct field are kept unchanged in [Extra], and are
// written back with the record.
//
// Unless the comment of a field describes its zero value, the zero value means that the platform reported none. It is
// an empty text, 0, false, or nil. Enumerations are texts, so that values of later versions are preserved. Their Known
// method reports whether the contract names the value.
//
// In the comments of all packages, [inferred] marks a statement that the contract does not make.
//
// # Services
//
// List, Get, Create, Update and Delete have the same meaning in all services. List selects records and sends nothing
// yet. Get returns one record, with all its members unless fields are named. Create returns the new record as the
// platform reports it. Update changes the members that are present in its input, and leaves the others unchanged.
// Delete removes a record and everything that belongs to it alone. Other operations have verbs of their own, such as
// Replace, Prioritize and Confirm. The comment of a service states the scope that it requires and the versions that
// have it. A write scope includes the read scope.
//
// # Failures
//
// A call that was sent and failed returns an [*Error]. If nothing was sent, because the input is invalid, the circuit
// is open or the wait would be too long, the error can have another type. errors.Is finds the sentinels of this package
// in both:
//
//	ErrValidation       the input is invalid: rejected before it was sent, or by a 400 or 422
//	ErrNotFound         404: the record does not exist, or belongs to another app
//	ErrUnauthorized     401: the token is not valid any more; a later installation has a new one
//	ErrForbidden        403: a scope or a feature of the store is missing
//	ErrPaymentRequired  402: the merchant has not paid
//	ErrRateLimited      429, or the wait would be too long; see Error.RetryAfter
//	ErrServer           5xx
//	ErrIntermediary     a proxy or gateway answered 401, 404 or another such status instead of the platform
//	ErrNoAnswer         the platform could not be reached, the connection was cut, or an attempt took too long
//	ErrCircuitOpen      the endpoint or the origin has failed too often recently, and nothing was sent
//	ErrOutcomeUnknown   a write may have been applied
//	ErrNotInVersion     the version lacks something that the input requires; nothing was sent
//
// The errors for 400, 401, 402, 403, 404, 409, 422 and 429 require a response in a form that the contract describes.
// Other responses with these statuses, such as an HTML page, an empty body or {"message": "no Route matched"}, are
// [ErrIntermediary]. They do not show that a record is missing, that a list is empty or that a token is invalid. So
// compare errors with errors.Is, and not by Error.Status.
//
// A 409 (a conflict with another record) has no sentinel, because what to do depends on the endpoint: read the record
// that exists already. Check that Error.Status is 409 and the error is not ErrIntermediary. A method with an error of
// its own for 409 names it, such as [PriceTableConflictError].
//
// ErrRateLimited, ErrServer, ErrIntermediary, ErrNoAnswer and ErrCircuitOpen are transient: the same call may succeed
// later. An open circuit lets calls through again after ten seconds. For a write, check ErrOutcomeUnknown first,
// because errors.Is can report it together with the others. If the caller's own context ends, errors.Is finds that
// error and its context.Cause, and none of these five. The same holds for an error of Config.Token. If a write may have
// been sent by then, errors.Is also finds ErrOutcomeUnknown.
//
// The platform has no idempotency keys. Therefore a write is retried only where that is safe, or if nothing of it was
// sent. If a write may have been applied but no usable response arrived, the error is [ErrOutcomeUnknown]. Read the
// record before you repeat such a write. CreateOrGet methods do so for creates that have a unique key, and [Once] does
// so for other creates.
//
// # States of an order
//
// An order has three states at the same time. The methods of [OrderService] change its status:
//
//	┌──────┐   Close   ┌────────┐
//	│ open │──────────►│ closed │
//	│      │◄──────────│        │
//	└──┬───┘   Open    └───┬────┘
//	   │       Cancel      │
//	   └─────────┬─────────┘
//	             ▼
//	       ┌───────────┐
//	       │ cancelled │  permanent
//	       └───────────┘
//
// Its payment status follows from the events of its transactions, which payment apps report (package payments). The
// words in brackets are events that succeeded. The diagram leaves out abandoned, which means that the customer did not
// complete the payment:
//
//	┌─────────┐ [authorization] ┌────────────┐  [void]  ┌────────┐
//	│ pending │────────────────►│ authorized │─────────►│ voided │
//	└────┬────┘                 └─────┬──────┘          └────────┘
//	     │ [sale]                     │ [capture]
//	     ├────────────────────────────┤
//	     ▼ less than the total        ▼ the total
//	┌────────────────┐            ┌──────┐
//	│ partially_paid │───────────►│ paid │
//	└───────┬────────┘            └──┬───┘
//	        │ [refund]               │ [refund]
//	        ├────────────────────────┤
//	        ▼ a part                 ▼ all of it
//	┌────────────────────┐      ┌──────────┐
//	│ partially_refunded │─────►│ refunded │
//	└────────────────────┘      └──────────┘
//
// Its shipping status is derived from its fulfillment orders, which [FulfillmentOrderService.Update] changes. Words in
// brackets are the names in version v1, which also uses the synonyms unshipped for unfulfilled and shipped for
// fulfilled. [ShippingStatus.Common] replaces the synonyms, and leaves packed as it is:
//
//	unpacked ──► partially_packed ──► packed ──► partially_fulfilled ──► fulfilled ──► delivered
//	           some are packed      [unfulfilled]  some are sent off    [fulfilled]
//	           ◄── unpacked again ──┘
//
// The state in_preparation has the same place as unpacked, and means that the merchant has begun to prepare the order.
// The contract names the states of an order but not the transitions. The diagrams show the transitions of the reference
// server.
//
// # Visibility of a category
//
// An app sets VisibilityVisible and VisibilityHidden. The platform assigns VisibilitySoftHidden to a visible category
// below one that is not visible:
//
//	┌─────────┐      set Hidden      ┌────────┐
//	│         │─────────────────────►│        │
//	│ visible │     set Visible      │ hidden │
//	│         │◄─────────────────────│        │
//	└──┬───▲──┘                      └────▲───┘
//	   │   │ no ancestor is hidden        │
//	   │   │ any more                     │
//	   ▼   │                              │
//	┌──────┴──────┐      set Hidden       │
//	│ soft-hidden │───────────────────────┘
//	└─────────────┘
//	   an ancestor became hidden
//
// A category that is set to VisibilityVisible below one that is not visible becomes soft-hidden immediately.
//
// # Memory use
//
// Records of one response share memory, but changing one never changes another. Short texts are cut from blocks of 2
// KiB. Values of pointer fields and short lists are cut from blocks of 1 KiB at most. A copied record therefore also
// keeps parts of its neighbours in memory, usually about as much as its own size. A program that keeps only one short
// text of each record, such as a SKU, should keep strings.Clone of it. Otherwise each such text can keep a whole block
// in memory.
//
// A pointer to a record of a list, as [List.All] yields it, keeps the whole page in memory. To keep a record for long,
// copy it.
//
// # Guarantees
//
// Clients, services and lists are safe for concurrent use. Records and inputs are plain values. Redirects are never
// followed, and the token is sent only to the configured origin. The size of responses is bounded, and a truncated
// response is never returned as a value. Calls wait before they exceed the rate limit, which they share with other
// processes of the app. Secrets do not appear in errors, logs or printed values.
//
// # See also
//
// Each resource is a file with its record, input, filter and service. Other tasks have types and packages of their own:
//
//   - Packages discounts, shipping, disputes and payments are for promotions, carriers, disputes and payments.
//   - Package webhook receives webhooks, and package oauth installs apps.
//   - [Once] makes creates that have no unique key idempotent. Package sqljournal stores its journal.
//   - [Stores] serves many stores, and [NewApp] acts without a store.
//   - [Client.Do] calls endpoints that have no method.
//   - [Config].OnAttempt observes calls and their requests. Package client/otelcommerce, a module of its own, turns
//     them into traces and metrics.
//   - Package [github.com/commerceplatform/commerce-go/client/clienttest] is the server that applications test against.
package client
