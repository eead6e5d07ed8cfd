// Package inboxshards is an inbox over several inboxes, for an app whose deliveries outgrow one database server. Each
// store has one shard, so the order of a record and the deduplication of its deliveries stay as they are.
//
//	shard := func(name, url string) inboxshards.Shard {
//		return inboxshards.Shard{Name: name, Open: func(ctx context.Context) (inboxshards.Engine, error) {
//			return postgres.OpenURL(ctx, url, postgres.Options{})
//		}}
//	}
//	inbox, err := inboxshards.Open(ctx, inboxshards.Options{Shards: []inboxshards.Shard{
//		shard("a", "postgres://one.example/app"),
//		shard("b", "postgres://two.example/app"),
//	}})
//
// Use it wherever an inbox is used: in webhook.Handler, webhook.Worker, webhook.Sweep and inboxops.Handler.
//
// # What differs from one inbox
//
//   - Accept stores all entries of one store or none. After an error, entries of other shards may be stored.
//   - The stores of a shard take turns, and so do the shards. A store of a quiet shard therefore has more turns than
//     one of a busy shard.
//   - Fences of two stores cannot be compared: see webhook.Fence.
//   - An entry in a shard that is not its store's is added to the right one when it is due.
//   - A handler that calls webhook.CommitTx begins its transaction in the database of its shard: see [Inbox.InboxOf].
//
// # A shard that is down
//
// Only its stores are affected. Their deliveries are answered 503, and the platform delivers them again. A shard that
// fails five times in a row is called once a second until it answers, and Options.OnDown is called. Stats and Groups
// return the sums of the other shards with an error that names the shard. webhook.InboxAnswers fails only if no shard
// answers.
//
// A process also starts while a shard is down. [Open] waits for it for at most five seconds, and continues to open it
// every second, with its migrations. A shard with another error ends the start: its tables are of a later release, its
// database rejects the role, or its inbox is that of another shard. If such an error is found later, OnDown is called.
//
// # From two shards to four
//
// Shards are chosen by rendezvous hashing, so half of the stores stay where they are. Each process gets the new shards
// with a [Change], for example:
//
//		inboxshards.Options{
//			Shards: []inboxshards.Shard{a, b, c, d},
//			Change: &inboxshards.Change{Name: "2026-11 four shards", From: []string{"a", "b"}},
//		}
//
//	 1. Deploy it to all processes. Nothing moves yet.
//	 2. Call [Inbox.Move] with the list of stores, until it returns nil. It can be killed and called again, and two
//	    processes can call it concurrently. If it was killed, deliveries of the stores that it was moving are answered
//	    503 until it is called again. If a shard is down, its stores wait for the next call.
//	 3. After the longest Window of facts (72 hours by default), deploy without the Change. Until then, facts that the
//	    former shard has handled are looked up there.
//
// Move moves 64 stores at a time, in about six seconds if their entries are handled in that time. For five of these
// seconds their deliveries are answered 503. At the end, the same holds for stores that were installed during the move.
// No entry is lost or handled twice, and the entries of a record stay in order. Two limits are the same as in one
// inbox. A crash of a database server undoes the ends of the last runs, which are repeated (see webhook/postgres). An
// entry whose lease is given back, for example by a process that stops, may be overtaken.
//
// Facts with Window webhook.Forever stay in the former shard, so keep the Change as long as they matter. To have fewer
// shards, list the shards to be removed in Change.Leaving. The steps are the same.
//
// # Guarantees
//
// While the number of shards changes, no entry is lost, and none is handled twice or out of order, except within the
// two limits above. A shard that is down delays only its own stores.
//
// # See also
//
// docs/scale.md of package webhook has measurements. Packages webhook/sqlite and webhook/postgres are engines of a
// shard.
package inboxshards
