package carts

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

const (
	budget  = 700 * time.Millisecond // of the 800 ms that the platform waits
	longest = 1 << 20                // bytes of a body
)

// codec reads and writes JSON, and has the plan for the type that it reads.
type codec[C any] struct {
	read  func(body []byte, c *C) error
	plan  func(c *C) answer
	write func(a answer) ([]byte, error)
}

// own is the codec of this module without the forms for carts that package discounts adds to it.
var own = codec[discounts.Cart]{
	read: func(body []byte, c *discounts.Cart) error { return wire.UnmarshalStrict(body, c) },
	plan: func(c *discounts.Cart) answer {
		return halfOff(c.Currency, len(c.Products), func(n int) int64 { return int64(c.Products[n].ID) })
	},
	write: func(a answer) ([]byte, error) { return wire.Marshal(a) },
}

var v2 = codec[cart]{
	read:  func(body []byte, c *cart) error { return jsonv2.Unmarshal(body, c) },
	plan:  (*cart).halfOff,
	write: func(a answer) ([]byte, error) { return jsonv2.Marshal(a) },
}

var v1 = codec[cart]{
	read:  func(body []byte, c *cart) error { return json.Unmarshal(body, c) },
	plan:  (*cart).halfOff,
	write: func(a answer) ([]byte, error) { return json.Marshal(a) },
}

func (c *cart) halfOff() answer {
	return halfOff(c.Currency, len(c.Products), func(n int) int64 { return c.Products[n].ID })
}

// byHand returns a handler that runs the plan in a goroutine and answers when it has ended, or its time is over.
func byHand[C any](j codec[C]) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), budget)
		defer cancel()
		c, err := j.receive(w, r)
		if err != nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		planned := make(chan answer, 1)
		go func() { planned <- j.plan(c) }()
		select {
		case a := <-planned:
			j.answer(w, a)
		case <-ctx.Done():
			w.WriteHeader(http.StatusNoContent)
		}
	})
}

// byTimeoutHandler returns a handler that leaves the time to net/http.
func byTimeoutHandler[C any](j codec[C]) http.Handler {
	return http.TimeoutHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := j.receive(w, r)
		if err != nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		j.answer(w, j.plan(c))
	}), budget, "")
}

func (j codec[C]) receive(w http.ResponseWriter, r *http.Request) (*C, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longest))
	if err != nil {
		return nil, err
	}
	c := new(C)
	return c, j.read(body, c)
}

func (j codec[C]) answer(w http.ResponseWriter, a answer) {
	body, err := j.write(a)
	if err != nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body) // who does not read it has gone
}
