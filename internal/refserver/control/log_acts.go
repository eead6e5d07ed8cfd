package control

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// done is a call of the control API that may have changed something.
type done struct {
	n            int
	at           time.Time
	method, path string
	request      any // as they are shown
	status       int
	answer       any
}

// mostNoted bounds a body of a call of the control API in the log.
const mostNoted = 16 << 10

// note adds a call to the log.
func (c *call) note(to route, begun int64, at time.Time, answer any, err error) {
	journal := c.server.Journal()
	d := done{at: at, method: to.method, path: c.r.URL.Path, request: noted(c.raw), status: http.StatusOK}
	e := traffic.Entry{
		Kind: traffic.KindAct, At: at, Ended: c.server.Clock().Now(), Name: to.name, Store: c.st.ID, State: traffic.StateOK,
		Word: "done", Begun: begun, Tries: 1, Spans: []traffic.Span{{From: begun, To: journal.Mark()}},
	}
	if strings.HasPrefix(to.name, "clock.") {
		e.Kind = traffic.KindClock
	}
	if err != nil {
		refusal := refuse(err)
		d.status, answer = refusal.Status, refusal
		e.State, e.Word = traffic.StateRefused, "refused"
	}
	raw, _ := encode(answer)
	d.answer = noted(raw)
	e.Status, e.Line = d.status, outcome(answer, raw, c.raw)
	if e.Kind == traffic.KindAct {
		e.Record = c.subject()
	}
	e.Key = int64(c.done.Add(d, func(d *done, n int) { d.n = n }).n)
	e.Source = c.doneAt
	journal.Add(e)
}

// noted is a body as it is shown, or how long it is if it is too long for the log.
func noted(raw []byte) any {
	if len(raw) > mostNoted {
		return fmt.Sprintf("%d bytes", len(raw))
	}
	return shown(raw)
}

// outcome is the refusal of a call in one line, or the answer in words, or the body if the answer is long.
func outcome(answer any, raw, body []byte) string {
	const most = 160
	if e, ok := answer.(*Error); ok {
		return e.Error()
	}
	for _, one := range [][]byte{raw, body} {
		if len(one) == 0 || len(one) > 2*most {
			continue
		}
		masked, err := encode(shown(one))
		if text := traffic.Words(masked); err == nil && text != "" && len(text) <= most {
			return text
		}
	}
	return fmt.Sprintf("answered %d bytes", len(raw))
}

// subject is the record of the path, none if that has none.
func (c *call) subject() traffic.Record {
	for _, name := range []string{"cart", "order", "checkout"} {
		if key := c.r.PathValue(name); key != "" {
			return traffic.Record{Resource: name + "s", Key: key}
		}
	}
	if resource := c.r.PathValue("resource"); resource != "" {
		return traffic.Record{Resource: resource, Key: c.r.PathValue("key")}
	}
	return traffic.Record{}
}

// doneAt returns a call of the log.
func (a *API) doneAt(n int64) (any, bool) {
	for _, d := range a.done.Part(work.Part{After: n - 1, Most: 1}, func(d done) int64 { return int64(d.n) }) {
		if int64(d.n) == n {
			return d, true
		}
	}
	return nil, false
}
