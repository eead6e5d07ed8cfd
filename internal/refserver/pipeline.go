package refserver

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// call is one request on its way through the pipeline.
type call struct {
	r      *http.Request
	in     api.In
	path   string // escaped, below {version}/{store_id}
	match  api.Match
	entry  traffic.Request
	origin int64 // of the journal
	begun  int64 // the mark of the journal at the beginning
	rule   traffic.Fault
	// header is written whatever the outcome.
	header http.Header
	answer answer
}

// answer is what will be written.
type answer struct {
	status int
	body   []byte
	items  [][]byte // of a JSON array that is the body, unless they are nil
}

// parts are what the body is made of, one after another: to join a page of items would cost more than
// to find them.
func (a *answer) parts() [][]byte {
	switch {
	case a.items == nil && len(a.body) == 0:
		return nil
	case a.items == nil:
		return [][]byte{a.body}
	}
	parts := make([][]byte, 0, 2*len(a.items)+2)
	between := []byte("[")
	for _, item := range a.items {
		parts = append(parts, between, item)
		between = []byte(",")
	}
	if len(a.items) == 0 {
		return [][]byte{[]byte("[]")}
	}
	return append(parts, []byte("]"))
}

// beginning is as much of the body as the log keeps.
func (a *answer) beginning() []byte {
	var out []byte
	for _, part := range a.parts() {
		if out = append(out, part...); len(out) >= logged {
			return out[:logged:logged]
		}
	}
	return out
}

// errCut means that the connection is cut instead of an answer.
var errCut = errors.New("connection cut")

// serveAPI takes a request through every step until one refuses it. The order of
// the steps is the order in which the platform notices what is wrong.
func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	c := &call{r: r, header: http.Header{}, origin: s.journal.Origin(), begun: s.journal.Mark()}
	c.entry = traffic.Request{ID: s.log.NextID(), At: s.clock.Now(), Method: r.Method, Path: r.URL.RequestURI()}
	c.header.Set("X-Request-Id", strconv.FormatInt(c.entry.ID, 10))
	var err error
	for _, step := range []func(*call) error{
		s.locate,        // 404: version, store
		s.authenticate,  // 401
		s.wantUserAgent, // 400
		s.wantPayment,   // 402
		s.find,          // refuses nothing
		s.meter,         // 429; whatever is refused below has cost a request
		s.route,         // 404, 405, 400: the query
		s.gate,          // 404: not in this version
		s.permit,        // 403
		s.readBody,      // 413
		s.hitBefore,     // a fault
		s.checkBody,     // 415, 400
		s.run,           // the operation
		s.hitAfter,      // a fault
	} {
		if err = step(c); err != nil {
			break
		}
	}
	s.finish(w, c, err)
}

// finish writes the answer or the refusal and makes the entry in the log.
func (s *Server) finish(w http.ResponseWriter, c *call, err error) {
	if err != nil {
		c.refuse(err)
	}
	c.entry.Status = c.answer.status
	c.entry.UnreadBody = c.in.Unread()
	if s.options.LogAnswers {
		c.entry.Answer = c.answer.beginning()
		c.entry.Header, c.entry.AnswerHeader = work.Masked(c.r.Header), work.Masked(c.header)
	}
	c.entry.Duration = s.clock.Now().Sub(c.entry.At)
	c.entry.Seq = s.log.Add(c.entry)
	s.noteRequest(c)
	if s.options.OnRequest != nil {
		s.options.OnRequest(c.entry)
	}
	if errors.Is(err, errCut) {
		cut(w)
		return
	}
	s.date(w)
	c.write(w)
}

// refuse turns an error into an answer. Another error than *api.Error is the server's own fault, which the platform
// does not describe.
func (c *call) refuse(err error) {
	if errors.Is(err, errCut) || errors.Is(err, errAnswered) {
		return
	}
	refusal, ok := errors.AsType[*api.Error](err)
	if !ok {
		c.entry.Error = err.Error()
		refusal = api.Coded(http.StatusInternalServerError, "")
	}
	for name, values := range refusal.Header {
		c.header[name] = values
	}
	c.answer = answer{status: refusal.Status}
	if refusal.Body != nil {
		c.answer.body, _ = api.Encode(refusal.Body) // maps of text and numbers
	}
}

// write sends the answer. A HEAD gets the headers of the GET.
func (c *call) write(w http.ResponseWriter) {
	h := w.Header()
	for name, values := range c.header {
		h[name] = values
	}
	parts, size := c.answer.parts(), 0
	for _, part := range parts {
		size += len(part)
	}
	if size > 0 {
		if h.Get("Content-Type") == "" {
			h.Set("Content-Type", "application/json; charset=utf-8")
		}
		h.Set("Content-Length", strconv.Itoa(size))
	}
	w.WriteHeader(c.answer.status)
	switch {
	case c.r.Method == http.MethodHead:
	case c.rule.Truncate && size > 1:
		_, _ = w.Write(bytes.Join(parts, nil)[:size/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler) // the documented way to end an answer early
	default:
		for _, part := range parts {
			_, _ = w.Write(part) // an error here is the connection's
		}
	}
}
