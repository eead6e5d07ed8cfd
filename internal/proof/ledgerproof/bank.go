package ledgerproof

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

// bank is the processor. It moves the money of each idempotency key once.
type bank struct {
	mu    sync.Mutex
	calls int
	keys  map[string]map[string]bool // that moved money, by operation: an attempt, a transaction, the release of an attempt
	last  map[string]string          // amount, by operation
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
	b.last[of] = r.FormValue("amount")
	fmt.Fprint(w, "receipt-"+r.FormValue("key"))
}

// moves returns how often money moved for an operation.
func (b *bank) moves(operation string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.keys[operation])
}

// release is the operation that gives back the money of an attempt.
func release(attempt string) string { return "release of " + attempt }

// amount returns how much money moved last for an operation, in cents.
func (b *bank) amount(t *testing.T, operation string) int64 {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	m, err := client.ParseMoney(b.last[operation])
	if err != nil {
		t.Errorf("%s: %v", operation, err)
	}
	return m.Decimal().Shift(2).IntPart()
}

// move asks the bank at an address to move money, and returns its receipt.
func move(ctx context.Context, at, key, operation, amount string) (receipt string, err error) {
	form := url.Values{"key": {key}, "operation": {operation}, "amount": {amount}}
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
