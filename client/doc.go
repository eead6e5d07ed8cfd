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
// A process that serves many stores gets its clients from [Stores].
//
// # Lists
//
// List does no I/O. The [List] it returns is asked page by page or as a whole:
//
//	for p, err := range api.Products.List(client.ProductFilter{Published: client.Set(true)}).All(ctx) { … }
//
// # Values
//
// [Money] is exact and keeps its scale. [Text] is keyed by language. [Time] and
// [ID] read every form that the platform prints. In inputs [Opt] tells absent,
// null and value apart.
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
// # Failures
//
// Every failed call is an [*Error]; errors.Is finds the sentinels of this package
// in it. The platform knows no idempotency keys, so a write is repeated only
// where that is safe, or where nothing of it was sent. If a write may have been
// applied although no good answer came, the error is [ErrOutcomeUnknown]: read
// before you repeat it.
//
// # What to rely on
//
// Everything is safe for concurrent use. Redirects are never followed and the
// token goes to the configured origin only. Answers are bounded in size and a
// truncated answer is never a value. The rate limit is respected before it is
// hit. Secrets do not appear in errors, logs or printed values.
//
// Applications test against [github.com/commerceplatform/commerce-go/client/clienttest].
package client
