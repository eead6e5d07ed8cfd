package ledgerproof

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
)

// bank is the processor. It moves the money of each idempotency key once.
type bank struct {
	mu    sync.Mutex
	calls int
	keys  map[string]map[string]bool // that moved money, by operation: a payment attempt or a transaction
}

// ServeHTTP moves money, unless that was done under the key.
func (b *bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
	of := r.FormValue("operation")
	if b.keys[of] == nil {
		b.keys[of] = map[string]bool{}
	}
	b.keys[of][r.FormValue("key")] = true
	fmt.Fprint(w, "receipt-"+r.FormValue("key"))
}

// moves returns how often money moved for an operation.
func (b *bank) moves(operation string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.keys[operation])
}

// move asks the bank at an address to move money, and returns its receipt.
func move(ctx context.Context, at, key, operation string) (receipt string, err error) {
	form := url.Values{"key": {key}, "operation": {operation}}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at+"?"+form.Encode(), nil)
	if err != nil {
		return "", err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close() // it was read
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("the bank answered %s", answer.Status)
	}
	return string(text), err
}
