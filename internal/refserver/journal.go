package refserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
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

// usuallyKept is how many entries the journal keeps.
const usuallyKept = 10000

// noteCalls has the journal note every call to an app.
func (s *Server) noteCalls() {
	noteLog(s, s.shipper.Log(), func(c carrier.Call) int { return c.N }, rateEntry)
	noteLog(s, s.labels.Log(), func(c label.Call) int { return c.N }, labelEntry)
	noteLog(s, s.payer.Log(), func(c payment.Call) int { return c.N }, paymentEntry)
	noteLog(s, s.ruler.Log(), func(r rules.Run) int { return r.N }, ruleEntry)
}

// noteRuns does so with the carts of a storefront.
func (s *Server) noteRuns(log *work.Log[shop.Run], store int64) {
	noteLog(s, log, func(r shop.Run) int { return r.N }, func(r shop.Run) (traffic.Entry, delivery.Wire) {
		return cartEntry(r, store)
	})
}

// noteLog notes each record of a log, and again once an answer came late.
func noteLog[T any](s *Server, log *work.Log[T], number func(T) int, entry func(T) (traffic.Entry, delivery.Wire)) {
	log.Kept = s.options.Kept
	source := func(key int64) (any, bool) {
		found := log.Part(work.Part{After: key - 1, Most: 1}, func(t T) int64 { return int64(number(t)) })
		return first(found, func(t T) int64 { return int64(number(t)) }, key)
	}
	log.Added = func(t T) {
		e, wire := entry(t)
		e.Source, e.Key, e.Limit = source, int64(number(t)), wire.Limit
		e.Begun, e.Tries = s.journal.Mark(), 1
		if wire.Limit > 0 { // a call was made
			e.Begun, e.Spans = wire.From, []traffic.Span{{From: wire.From, To: wire.To}}
		}
		if !e.State.Open() {
			e.Ended = e.At.Add(e.Took)
		}
		line := e.Line
		afterLimit(&e, wire, line)
		id := s.journal.Add(e)
		wire.Later.OnEnd(func() {
			s.journal.Change(id, func(e *traffic.Entry) { afterLimit(e, wire, line) })
		})
	}
}

// first is the record with the key, if it is the first one.
func first[T any](found []T, number func(T) int64, key int64) (any, bool) {
	if len(found) == 0 || number(found[0]) != key {
		return nil, false
	}
	return found[0], true
}

// afterLimit adds to an entry what came after the limit of a call. The reason is the line at the limit.
func afterLimit(e *traffic.Entry, wire delivery.Wire, reason string) {
	if wire.Later == nil {
		return
	}
	switch got, ended := wire.Later.Answer(); {
	case !ended:
		e.Line = reason + "; the answer is still read"
	case got.Err != nil:
		e.Line = fmt.Sprintf("%s, nor within %s", reason, seconds(got.After))
	default:
		e.Status = got.Status
		e.Line = fmt.Sprintf("answered %d after %s, %s too late%s", got.Status, seconds(got.After),
			seconds(got.After-wire.Limit), excerpt([]byte(got.Body)))
		if e.State == traffic.StateLate {
			e.Word = "answered late"
		}
	}
}

