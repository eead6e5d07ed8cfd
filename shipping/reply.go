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

// reply is the answer to a request, and the origin of its rates.
type reply struct {
	callback.Reply
	source    Source
	rates     int
	unmatched []string
}

// reply returns the answer to the request, by the time at which it is due.
func (h *Handler) reply(ctx context.Context, e *serving, in *quoted, due time.Time) reply {
	old, fresh := h.recall(ctx, e, in)
	if !fresh {
		return h.ask(ctx, e, in, old, due)
	}
	if h.Recheck == 0 || e.hits.Add(1)%int64(h.Recheck) > 0 {
		return old.reply(SourceCached, nil)
	}
	a := h.ask(ctx, e, in, old, due)
	h.compare(ctx, in.account, old, a)
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
	a := noRates(statusOf(cause), cause)
	if errors.Is(cause, ErrUpstream) && h.Outage == PolicyRefuse {
		a.Status, a.Body = http.StatusUnprocessableEntity, errorBody("unavailable")
	}
	return a
}

func noRates(status int, cause error) reply {
	return reply{Reply: callback.Reply{Status: status, Err: cause}, source: SourceNobody}
}

// refusal returns the answer that there are no rates.
func refusal(cause error) reply {
	a := noRates(http.StatusUnprocessableEntity, cause)
	code := "no_coverage"
	if r, ok := errors.AsType[*Refusal](cause); ok {
		if code = r.Code; r.Passing {
			a.Status = http.StatusConflict
		}
	}
	a.Body = errorBody(callback.Printable(code, callback.MostShown))
	return a
}

// reply returns the cached answer.
func (e *entry) reply(s Source, cause error) reply {
	return reply{Reply: callback.Reply{Status: e.status, Body: e.body, Err: cause}, source: s, rates: e.rates}
}

// compare reports ErrVolatile if the function's result differs from the previous one for the key, except for dates.
func (h *Handler) compare(ctx context.Context, a account, old *entry, now reply) {
	if now.source != SourceCalled && now.Status != http.StatusUnprocessableEntity || errors.Is(now.Err, ErrPartial) {
		return // no result, or not all rates
	}
	if now.Status != old.status || string(now.Body) != string(old.body) && dateless(now.Body) != dateless(old.body) {
		h.fail(ctx, a, ErrVolatile)
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
