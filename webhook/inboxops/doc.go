// Package inboxops shows what is in an inbox of webhooks to the people who operate it, and replays and purges dead
// entries: as a page, as JSON and as a command.
//
//	ops := &inboxops.Handler{Inbox: inbox}
//	http.Handle("/ops/", http.StripPrefix("/ops", ops)) // on a listener of loopback, or with Allow and Hosts
//
// and in the program's main, so that "myapp inbox dead" works:
//
//	if len(os.Args) > 1 && os.Args[1] == "inbox" {
//		os.Exit(inboxops.Main(ctx, inbox, os.Args[2:], os.Stdout, os.Stderr))
//	}
//
// The inbox must implement webhook.Browser and webhook.DeadLetters, as those of webhook/sqlite, webhook/postgres and
// webhook/inboxmem do.
//
// # Content
//
// Figures over time, and groups of entries that have state, event and cause in common, problems first. Causes are
// grouped without the ids in them (webhook.CauseGroup). A group leads to its entries, and an entry to its attempts,
// times and trace. Bodies are shown when asked for, and those of requests of data protection never.
//
// Everything works without script and by keyboard. Groups and figures of large inboxes are counted in the background,
// and the page says how old they are.
//
// # Replay and purge
//
// Each needs a confirmation that names the number of entries. It is about the entries that were dead when they were
// counted: an entry that dies later is left alone, and so is one that changes. Requests of data protection are never
// purged with a group.
//
// # Security
//
// Everybody who may open the page may see the bodies of deliveries and delete dead entries. By default only programs of
// the same machine may, and a request that came through a proxy is refused, because a proxy makes everybody loopback.
// Set Allow to a function that authenticates, and Hosts to the names of the page. Requests for other hosts (421) and
// posts from other sites (403) are refused, answers are not cached, and the page runs no script but its own.
package inboxops
