package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
)

// partnerProgram is a partner's program: it prints its port, and answers carts with ten percent off each line, rates
// with two options, of which the customer sees one, and payments with what is asked for. It accepts every second
// webhook, and all of them at /taken.
func partnerProgram() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr().(*net.TCPAddr).Port)
	var hooks atomic.Int64
	price := 6
	if hasChanged() {
		price = 7
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/carts", func(w http.ResponseWriter, r *http.Request) { answer(w, discountOf(r)) })
	mux.HandleFunc("/rates", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"rates": []any{
			map[string]any{"name": "Two days", "code": "standard", "price": price, "currency": "ARS", "type": "ship", "reference": "r-1"},
			map[string]any{"name": "Unknown", "code": "other", "price": 5, "currency": "ARS", "type": "ship", "reference": "r-2"},
		}})
	})
	mux.HandleFunc("/taken", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/hooks", func(w http.ResponseWriter, _ *http.Request) {
		if hooks.Add(1)%2 == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	return http.Serve(l, mux)
}

// changedPlan is the environment variable that gives the program another plan and another tariff.
const changedPlan = "PARTNER_CHANGED"

func hasChanged() bool { return os.Getenv(changedPlan) != "" }

// discountOf is ten percent off each line of a cart, by the promotion that the path names after /carts?. The changed
// plan is fifteen percent off three pieces of a kind.
func discountOf(r *http.Request) any {
	var cart struct {
		Currency string `json:"currency"`
		Products []struct {
			ID       json.Number `json:"id"`
			Quantity int         `json:"quantity"`
		} `json:"products"`
	}
	raw, _ := io.ReadAll(r.Body) // what is no cart has no lines
	_ = json.Unmarshal(raw, &cart)
	lines := []any{}
	for _, p := range cart.Products {
		percent := "10.00"
		if hasChanged() && p.Quantity >= 3 {
			percent = "15.00"
		}
		lines = append(lines, map[string]any{
			"line_item": p.ID.String(), "discount_specs": map[string]any{"type": "percentage", "amount": percent},
		})
	}
	return map[string]any{"commands": []any{map[string]any{
		"command": "create_or_update_discount",
		"specs":   map[string]any{"promotion_id": strings.TrimPrefix(r.URL.RawQuery, "promotion="), "currency": cart.Currency, "line_items": lines},
	}}}
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the platform has gone otherwise
}
