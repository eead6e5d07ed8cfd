// Package sqlrates keeps the answers of shipping.Handler in a database of the app, SQLite or PostgreSQL, through
// database/sql, so that replicas share them:
//
//	cache := &sqlrates.Cache{DB: db}
//	if err := cache.Migrate(ctx); err != nil {
//		return err
//	}
//	rates := &shipping.Handler{Rates: quote, Shared: cache, …}
//
// A replica that has just started, or whose calls to the carrier fail, then gives the answer that another one has
// fetched, as long as Handler.Fresh and Handler.Stale allow. The handler waits 200 ms for the database at most, and
// goes on without it.
//
// The table has a row for each answer: a hash of the request, the rates as they were sent, and when the row may be
// deleted. No address and no cart is in it. Rows whose time has passed are deleted by later calls of Put, a bounded
// number at a time. It is a cache, so it may be emptied at any time, and needs no backup.
package sqlrates
