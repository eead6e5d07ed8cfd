package shipping

import (
	"context"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/bench"
)

// manyItems is a request with so many items.
func manyItems(t testing.TB, n int) []byte {
	t.Helper()
	var items []string
	for i := range n {
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

// someRates are three rates, and their forms for a program that encodes them by hand.
func someRates(b *testing.B) (rates []Rate, byHand []rate) {
	b.Helper()
	for _, code := range []string{"standard", "express", "night"} {
		r := ship(b, code)
		rates, byHand = append(rates, r), append(byHand, r.wire)
	}
	return rates, byHand
}

// BenchmarkRates compares with a program that decodes into plain structs, makes a key and encodes three rates by hand
// with encoding/json. Types of this package read tolerantly and exactly, which plain structs do not.
func BenchmarkRates(b *testing.B) {
	rates, plain := someRates(b)
	for _, items := range []int{5, 50, 500} {
		body := manyItems(b, items)
		byHand := func() {
			r := new(plainRequest)
			if err := json.Unmarshal(body, r); err != nil || plainKey(r) == [16]byte{} {
				b.Error(err)
			}
			if _, err := json.Marshal(map[string]any{"rates": plain}); err != nil {
				b.Error(err)
			}
		}
		ours := func() {
			r, err := ReadRequest(body)
			if err != nil || r.Key() == (Key{}) {
				b.Error(err)
			}
			if _, err := r.Encode(rates); err != nil {
				b.Error(err)
			}
		}
		b.Run(fmt.Sprintf("%d/v1", items), func(b *testing.B) { bench.Work(b, []func(){ours}, []func(){byHand}) })
	}
}

// BenchmarkCached measures a request that the cache answers, after it was decoded.
func BenchmarkCached(b *testing.B) {
	body := manyItems(b, 5)
	rates, _ := someRates(b)
	h := newProbe(always(rates...), func(h *Handler) { h.OnAnswered = nil })
	post(h, body)
	b.Run("decoded", func(b *testing.B) {
		r := read(b, body)
		bench.Cost(b, func() {
			id, err := r.tell(false)
			if err != nil {
				b.Fatal(err)
			}
			in := &quoted{account: r.account(), request: r, key: r.Key(), id: id}
			if a := h.reply(context.Background(), h.engine, in, time.Now().Add(time.Second)); a.source != SourceCached {
				b.Fatal(a)
			}
		})
	})
}
