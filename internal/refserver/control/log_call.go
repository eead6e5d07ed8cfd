package control

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/label"
	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/rules"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// exchange is a request and its answer.
type exchange struct {
	at          time.Time
	method, url string
	request     any // as they are shown
	status      int
	answer      any
	took, wait  time.Duration
	reason      string
	wire        delivery.Wire
	decidedBy   string
	resent      bool
}

// Bounds of what an entry says about causes.
const (
	mostCaused = 100
	mostNear   = 1000 // entries that are compared with each other
)

// entryOf answers one entry whole.
func entryOf(c *call) (any, error) {
	e, err := c.entry()
	if err != nil {
		return nil, err
	}
	now, names := c.server.Clock().Now(), c.nameCache()
	out := showEntry(e, now, names)
	calls, detail := []exchange(nil), any(nil)
	record, kept := e.Source(e.Key)
	if kept {
		calls, detail = c.exchanges(record)
	}
	if r, ok := record.(traffic.Request); ok {
		kept = !r.Stripped
	}
	attempts := []any{}
	for i, x := range calls {
		attempts = append(attempts, showExchange(x, i+1))
	}
	out["attempts"], out["detail"], out["forgotten"] = attempts, detail, !kept
	cause, caused, more := c.causes(e)
	out["cause"] = nil
	if cause != nil {
		out["cause"] = showEntry(*cause, now, names)
	}
	list := []any{}
	for _, one := range caused {
		list = append(list, showEntry(one, now, names))
	}
	out["caused"], out["caused_more"] = list, more
	return out, nil
}

// exchanges are the calls of a record, and the record as its own list shows it.
func (c *call) exchanges(record any) ([]exchange, any) {
	switch r := record.(type) {
	case delivery.Delivery:
		return webhookExchanges(r), showDelivery(r)
	case shop.Run:
		return posted(r.At, r.URL, r.Request, r.Status, r.Answer, r.Duration, r.Reason, r.Wire, r.DecidedBy), showRun(r)
	case carrier.Call:
		return posted(r.At, r.URL, r.Request, r.Status, r.Answer, r.Duration, r.Reason, r.Wire, r.DecidedBy), showRateCall(r)
	case rules.Run:
		return posted(r.At, r.URL, r.Request, r.Status, r.Answer, r.Duration, r.Reason, r.Wire, r.DecidedBy), showRuleRun(r)
	case label.Call:
		return posted(r.At, r.URL, r.Request, r.Status, r.Answer, r.Duration, r.Reason, r.Wire, r.DecidedBy), showLabelCall(r)
	case payment.Call:
		x := posted(r.At, r.URL, r.Request, r.HTTPStatus, r.Answer, r.Duration, r.Reason, r.Wire, r.DecidedBy)
		x[0].method = cmp.Or(r.Method, x[0].method)
		return x, showPayment(r)
	case traffic.Request:
		return []exchange{{
			at: r.At, method: r.Method, url: r.Path, request: shown(r.Body), status: r.Status, answer: shown(r.Answer),
			took: r.Duration, reason: cmp.Or(r.Error, r.Hint), wire: delivery.Wire{Sent: r.Header, Got: r.AnswerHeader},
		}}, showRequest(c.operationNames(), r)
	case done:
		return []exchange{{
			at: r.at, method: r.method, url: r.path, request: r.request, status: r.status, answer: r.answer,
		}}, nil
	}
	return nil, nil
}

// posted is the one call of a record.
func posted(
	at time.Time, url string, request []byte, status int, answer []byte, took time.Duration, reason string, wire delivery.Wire,
	decidedBy string,
) []exchange {
	return []exchange{{
		at: at, method: http.MethodPost, url: url, request: shown(request), status: status, answer: shown(answer), took: took,
		reason: reason, wire: wire, decidedBy: decidedBy,
	}}
}

// webhookExchanges are the attempts at a webhook.
func webhookExchanges(d delivery.Delivery) (out []exchange) {
	for _, a := range d.Attempts {
		out = append(out, exchange{
			at: a.At, method: http.MethodPost, url: a.URL, request: shown(a.Body), status: a.Status, answer: shown([]byte(a.Answer)),
			took: a.Duration, reason: a.Error, wire: a.Wire, resent: a.Resent, wait: a.Wait, decidedBy: a.DecidedBy,
		})
	}
	return out
}

