// Package sqljobs runs work of the app itself, such as a bulk change of 5,000 variants or a queue of labels, from jobs
// that are stored in a database of the app. Jobs survive the end of a process, show their progress and name the items
// that failed.
//
//	prices := &sqljobs.Queue{DB: db, Name: "prices", Do: func(ctx context.Context, b *sqljobs.Batch) error {
//		for _, item := range b.Items {
//			if err := setPrice(ctx, b.Store, item.Key, item.Value); err != nil {
//				b.Fail(item.Key, err)
//			}
//		}
//		return ctx.Err()
//	}}
//	err := prices.Migrate(ctx) // or appdb.Tables
//	go prices.Run(ctx)         // in all replicas
//	err = prices.Add(ctx, store, "winter sale", items...)
//
// A job belongs to a store, and [Queue.Add] adds items, even after the job has begun. [Queue.Progress], [Queue.Jobs]
// and [Queue.Failures] are for the page of a merchant or operator, and [Queue.Pause], [Queue.Resume] and [Queue.Retry]
// for its buttons.
//
// # Guarantees
//
//   - An item is run at least once. After a kill, the items of the batch in progress are run again, with a greater
//     [Item].Attempt. Statements of [Queue].OnEnd take effect exactly once for each item.
//   - One process at a time works on a job. It claims the job in the database, and renews the claim. If the process has
//     died, another one continues within 30 seconds. If a process is too slow to renew its claim, the context of Do
//     ends.
//   - An unavailable platform or database (client.Unavailable) and the rate limit use up no attempts. The item waits,
//     or the job if no item of the batch is done. After 100 such waits in a row, about two days, an item has failed.
//   - If Do fails as a whole, panics, takes longer than [Queue].Limit or ends its process, each item of the batch is
//     run alone next. So one item costs the others no attempt. An item that was run alone and left unfinished has used
//     up an attempt. That includes an item whose process lost the database, because the queue cannot distinguish such a
//     process from a dead one.
//   - Stores do not delay each other, as in all loops of this module over stores. The jobs of a store take turns.
//   - When Run ends, another process can take the items of an interrupted batch immediately.
//   - Progress is always exact, and takes the same time for jobs of any size. The row of a job has the numbers of its
//     items, and changes in the transactions that change the items. Do not change rows by hand.
//
// Jobs are deleted when they have been over for [Queue].Keep. So work that never ends, such as labels, should have a
// job for each day.
//
// # See also
//
// Package client/multistore connects a Queue to an app (App.Jobs), and package webhook/inboxops shows it to operators.
// The program examples/flagship replaces a tag in all products of a store.
package sqljobs
