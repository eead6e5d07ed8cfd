// Package client calls the JSON API of a multi-store commerce platform: typed
// services, exact amounts, lists that page themselves, and retries that never
// create anything twice.
//
// # First call
//
// A [Client] is one app acting on one store. The packages v1, v202503 and
// unstable show it at one version of the API:
//
//	c, err := client.New(client.Config{
//		BaseURL:   "https://api.example.com",
//		StoreID:   123,
//		Token:     client.StaticToken(token),
//		UserAgent: "My App (dev@my.app)",
//	})
//	api := v202503.New(c)
//	p, err := api.Products.Get(ctx, 42)
//
// A process that serves many stores gets its clients from [Stores], or their services from Stores of a version.
//
// # Lists
//
// List does no I/O. The [List] it returns is asked page by page or as a whole:
//
//	for p, err := range api.Products.List(client.ProductFilter{Published: client.Set(true)}).All(ctx) { … }
//
// [Copy] keeps a mirror of all records of one kind in a database of yours, and [Copies] runs those of all stores.
//
// # Values
//
// [Money] is exact and keeps its scale. [Text] is keyed by language. [Time] and
// [ID] read every form that the platform prints. In inputs [Opt] tells absent,
// null and value apart.
//
// A value in another form than its type does not cost the record: numbers are read from strings, texts from numbers,
// bools from 0 and 1, and the empty text is nil where a pointer is due. Config.OnDrift is called for each such value.
// An amount that would have to be rounded and a null in a list of records are errors.
//
// Four members recur and mean the same in every record. ID is given by the platform.
// CreatedAt and UpdatedAt are when the record was made and changed last, by the platform's clock; the
// second is what [List.UpdatedSince] goes by. [Extra] has the members that this package has no field
// for, as they were read, and is written back with the record.
//
// Where a comment on a field says nothing of zero, the zero value means that the platform did not tell: an empty
// text, 0, false, or nil. Enumerations are texts, so that a value of the future is kept; their Known method tells
// whether the contract names it.
//
// # Services
//
// List, Get, Create, Update and Delete mean the same everywhere. List selects records and sends nothing yet. Get
// returns one, with all members unless fields are named. Create returns the record as the platform made it. Update
// changes the members that are present in its input and keeps the rest. Delete removes a record, and with it what
// belongs to it alone. Other acts have verbs of their own: Replace, Prioritize, Confirm. The comment of a service says
// which scope it needs and which versions have it; writing implies reading.
//
// # Failures
//
// What was sent and failed is an [*Error]. What is refused here before it is sent is
// not, so look at what errors.As returns. errors.Is finds the sentinels of this
// package in either:
//
//	ErrValidation       the input is wrong; it was refused here and not sent, or by a 400 or 422
//	ErrNotFound         404: there is no such record, or it is another app's
//	ErrUnauthorized     401: the token is dead; a later installation has another one
//	ErrForbidden        403: a scope, or a feature of the store, is missing
//	ErrPaymentRequired  402: the merchant has not paid
//	ErrRateLimited      429, or the wait would be too long; Error.RetryAfter says how long
//	ErrServer           5xx
//	ErrNoAnswer         the platform could not be reached, the connection was cut, or an attempt took too long
//	ErrCircuitOpen      the endpoint or the origin has failed too often recently, and nothing was sent
//	ErrOutcomeUnknown   a write may have been applied
//	ErrNotInVersion     the input asks for what the version has not; nothing was sent
//
// ErrRateLimited, ErrServer, ErrNoAnswer and ErrCircuitOpen pass: the same call may succeed later, and a circuit lets
// calls through again after ten seconds. Of a write look for ErrOutcomeUnknown first, which is true beside them. The
// end of the caller's own context is found by errors.Is too, with its context.Cause, and is none of these. Nor is an
// error of Config.Token, which is found too.
//
// The platform knows no idempotency keys, so a write is repeated only
// where that is safe, or where nothing of it was sent. If a write may have been
// applied although no good answer came, the error is [ErrOutcomeUnknown]: read
// before you repeat it. For creates CreateOrGet does so where a key tells records
// apart, and [Once] for the others.
//
// # States of an order
//
// An order has three states at once. Its status is moved by the methods of [OrderService]:
//
//	┌──────┐   Close   ┌────────┐
//	│ open │──────────►│ closed │
//	│      │◄──────────│        │
//	└──┬───┘   Open    └───┬────┘
//	   │       Cancel      │
//	   └─────────┬─────────┘
//	             ▼
//	       ┌───────────┐
//	       │ cancelled │  for good
//	       └───────────┘
//
// Its payment status follows from the events of its transactions, which payment apps report (package payments); what
// is in brackets is the event that succeeded. Abandoned is an order whose customer gave up paying:
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
// Its shipping status is derived from its fulfillment orders, which [FulfillmentOrderService.Update] moves. Words in
// brackets are those of version v1. [ShippingStatus.Common] makes shipped and fulfilled equal, and unshipped and
// unfulfilled, but not packed and unfulfilled:
//
//	unpacked ──► partially_packed ──► packed ──► partially_fulfilled ──► fulfilled ──► delivered
//	           some are packed      [unfulfilled]  some are sent off    [fulfilled]
//	           ◄── unpacked again ──┘
//
// In_preparation stands beside unpacked: the merchant is at it. The contract names the states of an order and not the
// ways between them; these are the ways of the reference server.
//
// # Visibility of a category
//
// VisibilityVisible and VisibilityHidden are set. The platform gives VisibilitySoftHidden to a visible category below
// one that is not visible:
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
// A category that is set VisibilityVisible below a category that is not becomes soft-hidden at once.
//
// # Records that are kept
//
// Records of a response share memory, and nothing else: a change of one does not change another. Short texts are cut
// from blocks of 2 KiB, and values behind pointers and short lists from blocks of 1 KiB at most. A program that keeps
// a copy of a record therefore also keeps small pieces of its neighbours, about as much again as the record. A program
// that keeps one short text of each record, such as a SKU, should keep strings.Clone of it: it would keep 2 KiB for
// each.
//
// A pointer to a record of a list, as [List.All] yields it, keeps the whole page. Copy the record to keep it for long.
//
// # Where the rest is
//
// Each resource is a file: its record, input, filter and service. Promotions, carriers, disputes and payments have
// packages of their own (discounts, shipping, disputes, payments), webhooks are received with package webhook, and apps
// are installed with package oauth. [Once] makes creates that no key protects and package sqljournal keeps its journal,
// [Stores] serves many stores, [NewApp] acts without one, [Client.Do] reaches endpoints without a method.
// Config.OnAttempt observes calls and their requests, and package client/otelcommerce, a module of its own, makes
// traces and metrics of them. Applications test against [github.com/commerceplatform/commerce-go/client/clienttest].
//
// # What to rely on
//
// Everything is safe for concurrent use. Redirects are never followed and the
// token goes to the configured origin only. Answers are bounded in size and a
// truncated answer is never a value. The rate limit is respected before it is
// hit, and shared with other processes of the app. Secrets do not appear in errors, logs or printed values.
package client
