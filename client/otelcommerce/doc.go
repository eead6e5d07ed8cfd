// Package otelcommerce creates OpenTelemetry traces and metrics for an app that uses this SDK. It covers the calls of
// package client, the handlers of webhook, discounts, discounts/rules, shipping and payments, and the worker, sweep and
// inbox of webhooks.
//
// It is a module of its own and requires only the API of OpenTelemetry. The app chooses the SDK of OpenTelemetry and
// the exporter.
//
//	var telemetry otelcommerce.Telemetry     // the global providers
//	telemetry.InstrumentClient(&config)      // client.Config, before client.New
//	telemetry.InstrumentWebhooks(&hooks)     // webhook.Handler, before it serves
//	telemetry.InstrumentWorker(&worker)      // webhook.Worker, before it runs
//	telemetry.InstrumentSweep(&sweep)        // webhook.Sweep
//	telemetry.InstrumentDiscounts(&carts)    // discounts.Handler
//	telemetry.InstrumentRules(&rule)         // rules.Handler
//	telemetry.InstrumentRates(&rates)        // shipping.Handler
//	telemetry.InstrumentLabels(&labels)      // shipping.LabelHandler
//	telemetry.InstrumentPayments(&common)    // payments.Callback
//	telemetry.InstrumentRefresh(&refresh)    // payments.RefreshHandler
//	telemetry.InstrumentReview(&review)      // payments.ReviewHandler
//	stop := telemetry.InstrumentInbox(inbox) // and stop() before the inbox is closed
//
// [Telemetry.Instrument] calls these methods for the parts that it is given. InstrumentJudge, InstrumentVisits and
// InstrumentJobs are for the judge, the loops over stores and the queues of jobs.
//
// Hooks that the app has set before are called too, within the span. A hook that the app sets later replaces the hook
// of this package.
//
// # The trace of an order
//
// The span of a request is a server span, or an internal span below a span of the app, for example of otelhttp. Its
// trace is stored with the entry of the delivery ([webhook.Entry].Trace). The run of the entry is a child of that span,
// even in another process or much later. Calls of the API in the handler are children of the run. So one trace shows
// the delivery, each attempt, and each call. The span of a run has the key of its entry, which contains the id of the
// order, as messaging.message.id.
//
// An entry that arrives again before its run gets the trace of the last arrival. An entry that a sweep has found has
// its own trace, which links to the sweep. With Telemetry.SeparateRuns, runs only link to their deliveries, for
// backends that evaluate a trace a few seconds after it began.
//
// No trace context is read from requests, unless Telemetry.Incoming is set. None is sent to the platform, unless
// Telemetry.Propagator is set.
//
// # Spans
//
// EVENT is an event such as order/paid, METHOD and PATH are those of an endpoint. If such a value is unknown, the
// span's name does not have the part in upper case. Empty attributes are omitted.
//
//	call METHOD PATH (internal): a call, with its waits and the decoding
//	    http.request.method, url.template, commerce.api.version, commerce.store.id, commerce.requests,
//	    commerce.rate_limit.wait, http.response.status_code, error.type
//	METHOD PATH (client): a request of a call
//	    http.request.method, url.template, server.address, server.port, http.request.resend_count, commerce.attempt,
//	    commerce.response.size, commerce.rate_limit.limit, commerce.rate_limit.remaining, commerce.rate_limit.wait,
//	    commerce.request.id, commerce.retry.wait, http.response.status_code, error.type
//	receive EVENT (server): a request to webhook.Handler
//	    commerce.callback, http.request.method, commerce.event, commerce.store.id, commerce.outcome,
//	    commerce.request.size, messaging.message.id, http.response.status_code, error.type, commerce.refused.reason
//	process EVENT (consumer): a run of webhook.Worker
//	    messaging.system, messaging.operation.type, messaging.operation.name, messaging.message.id, commerce.event,
//	    commerce.store.id, commerce.attempt, commerce.webhook.deliveries, commerce.outcome, error.type,
//	    commerce.retry.wait, commerce.webhook.dropped, commerce.webhook.purged
//	sweep EVENT (internal): a list that webhook.Sweep reads; a child of a span in the context of Run or Store
//	    commerce.event, commerce.store.id, commerce.outcome, commerce.sweep.entries, error.type
//	found EVENT (producer): an entry that a sweep has found
//	    messaging.system, messaging.operation.type, messaging.operation.name, commerce.event, commerce.store.id
//	answer discounts TIER (server): a request to discounts.Handler
//	    commerce.callback, http.request.method, commerce.discounts.tier, commerce.store.id, commerce.cart.id,
//	    commerce.discounts.commands, commerce.outcome, http.response.status_code, error.type, commerce.refused.reason
//	answer rules DOMAIN (server): a request to rules.Handler
//	    commerce.callback, http.request.method, commerce.rules.domain, commerce.store.id, commerce.cart.id,
//	    commerce.rules.command, commerce.outcome, http.response.status_code, error.type, commerce.refused.reason
//	answer shipping rates (server): a request to shipping.Handler
//	    commerce.callback, http.request.method, commerce.store.id, commerce.carrier.id, commerce.shipping.rates,
//	    commerce.outcome, http.response.status_code, error.type, commerce.refused.reason
//	answer shipping labels ACTION (server): a request to shipping.LabelHandler
//	    commerce.callback, http.request.method, commerce.shipping.action, commerce.store.id, commerce.shipping.labels,
//	    commerce.shipping.labels.failed, commerce.outcome, http.response.status_code, error.type,
//	    commerce.refused.reason
//	answer payment CALL (server): a request to a handler of payments
//	    commerce.callback, http.request.method, commerce.payments.call, commerce.store.id, commerce.order.id,
//	    commerce.payments.attempt.id, commerce.payments.transaction.id, commerce.outcome, http.response.status_code,
//	    error.type, commerce.refused.reason
//
// # Metrics
//
// No attribute of a metric is an id, a store or a value from a request, so the number of series does not depend on the
// number of stores and records. Watch the metrics that are marked with ! in this list.
//
//	http.client.request.duration (s): requests to the API
//	    http.request.method, url.template, server.address, server.port, http.response.status_code, error.type
//	commerce.client.call.duration (s): calls of the API
//	    http.request.method, url.template, server.address, server.port, http.response.status_code, error.type
//	commerce.client.rate_limit.wait (s): time that waiting calls spent on the rate limit
//	    server.address, server.port
//	commerce.client.rate_limit.remaining ({request}): requests left in the platform's bucket after an answer
//	    commerce.rate_limit.tier
//	commerce.client.resends ({request}): requests that were retried
//	    http.request.method, url.template, server.address, server.port, http.response.status_code, error.type
//	commerce.client.breaker.rejections ({call}): ! calls that an open circuit rejected
//	    http.request.method, url.template, server.address, server.port
//	commerce.callback.duration (s): ! answers to the platform; watch the outcomes failed and unanswered, and 503
//	    commerce.callback, commerce.event, commerce.discounts.tier, commerce.rules.domain, commerce.shipping.action,
//	    commerce.payments.call, commerce.outcome, http.response.status_code, error.type
//	commerce.callback.limit.utilization (1): ! used part of the platform's time limit; watch values near 1
//	    commerce.callback
//	commerce.callback.refusals ({request}): ! rejected requests; all of them if a secret or address is wrong
//	    commerce.callback, commerce.refused.reason
//	commerce.shipping.health.changes ({change}): ! changes of a carrier's circuit at the platform; watch open
//	    commerce.shipping.health
//	messaging.process.duration (s): runs of webhooks
//	    messaging.system, messaging.operation.name, commerce.event, commerce.outcome, error.type
//	commerce.webhook.run.lag (s): ! age of an entry when its first attempt began, and again after each wait
//	    commerce.event
//	commerce.webhook.run.attempts ({attempt}): attempts of an entry until it was handled, dropped or dead
//	    commerce.event, commerce.outcome
//	commerce.webhook.dead ({entry}): ! dead-lettered entries, by the worker, or by the handler on arrival
//	    commerce.event
//	commerce.webhook.sweep.duration (s): lists that were read
//	    commerce.event, commerce.outcome, error.type
//	commerce.webhook.sweep.entries ({entry}): changed records that sweeps have found
//	    commerce.event
//	commerce.authorization.outage (s): ! time for which the platform has been refusing the tokens of many stores
//	commerce.installation.refused ({store}): stores that refuse the app's token
//	    commerce.installation.access
//	commerce.loop.stores ({store}): ! stores that a loop over all stores visits; watch failing
//	    commerce.loop, commerce.loop.result
//	commerce.loop.oldest (s): ! the longest time since a store's last success, of stores that had one
//	    commerce.loop
//	commerce.inbox.entries ({entry}): entries of the inbox by state
//	    commerce.inbox.state
//	commerce.inbox.oldest (s): ! age of the oldest pending entry
//	commerce.inbox.oldest_protected (s): ! age of the oldest privacy request
//	commerce.inbox.log.size (By): size of the log of writes of webhook/sqlite
//	commerce.jobs.items ({item}): ! items of the jobs of a queue by state; watch failed
//	    commerce.jobs.queue, commerce.jobs.state
//
// # Attributes
//
// Attributes that do not begin with commerce. come from the semantic conventions. The attribute url.full is omitted,
// because it would contain ids and queries. Paths and routes of requests to handlers are omitted too, because they may
// contain a token.
//
//	commerce.api.version              the version of the API
//	commerce.attempt                  the number of the attempt of a call or an entry
//	commerce.callback                 webhook, discounts, rules, shipping_rates, shipping_labels or payments
//	commerce.carrier.id               the carrier
//	commerce.cart.id                  the cart
//	commerce.discounts.commands       the number of commands in the answer
//	commerce.discounts.tier           line_item or cross_items
//	commerce.event                    the event; "_OTHER" if it is not one of webhook.Events
//	commerce.inbox.state              pending (includes due and leased), due, leased, done or dead
//	commerce.installation.access      doubtful, or gone if the refusals suffice to retire the token (client.ActRetire)
//	commerce.jobs.queue               the name that InstrumentJobs was given
//	commerce.jobs.state               done, failed, waiting, or paused if its job is
//	commerce.loop                     the name that InstrumentVisits was given
//	commerce.loop.result              good or failing, of the last visit of a store
//	commerce.order.id                 the order
//	commerce.outcome                  see below
//	commerce.payments.attempt.id      the attempt to pay
//	commerce.payments.call            process, cancel, status, refund, refresh or review
//	commerce.payments.transaction.id  the transaction
//	commerce.rate_limit.limit         the size of the platform's bucket
//	commerce.rate_limit.remaining     the requests left in it
//	commerce.rate_limit.tier          standard for a bucket of 40 requests, large for larger ones
//	commerce.rate_limit.wait          seconds that the call or the request waited for the rate limit
//	commerce.refused.reason           a client.RefusedReason
//	commerce.request.id               the platform's id of a request
//	commerce.request.size             bytes of a delivery
//	commerce.requests                 the number of requests of a call, unless it is 1
//	commerce.response.size            bytes of an answer's body, decompressed
//	commerce.retry.wait               seconds until the next attempt
//	commerce.rules.command            the command in the answer, such as block_checkout
//	commerce.rules.domain             payments, shipping, location or cart
//	commerce.shipping.action          generate, cancel, suspension or reactivate
//	commerce.shipping.health          a shipping.HealthState
//	commerce.shipping.labels          the number of labels
//	commerce.shipping.labels.failed   the number of labels that the app does not process
//	commerce.shipping.rates           the number of rates in the answer
//	commerce.store.id                 the store
//	commerce.sweep.entries            the number of found entries
//	commerce.webhook.deliveries       the number of deliveries that a run handles
//	commerce.webhook.dropped          the number of entries that a run dropped, because the app is not installed
//	commerce.webhook.purged           the number of dead entries that a run deleted
//
// Outcomes of a request:
//
//   - for deliveries, the outcomes of [webhook.Answer]
//   - for the other handlers ran, declined (the app's function refused), failed, refused and unanswered
//   - for discounts also remembered and uninstalled
//   - for rates the values of [shipping.Source] instead of ran
//   - for payments also joined and replayed
//
// Outcomes of a run: done, again (it arrived again during the run), retry, waits, dead, dropped (the app is no longer
// installed), lost (the lease), and unsettled. An unsettled run was returned because the process ends, or its end could
// not be stored.
//
// Outcomes of a sweep: read, failed, suspended, stopped.
//
// A path of [client.Client.Do] with values instead of placeholders is reduced to a template. A segment becomes {value}
// unless it consists of lower-case letters, "-" and "_". After 512 templates, all others are "_OTHER".
//
// # Errors
//
// The attribute error.type of a call is the status of the platform's answer, or one of:
//
//   - "no_answer", "rate_limited" (the wait would have been too long), "circuit_open"
//   - "canceled", "deadline_exceeded", "decode", "invalid_request"
//
// For handlers, runs and sweeps it may also be:
//
//   - "panic", "late", "busy", "full", "timeout", "lease_lost", "draining", "gone", "stale", "unknown_store"
//   - "unknown_event", "unhandled", "malformed", "invalid_answer", "partial", "dropped", "no_promotions"
//   - "in_progress" and "permanent"
//
// Each except "panic" and "invalid_answer" is the name of an error of the handler's package or of webhook, such as
// [webhook.ErrStale] and shipping.ErrPartial, and "invalid_answer" is ErrInvalid. "dropped" is discounts.ErrDropped or
// shipping.ErrDropped, a discount or a rate that was left out, and not the outcome of a run.
//
// All other errors are "_OTHER". The description of a span's status is the text of the error for "no_answer" and
// "decode", and empty otherwise. Messages of the platform may name customers, and errors of the app may contain
// anything. A refused request has no error.type, because anyone can send one. Like each request, it has a span; sample
// them if strangers send many.
//
// # Guarantees
//
// Every span is ended, even if a handler panics, its lease is lost or its worker is stopped. The spans of a killed
// process are lost; the next run of the entry is part of the same trace. This package starts no goroutine, so the app's
// Shutdown of its providers exports all ended spans. Call Shutdown after Worker.Run has returned. No secret, query or
// body reaches a span or a metric, and no key of a privacy request.
//
// # See also
//
// docs/production.md of package webhook lists the metrics that require an alert. Config.OnAttempt and the hooks of the
// handlers are for other systems of traces and metrics.
package otelcommerce
