package shipping

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// reply is the answer to a request.
type reply struct {
	key       Key
	status    int
	body      []byte // nil for a generic body
	source    Source
	rates     int
	unmatched []string
	err       error // why the rates are not from the function
}

// reply returns the answer to the request, by the deadline.
func (h *Handler) reply(ctx context.Context, e *serving, req *Request, deadline time.Time) reply {
	key := req.Key()
	id, err := req.tell(h.Volatile)
	if err != nil {
		return reply{key: key, status: http.StatusBadRequest, source: SourceNobody, err: err}
	}
	old, fresh := h.recall(ctx, e, req, id)
	again := fresh && h.Recheck > 0 && e.hits.Add(1)%int64(h.Recheck) == 0
	a := reply{}
	if fresh && !again {
		a = old.reply(SourceCached, nil)
	} else {
		a = h.ask(ctx, e, req, id, old, deadline)
	}
	if again {
		h.compare(ctx, req, old, a)
	}
	a.key = key
	return a
}

// ask calls the function, or waits for a call in progress with the same key.
func (h *Handler) ask(ctx context.Context, e *serving, req *Request, id identity, old *entry, deadline time.Time) reply {
	if !e.waiting.take(req.account()) {
		err := fmt.Errorf("%w: %d wait, with MaxRuns of %d", ErrBusy, e.waiting.taken(), e.places.most)
		h.fail(ctx, req, err)
		return h.without(old, err)
	}
	defer e.waiting.leave(req.account())
	f, source, err := h.board(ctx, e, req, id, deadline)
	if err != nil {
		if errors.Is(err, ErrBusy) {
			h.fail(ctx, req, err)
		}
		return h.without(old, err)
	}
	t := time.NewTimer(time.Until(deadline))
	defer t.Stop()
	select {
	case <-f.done:
	case <-t.C:
		return h.without(old, ErrLate)
	case <-ctx.Done():
		return h.without(old, callback.Ended(ctx))
	}
	if f.outcome.err != nil {
		return h.without(old, f.outcome.err)
	}
	a := f.outcome.entry.reply(source, f.outcome.partial)
	a.unmatched = f.outcome.unmatched
	return a
}

// without returns the answer to a request if the function returned no rates, or not in time.
func (h *Handler) without(old *entry, cause error) reply {
	if refused(cause) {
		return refusal(cause)
	}
	if old != nil {
		return old.reply(SourceStale, cause)
	}
	a := reply{status: http.StatusServiceUnavailable, source: SourceNobody, err: cause}
	if errors.Is(cause, ErrBusy) {
		a.status = http.StatusTooManyRequests
	}
	if _, ok := errors.AsType[*callback.Panic](cause); ok {
		a.status = http.StatusInternalServerError
	}
	if errors.Is(cause, ErrUpstream) && h.Outage == PolicyRefuse {
		a.status, a.body = http.StatusUnprocessableEntity, errorBody("unavailable")
	}
	return a
}

// refusal returns the answer that there are no rates.
func refusal(cause error) reply {
	a := reply{status: http.StatusUnprocessableEntity, source: SourceNobody, err: cause}
	code := "no_coverage"
	if r, ok := errors.AsType[*Refusal](cause); ok {
		if code = r.Code; r.Passing {
			a.status = http.StatusConflict
		}
	}
	a.body = errorBody(callback.Printable(code, callback.MostShown))
	return a
}

// reply returns the cached answer.
func (e *entry) reply(s Source, cause error) reply {
	return reply{status: e.status, body: e.body, source: s, rates: e.rates, err: cause}
}

// compare reports ErrVolatile if the function's result differs from the previous one for the key, except for dates.
func (h *Handler) compare(ctx context.Context, req *Request, old *entry, now reply) {
	if now.source != SourceCalled && now.status != http.StatusUnprocessableEntity || errors.Is(now.err, ErrPartial) {
		return // no result, or not all rates
	}
	if now.status != old.status || string(now.body) != string(old.body) && dateless(now.body) != dateless(old.body) {
		h.fail(ctx, req, ErrVolatile)
	}
}

// dateless returns an answer without delivery dates, which change with the clock. An answer without rates is returned
// unchanged.
func dateless(answer []byte) string {
	var a struct {
		Rates []map[string]json.RawMessage `json:"rates"`
	}
	if wire.Unmarshal(answer, &a) != nil || a.Rates == nil {
		return string(answer)
	}
	for _, r := range a.Rates {
		delete(r, "min_delivery_date")
		delete(r, "max_delivery_date")
	}
	return fmt.Sprint(a.Rates)
}

// The cache key of a request is made of the store, the members of its Key, and whether the merchant's price may
// differ. With Volatile, the key also contains all other members that the function can use, such as the currency.
func (r *Request) tell(volatile bool) (identity, error) {
	var buf [1024]byte
	b := binary.AppendVarint(buf[:0], int64(r.StoreID))
	b = append(b, 0)
	for i := range r.Items {
		if r.Items[i].FreeShipping {
			b[len(b)-1] = 1
		}
	}
	b = r.identity(b)
	if volatile {
		seen := *r
		seen.CartID = ""
		text, err := wire.Marshal(seen)
		if err != nil {
			return identity{}, err
		}
		b = append(b, text...)
	}
	return sha256.Sum256(b), nil
}