// seconds is a duration with a tenth of a second, or in milliseconds below that.
func seconds(d time.Duration) string {
	if d < time.Second/10 {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// mostExcerpt bounds the part of an answer that is in a line.
const mostExcerpt = 160

// excerpt is an answer in words after a colon, truncated, and empty if it could have a secret.
func excerpt(answer []byte) string {
	lower := bytes.ToLower(answer)
	for _, word := range []string{"token", "secret", "password", "key", `\u`} {
		if bytes.Contains(lower, []byte(word)) {
			return ""
		}
	}
	text := []rune(traffic.Words(answer))
	switch {
	case len(text) == 0:
		return ""
	case len(text) > mostExcerpt:
		text = append(text[:mostExcerpt], '…')
	}
	return ": " + string(text)
}

// noteDelivery notes a delivery that is new or has changed.
func (s *Server) noteDelivery(d *delivery.Delivery) {
	e := deliveryEntry(d)
	e.Source = s.deliveryOf
	if d.Entry == 0 {
		e.Begun = s.journal.Mark()
		d.Entry = s.journal.Add(e)
		return
	}
	s.journal.Change(d.Entry, func(old *traffic.Entry) {
		e.ID, e.Begun, e.Ended = old.ID, old.Begun, old.Ended
		if !e.State.Open() && e.Ended.IsZero() {
			e.Ended = s.clock.Now()
		}
		*old = e
	})
}

func (s *Server) deliveryOf(id int64) (any, bool) { d, ok := s.worker.Delivery(id); return d, ok }

func (s *Server) requestOf(seq int64) (any, bool) {
	found := s.log.Part(work.Part{After: seq - 1, Most: 1})
	return first(found, func(r traffic.Request) int64 { return r.Seq }, seq)
}

func deliveryEntry(d *delivery.Delivery) traffic.Entry {
	e := traffic.Entry{
		Kind: traffic.KindWebhook, At: d.At, Name: d.Name, Store: d.Store, App: d.App, Key: d.ID, Cause: d.Cause, Next: d.Next,
		Tries: len(d.Attempts), State: traffic.StateWaiting, Word: "waiting", Line: "no attempt was made yet",
	}
	subject, _, _ := strings.Cut(d.Name, "/")
	e.Record = about(traffic.Plural(subject), idsOf(d.Body).ID)
	for _, a := range d.Attempts {
		if a.Wire.Limit > 0 {
			e.Spans = append(e.Spans, traffic.Span{From: a.Wire.From, To: a.Wire.To})
		}
	}
	if len(d.Attempts) > 0 {
		e.Tried = d.Attempts[0].At.Add(d.Attempts[0].Duration)
		lastAttempt(&e, d.Attempts[len(d.Attempts)-1])
	}
	switch d.State {
	case delivery.Delivered:
		e.State, e.Word = traffic.StateDelivered, "delivered"
	case delivery.Failed:
		e.State, e.Word = traffic.StateGivenUp, "given up"
	}
	return e
}

// lastAttempt adds the last attempt at a webhook to its entry.
func lastAttempt(e *traffic.Entry, a delivery.Attempt) {
	e.Status, e.Took, e.Limit = a.Status, a.Duration, a.Wire.Limit
	e.State, e.Word = traffic.StateFailing, "failing"
	switch {
	case a.OK():
		e.Line = fmt.Sprint(a.Status, excerpt([]byte(a.Answer)))
	case a.Error != "":
		e.Line = a.Error
	default:
		e.Line = fmt.Sprintf("status %d: must be 2xx%s", a.Status, excerpt([]byte(a.Answer)))
	}
	afterLimit(e, a.Wire, a.Error)
}

// ids are the ids of a body that say which record it is about.
type ids struct {
	ID    json.RawMessage `json:"id"`
	Order json.RawMessage `json:"order_id"`
	Cart  json.RawMessage `json:"cart_id"`
}

// idsOf reads them from an object.
func idsOf(object []byte) ids {
	var of ids
	_ = json.Unmarshal(object, &of) // a body that is not an object has none
	return of
}

// about is the record with an id, none if that is neither a number nor a text.
func about(resource string, id json.RawMessage) traffic.Record {
	key := strings.Trim(string(id), `"`)
	if key == "" || key == "null" || strings.ContainsAny(key, "{[") {
		return traffic.Record{}
	}
	return traffic.Record{Resource: resource, Key: key}
}

// noteRequest notes a request that was answered.
func (s *Server) noteRequest(c *call) {
	r := &c.entry
	path, _, _ := strings.Cut(cmp.Or(c.path, r.Path), "?")
	e := traffic.Entry{
		Kind: traffic.KindRequest, At: r.At, Ended: r.At.Add(r.Duration), Name: r.Method + " " + path, Store: r.Store, App: r.App,
		Status: r.Status, Took: r.Duration, Tries: 1, State: traffic.StateOK, Word: "answered",
		Line: fmt.Sprint(r.Status), Begun: c.begun, Origin: c.origin, Source: s.requestOf, Key: r.Seq,
	}
	if c.match.Op != nil {
		e.Record = c.record()
	}
	switch {
	case r.Status >= http.StatusInternalServerError || r.Status == 0:
		e.State, e.Word = traffic.StateFailed, "failed"
	case r.Status >= http.StatusBadRequest:
		e.State, e.Word = traffic.StateRefused, "refused"
	}
	if e.State != traffic.StateOK {
		e.Line = fmt.Sprint(r.Status, excerpt(c.answer.beginning()))
	}
	if more := cmp.Or(r.Error, r.Hint); more != "" && !strings.Contains(e.Line, more) {
		e.Line += " (" + more + ")"
	}
	s.journal.Add(e)
}

// record is the record that a request is about: that of its path, or the one that it has created.
func (c *call) record() traffic.Record {
	parts := strings.Split(strings.Trim(c.path, "/"), "/")
	resource := strings.ReplaceAll(parts[0], "-", "_")
	switch {
	case len(parts) > 1:
		return traffic.Record{Resource: resource, Key: parts[1]}
	case c.answer.status == http.StatusCreated:
		return about(resource, idsOf(c.answer.body).ID)
	}
	return traffic.Record{}
}
