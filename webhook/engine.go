package webhook

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

// Check returns what is wrong with the configuration, or nil. Call it when the
// program starts: a Handler that is misconfigured verifies nothing, calls no
// handler and answers every request 503.
func (h *Handler) Check() error {
	var wrong []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	refuse(len(h.Secrets) == 0, "no secret")
	refuse(len(h.Secrets) > 2, "%d secrets: want the one in force and at most the one before it", len(h.Secrets))
	for i, secret := range h.Secrets {
		refuse(secret == "", "secret %d is empty", i+1)
		refuse(strings.TrimSpace(string(secret)) != string(secret), "secret %d begins or ends with white space", i+1)
	}
	refuse(!isToken(h.headerName()), "header name %q is not one of HTTP", h.HeaderName)
	refuse(h.Event != "" && !slices.Contains(Events(), h.Event), "Event %q is not one of the contract", h.Event)
	refuse(h.MaxBody < 0, "MaxBody is %d: want 0 or more", h.MaxBody)
	refuse(h.MaxRuns < 0, "MaxRuns is %d: want 0 or more", h.MaxRuns)
	refuse(h.Budget < 0 || h.Budget > AnswerTime, "Budget is %v: want 0 to %v, after which the platform hears no answer", h.Budget, AnswerTime)
	refuse(h.AcceptTime < 0 || h.AcceptTime > AnswerTime, "AcceptTime is %v: want 0 to %v, after which the platform hears no answer", h.AcceptTime, AnswerTime)
	refuse(h.Inbox != nil && h.Sink != nil, "both an Inbox and a Sink")
	refuse(h.keeps() && h.KnownStore != nil, "KnownStore beside an Inbox or a Sink, where handlers run later: set it in the Worker")
	refuse(h.keeps() && h.Probe != nil, "Probe beside an Inbox or a Sink, where handlers run later: set it in the Worker")
	if h.Registry != nil || !h.keeps() {
		wrong = append(wrong, h.Registry.check())
	}
	if err := errors.Join(wrong...); err != nil {
		return fmt.Errorf("webhook: %w", err)
	}
	return nil
}

// engine is a Handler made ready to serve.
type engine struct {
	header   string
	maxBody  int64
	budget   time.Duration
	verifier verifier
	read     func(raw []byte, at time.Time) message
	accept   time.Duration
	joiner   joiner
}

// ready makes the engine with the first request, or returns nil if it cannot be.
func (h *Handler) ready(ctx context.Context) *engine {
	h.once.Do(func() {
		if err := h.Check(); err != nil {
			h.reporter().tell(context.WithoutCancel(ctx), &Failure{Err: err})
			return
		}
		h.engine = &engine{
			header:   h.headerName(),
			maxBody:  cmp.Or(h.MaxBody, DefaultMaxBody),
			budget:   cmp.Or(h.Budget, DefaultBudget),
			verifier: newVerifier(h.Secrets),
			read:     newReader(h.Event).read,
			accept:   cmp.Or(h.AcceptTime, DefaultAcceptTime),
			joiner:   joiner{most: cmp.Or(h.MaxRuns, DefaultMaxRuns)},
		}
	})
	return h.engine
}

func (h *Handler) headerName() string { return cmp.Or(h.HeaderName, SignatureHeader) }

// receive returns the body, or the status of a request that cannot be a delivery.
func (e *engine) receive(w http.ResponseWriter, r *http.Request, deadline time.Time) ([]byte, int) {
	// Not every writer can do this; the server's own limits hold then. The deadline
	// stays unless the body was read whole, so that a refused sender cannot drip on.
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(deadline)

	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return nil, http.StatusMethodNotAllowed
	}
	if !isPlain(r.Header.Values("Content-Encoding")) {
		return nil, http.StatusUnsupportedMediaType
	}
	if r.ContentLength > e.maxBody {
		return nil, http.StatusRequestEntityTooLarge
	}
	const most = 64 << 10 // a length is easily claimed
	var body bytes.Buffer
	body.Grow(int(min(max(r.ContentLength, 0), most)) + bytes.MinRead)
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, e.maxBody)); err != nil {
		return nil, statusOf(err)
	}
	_ = control.SetReadDeadline(time.Time{}) // the server would take its end for a lost connection
	return body.Bytes(), http.StatusOK
}

func statusOf(err error) int {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return http.StatusRequestEntityTooLarge
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return http.StatusRequestTimeout
	}
	return http.StatusBadRequest
}

// isPlain reports whether no encoding but identity was applied to the body.
func isPlain(encodings []string) bool {
	for _, e := range encodings {
		if e != "" && !strings.EqualFold(e, "identity") {
			return false
		}
	}
	return true
}

// isToken reports whether s can be the name of a header.
func isToken(s string) bool {
	const punctuation = "!#$%&'*+-.^_`|~"
	for _, r := range s {
		if !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune(punctuation, r)) {
			return false
		}
	}
	return s != ""
}
