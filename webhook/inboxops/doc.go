// Package inboxops is a page, a JSON API and a command for the operators of an inbox of webhooks. They show its
// entries, and replay and purge dead ones.
//
//	ops := &inboxops.Handler{Inbox: inbox}
//	http.Handle("/ops/", http.StripPrefix("/ops", ops)) // on a listener of loopback, or with Allow and Hosts
//
// In the main function of the program, so that "myapp inbox dead" works:
//
//	if len(os.Args) > 1 && os.Args[1] == "inbox" {
//		os.Exit(inboxops.Main(ctx, inbox, os.Args[2:], os.Stdout, os.Stderr))
//	}
//
// The inbox must implement webhook.Browser and webhook.DeadLetters. The engines webhook/sqlite, webhook/postgres and
// webhook/inboxmem do.
//
// # Content
//
// The page shows figures over time, with the greatest value of each and the time that it covers. The rates of arrivals
// and of handled entries are those of this process. Groups of entries with the same state, event and cause follow,
// problems first. Causes are grouped without the ids in them (webhook.CauseGroup). A group leads to its entries, and an
// entry to its last failed attempts with their errors, its times and its trace. Entries are also found by their store,
// event and the id of their record. Bodies are shown on request; bodies of privacy requests never are.
//
// All functions work without JavaScript and by keyboard. Groups and figures of large inboxes are counted in the
// background, and the page shows their age.
//
// # JSON API
//
// The calls below are in the same place as the page, so the first is GET /ops/api/overview in the example above. They
// answer with the content of the pages as JSON, and with an error as {"error": …}.
//
//	GET /api/overview   figures, groups and stores; store selects one store
//	GET /api/entries    entries, in pages; limit is 1 to 500 (default 50), and after is next of the page before it
//	GET /api/entry      the entry with a key; body=1 adds its body
//	GET /api/count      how many dead entries a replay or purge (do) would change, and the time of the count
//	POST /api/replay    replays the dead entries of a count, or one entry
//	POST /api/purge     deletes them
//	GET /api/jobs       the queues with their jobs
//	GET /api/job        the job with a queue, store and job
//
// The parameters state, event, store, record, cause, prefix, older and until select entries. Of these, count counts the
// dead ones, and replay and purge change them. A POST sends the parameters in a JSON body, with n and until of the
// answer to the count. To change one entry, send its key in the member key, and its died_at in the member died. The
// answer is {"done": …}. If one request was not enough, the answer also has the member next. Repeat the call with that
// value in the member after, and with n reduced by the value of done.
//
// # Installations
//
// With Handler.Judge set, the overview lists the stores that refuse the app's token, how often and since when. It also
// shows an outage of the platform's authorization, during which no installation is considered ended.
//
// # Loops
//
// With Handler.Visits set, the overview lists for each loop, such as a sweep, the stores whose last visit failed, with
// the times of the last success and the last failure.
//
// # Jobs
//
// With Handler.Queues set, a page lists the jobs of the app with their progress, unfinished jobs first. The page of a
// job names its failed items and why they failed. It can pause and continue the job, and retry failed items.
//
// # Replay and purge
//
// Each requires a confirmation that states the number of entries. It applies to the entries that were dead when they
// were counted. Entries that die later or change are skipped. A purge of a group never deletes privacy
// requests. If one request is not enough, the page shows the progress and asks whether to continue. After a replay of
// a group it counts how many of the entries are still pending.
//
// # Security
//
// Anybody who may open the page may see the bodies of deliveries and delete dead entries. By default only programs of
// the same machine may. A request through a proxy is rejected, because a proxy gives every client a loopback address.
// Set Allow to a function that authenticates, and Hosts to the names of the page. Requests for other hosts (421) and
// posts from other sites (403) are rejected, answers are not cached, and the page runs no script but its own.
//
// # Guarantees
//
// No group of entries changes before an operator has confirmed the number of its entries. A purge of a group leaves
// privacy requests out, and their bodies are never shown.
//
// # See also
//
// docs/runbook.md of package webhook describes the commands. Package webhook has the Browser that this package shows.
package inboxops
