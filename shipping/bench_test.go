package shipping

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// fiveItems is a request with five items.
func fiveItems(t testing.TB) []byte {
	t.Helper()
	var items []string
	for i := range 5 {
		items = append(items, fmt.Sprintf(`{"id":%d,"product_id":%d,"name":"Remera estampada","sku":"REM-%d","quantity":%d,"free_shipping":false,"grams":%d,"price":1999.90,"cost":800.00,"dimensions":{"width":30.0,"height":4.5,"depth":20.0}}`,
			1479416655+i, 426215948+i, i, 1+i%3, 250+i))
	}
	return with(t, "items", raw("["+strings.Join(items, ",")+"]"))
}

// plainRequest is Request without what reads tolerantly and keeps what is unknown.
type plainRequest struct {
	CartID      string     `json:"cart_id"`
	StoreID     int64      `json:"store_id"`
	Currency    string     `json:"currency"`
	Language    string     `json:"language"`
	TotalPrice  float64    `json:"total_price"`
	Origin      plainPlace `json:"origin"`
	Destination plainPlace `json:"destination"`
	Items       []struct {
		ID           int64   `json:"id"`
		ProductID    int64   `json:"product_id"`
		Name         string  `json:"name"`
		SKU          string  `json:"sku"`
		Quantity     int64   `json:"quantity"`
		FreeShipping bool    `json:"free_shipping"`
		Grams        int64   `json:"grams"`
		Price        float64 `json:"price"`
		Cost         float64 `json:"cost"`
		Dimensions   struct {
			Width  float64 `json:"width"`
			Height float64 `json:"height"`
			Depth  float64 `json:"depth"`
		} `json:"dimensions"`
	} `json:"items"`
	Carrier struct {
		ID      string `json:"id"`
		Name    string `json:"name"`
		Options []struct {
			ID                string `json:"id"`
			Name              string `json:"name"`
			Code              string `json:"code"`
			AllowFreeShipping bool   `json:"allow_free_shipping"`
			AdditionalCost    struct {
				Amount   float64 `json:"amount"`
				Currency string  `json:"currency"`
			} `json:"additional_cost"`
			AdditionalDays int64 `json:"additional_days"`
		} `json:"options"`
	} `json:"carrier"`
}

type plainPlace struct {
	Name       string `json:"name"`
	LocationID string `json:"location_id"`
	Address    string `json:"address"`
	Number     string `json:"number"`
	Floor      string `json:"floor"`
	Locality   string `json:"locality"`
	City       string `json:"city"`
	Province   string `json:"province"`
	Country    string `json:"country"`
	PostalCode string `json:"postal_code"`
	Phone      string `json:"phone"`
}

// plainKey is a key as a program makes it by hand.
func plainKey(r *plainRequest) [16]byte {
	parts := []string{r.Carrier.ID}
	for _, p := range []plainPlace{r.Origin, r.Destination} {
		parts = append(parts, p.Name, p.LocationID, p.Address, p.Number, p.Floor, p.Locality, p.City, p.Province, p.Country, p.PostalCode, p.Phone)
	}
	for _, it := range r.Items {
		sum := md5.Sum(fmt.Appendf(nil, "%d:%d:%d:%v:%v:%v", it.ID, it.Quantity, it.Grams, it.Dimensions.Width, it.Dimensions.Height, it.Dimensions.Depth))
		parts = append(parts, string(sum[:]))
	}
	return md5.Sum([]byte(strings.Join(parts, "|")))
}

// BenchmarkRates compares with programs that decode into plain structs, make a key and encode three
// rates by hand: v1 with encoding/json, v2 with the library that this one uses. "same types" is
// encoding/json with the types of this package, which read tolerantly and exactly.
func BenchmarkRates(b *testing.B) {
	body := fiveItems(b)
	var rates []Rate
	for _, code := range []string{"standard", "express", "night"} {
		rates = append(rates, ship(b, code))
	}
	byHand := []rate{rates[0].wire, rates[1].wire, rates[2].wire}
	floor := func(read func([]byte, any) error, write func(any) ([]byte, error)) func(*testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := new(plainRequest)
				if err := read(body, r); err != nil {
					b.Fatal(err)
				}
				if plainKey(r) == [16]byte{} {
					b.Fatal("no key")
				}
				if _, err := write(map[string]any{"rates": byHand}); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.Run("floor/v1", floor(json.Unmarshal, json.Marshal))
	b.Run("floor/v2", floor(func(data []byte, v any) error { return wire.Unmarshal(data, v) }, wire.Marshal))
	b.Run("same types/v1", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r := new(Request)
			if err := json.Unmarshal(body, r); err != nil || r.Key() == (Key{}) {
				b.Fatal(err)
			}
			if _, err := json.Marshal(map[string]any{"rates": byHand}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ReadRequest(body); err != nil {
				b.Fatal(err)
			}
		}
	})
	r := read(b, body)
	b.Run("key", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if r.Key() == (Key{}) {
				b.Fatal("no key")
			}
		}
	})
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := r.Encode(rates); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decode, key and encode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r, err := ReadRequest(body)
			if err != nil || r.Key() == (Key{}) {
				b.Fatal(err)
			}
			if _, err := r.Encode(rates); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("validate", func(b *testing.B) {
		answer, err := r.Encode(rates)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if err := Validate(r, answer); err != nil {
				b.Fatal(err)
			}
		}
	})
	h := newProbe(always(rates...), func(h *Handler) { h.Answered = nil })
	b.Run("handler, cached", func(b *testing.B) {
		b.ReportAllocs()
		w := &answered{header: http.Header{}}
		req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, "/", nil)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			if h.ServeHTTP(w, req); w.status != http.StatusOK {
				b.Fatal(w.status)
			}
		}
	})
	e := h.engine
	if e == nil {
		e = h.ready(context.Background())
	}
	b.Run("cache hit after decode", func(b *testing.B) {
		r := read(b, body)
		id, err := r.tell(false)
		if err != nil {
			b.Fatal(err)
		}
		if old, _ := e.cache.get(id); old == nil {
			post(h, body)
		}
		b.ReportAllocs()
		for b.Loop() {
			if a := h.reply(context.Background(), e, r, time.Now().Add(time.Second)); a.source != Cached {
				b.Fatal(a)
			}
		}
	})
}

// answered keeps the status of an answer.
type answered struct {
	header http.Header
	status int
}

func (a *answered) Header() http.Header         { return a.header }
func (a *answered) Write(b []byte) (int, error) { return len(b), nil }
func (a *answered) WriteHeader(status int)      { a.status = status }
