// Package sqlrates has a [Cache] that stores the answers of a [shipping.Handler] in the app's database, SQLite or
// PostgreSQL, through database/sql. So replicas share them:
//
//	cache := &sqlrates.Cache{DB: db}
//	if err := cache.Migrate(ctx); err != nil {
//		return err
//	}
//	rates := &shipping.Handler{Rates: quote, Shared: cache, …}
//
// A replica that has just started, or whose calls to the carrier fail, can then use the answer of another replica,
// subject to Handler.Fresh and Handler.Stale. The handler waits at most 200 ms for the database, and continues
// without it.
//
// The table has one row for each answer: a hash of the request, the rates as they were sent, and the expiry time. The
// clock of the database decides when a row expires, so the clocks of replicas do not matter. Later calls of Put delete
// a bounded number of expired rows at a time.
//
// # Guarantees
//
// The table is a cache, so it may be emptied at any time and requires no backup. It contains neither addresses nor
// carts.
//
// # See also
//
// Package shipping has the Handler that uses a Cache. Package client/appdb creates the table together with those of
// other packages.
package sqlrates
