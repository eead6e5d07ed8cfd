package discounts

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"time"
)

// Check returns what is wrong with the configuration, or nil. Call it when the program
// starts: a Handler that is misconfigured answers every request 204.
func (h *Handler) Check() error {
	var wrong []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	refuse(h.Plans.Raw == nil && h.Plans.LineItems == nil && h.Plans.CrossItems == nil, "no plan")
	refuse(h.Plans.Raw != nil && (h.Plans.LineItems != nil || h.Plans.CrossItems != nil), "Plans.Raw beside LineItems or CrossItems")
	refuse(h.Registry == nil || h.Registry.Load == nil, "no Registry with Load")
	refuse(h.Sources == nil && len(h.Secrets) == 0 && !h.Guarded, "neither Sources nor Secrets, nor Guarded: anybody could send carts")
	refuse(h.Guarded && (h.Sources != nil || len(h.Secrets) > 0), "Guarded beside Sources or Secrets")
	refuse(h.Either && (h.Sources == nil || len(h.Secrets) == 0), "Either without both Sources and Secrets")
	refuse(len(h.Secrets) > 2, "%d secrets: want the one in force and at most the one before it", len(h.Secrets))
	for i, secret := range h.Secrets {
		refuse(secret == "", "secret %d is empty", i+1)
		refuse(strings.TrimSpace(string(secret)) != string(secret), "secret %d begins or ends with white space", i+1)
	}
	refuse(!isToken(h.headerName()), "header name %q is not one of HTTP", h.HeaderName)
	refuse(h.Late != Keep && h.Late != RemoveOwn, "Late is %d: want Keep or RemoveOwn", h.Late)
	refuse(h.Budget != 0 && (h.Budget < MinBudget || h.Budget > MaxBudget), "Budget is %v: want 0 or %v to %v", h.Budget, MinBudget, MaxBudget)
	refuse(h.ReadTime < 0 || h.ReadTime > cmp.Or(h.Budget, DefaultBudget), "ReadTime is %v: want 0 to Budget", h.ReadTime)
	refuse(h.MaxBody < 0, "MaxBody is %d: want 0 or more", h.MaxBody)
	refuse(h.MaxRuns < 0, "MaxRuns is %d: want 0 or more", h.MaxRuns)
	if err := errors.Join(wrong...); err != nil {
		return fmt.Errorf("discounts: %w", err)
	}
	return nil
}

// engine is a Handler made ready to serve.
type engine struct {
	header   string
	maxBody  int64
	budget   time.Duration
	readTime time.Duration
	slots    slots
	late     memory
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
			readTime: cmp.Or(h.ReadTime, DefaultReadTime),
			slots:    make(slots, cmp.Or(h.MaxRuns, 2*runtime.GOMAXPROCS(0))),
		}
	})
	return h.engine
}

func (h *Handler) headerName() string { return cmp.Or(h.HeaderName, SignatureHeader) }

// receive returns the body of a request that is from the platform: whole, or an error
// that says why it is not. The status is 0, or that of a request from somebody else.
func (h *Handler) receive(w http.ResponseWriter, r *http.Request, e *engine, arrived time.Time) (raw []byte, status int, err error) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return nil, http.StatusMethodNotAllowed, nil
	}
	listed := h.Sources != nil && h.Sources.Allows(r)
	if h.Sources != nil && !listed && !h.Either {
		return nil, http.StatusForbidden, nil
	}
	raw, err = e.read(w, r, arrived)
	if len(h.Secrets) > 0 && !(h.Either && listed) && (err != nil || !signed(h.Secrets, r.Header.Values(e.header), raw)) {
		return nil, http.StatusForbidden, nil
	}
	return raw, 0, err
}

// read reads the body.
func (e *engine) read(w http.ResponseWriter, r *http.Request, arrived time.Time) ([]byte, error) {
	for _, encoding := range r.Header.Values("Content-Encoding") {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			return nil, fmt.Errorf("%w: the body is compressed", ErrMalformed)
		}
	}
	if r.ContentLength > e.maxBody {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrMalformed, e.maxBody)
	}
	// Not every writer can do this; the server's own limits hold then. The deadline stays
	// unless the body was read whole, so that a sender cannot drip on.
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(arrived.Add(e.readTime))
	const most = 64 << 10 // a length is easily claimed
	var body bytes.Buffer
	body.Grow(int(min(max(r.ContentLength, 0), most)) + bytes.MinRead)
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, e.maxBody)); err != nil {
		return nil, fmt.Errorf("%w: the body did not arrive: %w", ErrMalformed, err)
	}
	_ = control.SetReadDeadline(time.Time{}) // the server would take its end for a lost connection
	return body.Bytes(), nil
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