// showExchange is a request with its answer, headers and time.
func showExchange(x exchange, n int) map[string]any {
	out := map[string]any{
		"n": n, "at": stamp(x.at), "wait_ms": ms(x.wait), "resent": x.resent, "decided_by": x.decidedBy, "ms": ms(x.took),
		"of_ms": nil, "reason": x.reason, "late": nil,
		"request": map[string]any{"method": x.method, "url": x.url, "headers": headers(x.wire.Sent), "body": x.request},
		"answer":  nil,
	}
	if x.wire.Limit > 0 {
		out["of_ms"] = ms(x.wire.Limit)
	}
	if x.status != 0 {
		out["answer"] = map[string]any{"status": x.status, "headers": headers(x.wire.Got), "body": x.answer}
	}
	if x.wire.Later != nil {
		out["late"] = showLate(x.wire)
	}
	return out
}

// showLate is an answer after the limit.
func showLate(wire delivery.Wire) map[string]any {
	got, ended := wire.Later.Answer()
	out := map[string]any{"reading": !ended, "ms": ms(got.After), "too_late_ms": nil, "error": "", "answer": nil}
	switch {
	case !ended:
	case got.Err != nil:
		out["error"] = got.Err.Error()
	default:
		out["too_late_ms"] = ms(got.After - wire.Limit)
		out["answer"] = map[string]any{"status": got.Status, "headers": headers(got.Header), "body": shown([]byte(got.Body))}
	}
	return out
}

// headers are headers, an empty object if there are none.
func headers(h http.Header) map[string][]string {
	out := map[string][]string{}
	for name, values := range h {
		out[name] = values
	}
	return out
}

// causes are the entry that caused another one, and the entries that it caused itself, mostCaused at most; more says
// that there may be more.
func (c *call) causes(e traffic.Entry) (cause *traffic.Entry, caused []traffic.Entry, more bool) {
	var within []traffic.Entry // calls and acts that e caused, directly or not
	near, _, _ := c.server.Journal().Part(work.Part{Most: math.MaxInt}, func(other *traffic.Entry) bool {
		return other.ID != e.ID && (mayCause(other, &e) || mayCause(&e, other))
	})
	near, more = near[:min(len(near), mostNear)], len(near) > mostNear
	for i, other := range near {
		if began(&other, &e) && (cause == nil || nearer(&other, cause)) {
			cause = &near[i]
		}
		if len(other.Spans)+int(other.Origin) > 0 && mayCause(&e, &other) {
			within = append(within, other)
		}
	}
	for _, other := range near {
		direct := mayCause(&e, &other)
		for i := 0; direct && i < len(within); i++ {
			direct = within[i].ID == other.ID || !mayCause(&within[i], &other) || !nearer(&within[i], &e)
		}
		if direct && len(caused) == mostCaused {
			return cause, caused, true
		}
		if direct {
			caused = append(caused, other)
		}
	}
	return cause, caused, more
}

// mayCause reports whether a caused b. A request causes the events of its changes, a call to an app requests of that
// app, and an act all entries of its store meanwhile.
func mayCause(a, b *traffic.Entry) bool {
	return began(a, b) || isAct(a) && (a.Store == 0 || a.Store == b.Store) &&
		slices.ContainsFunc(a.Spans, func(s traffic.Span) bool { return s.Called(b) })
}

// began reports whether a caused b from its beginning, and not only a later attempt.
func began(a, b *traffic.Entry) bool {
	if b.Cause != 0 {
		return a.Origin == b.Cause
	}
	if !slices.ContainsFunc(a.Spans, func(s traffic.Span) bool { return s.Made(b) }) {
		return false
	}
	if isAct(a) {
		return a.Store == 0 || a.Store == b.Store
	}
	return b.Kind == traffic.KindRequest && a.App == b.App && a.Store == b.Store
}

func isAct(e *traffic.Entry) bool { return e.Kind == traffic.KindAct || e.Kind == traffic.KindClock }

// nearer reports whether a began later than b.
func nearer(a, b *traffic.Entry) bool { return a.Begun > b.Begun || a.Begun == b.Begun && a.ID < b.ID }
