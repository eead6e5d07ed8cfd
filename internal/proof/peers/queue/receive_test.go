package queue

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook"
)

// event is what a body says.
type event struct {
	StoreID int64  `json:"store_id"`
	Event   string `json:"event"`
	ID      int64  `json:"id"`
}

func read(body []byte) (e event, err error) {
	err = json.Unmarshal(body, &e)
	return e, err
}

// key is the same for deliveries that say the same.
func (e event) key() string { return fmt.Sprintf("%d:%s:%d", e.StoreID, e.Event, e.ID) }

// run has handle handle a stored body.
func (handle Handle) run(ctx context.Context, body []byte) error {
	e, err := read(body)
	if err != nil {
		return err
	}
	return handle(ctx, e.ID)
}

// put stores a body unless one with its key is pending, and returns when it is on disk.
type put func(ctx context.Context, key string, body []byte) error

// longest is how many bytes a body may have.
const longest = 1 << 20

// ServeHTTP is the receiver that every peer has, as one writes it by hand: read, verify, decode, store, answer.
func (p put) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longest))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if !signed(r.Header.Get(webhook.SignatureHeader), body) {
		http.Error(w, "wrong signature", http.StatusUnauthorized)
		return
	}
	e, err := read(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := p(r.Context(), e.key(), body); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	}
}

func signed(signature string, body []byte) bool {
	given, err := hex.DecodeString(signature)
	mac := hmac.New(sha256.New, []byte(bench.Secret))
	mac.Write(body)
	return err == nil && hmac.Equal(given, mac.Sum(nil))
}
