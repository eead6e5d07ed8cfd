package proctest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// cart gives ten percent of three or more pieces of a product.
func (a *App) cart(body []byte) (int, any) {
	var c struct {
		Tier     string `json:"execution_tier"`
		Currency string `json:"currency"`
		Products []struct {
			ID       int64 `json:"id"`
			Quantity int64 `json:"quantity"`
		} `json:"products"`
		Promotions json.RawMessage `json:"promotions"`
	}
	if json.Unmarshal(body, &c) != nil || c.Tier == "cross_items" {
		return http.StatusNoContent, nil
	}
	var lines []object
	for _, l := range c.Products {
		amount := "10.00"
		if a.Defect == "discounts above the price" {
			amount = "110.00"
		}
		if l.Quantity >= 3 {
			lines = append(lines, object{
				"line_item":      strconv.FormatInt(l.ID, 10),
				"discount_specs": object{"type": "percentage", "amount": amount},
			})
		}
	}
	if a.Defect == "discounts removed lines" && len(c.Products) > 1 {
		lines = append(lines, object{"line_item": "1", "discount_specs": object{"type": "percentage", "amount": "10.00"}})
	}
	command := object{"command": "create_or_update_discount", "specs": object{
		"promotion_id": a.promotion, "currency": c.Currency, "line_items": lines,
	}}
	if a.Defect == "ends its promotions after a late cart" && a.taken["cart"] ||
		a.Defect == "discounts no cart with a coupon" && strings.Contains(string(body), `"ONCE"`) {
		lines = nil
	}
	a.take("cart")
	if len(lines) == 0 {
		if !strings.Contains(string(c.Promotions), a.promotion) || a.Defect == "never removes a discount" {
			return http.StatusNoContent, nil
		}
		command = object{"command": "remove_discount", "specs": object{"scope": "cart", "promotion_ids": []string{a.promotion}}}
	}
	return http.StatusOK, object{"commands": []object{command}}
}

// rates offers one rate, by the weight, within Argentina.
func (a *App) rates(body []byte) (int, any) {
	var q struct {
		Currency    string `json:"currency"`
		Destination struct {
			Country string `json:"country"`
		} `json:"destination"`
	}
	switch {
	case json.Unmarshal(body, &q) != nil:
		return http.StatusBadRequest, nil
	case q.Destination.Country != "AR":
		return http.StatusUnprocessableEntity, object{"error": "no_coverage"}
	}
	code := "standard"
	if a.Defect == "offers a code without an option" {
		code = "express"
	}
	return http.StatusOK, object{"rates": []object{{
		"name": "Standard", "code": code, "price": 900, "currency": q.Currency, "type": "ship", "reference": "std",
		"min_delivery_date": "2030-01-02T10:00:00-03:00", "max_delivery_date": "2030-01-04T10:00:00-03:00",
	}}}
}

// provider registers a payment provider.
func (a *App) provider() error {
	var known []any
	err := a.call(http.MethodGet, "/payment_providers", nil, &known)
	if err != nil || len(known) > 0 { // a provider survives an uninstallation
		return err
	}
	const cdn = "https://cdn.app.example/"
	var made object
	return a.call(http.MethodPost, "/payment_providers", object{
		"name": "Pay", "description": "Pays by card",
		"logo_urls":                 object{"400x120": cdn + "400x120.png", "160x100": cdn + "160x100.png"},
		"supported_currencies":      []string{"ARS"},
		"supported_payment_methods": []object{{"payment_method_type": "credit_card", "payment_methods": []string{"visa"}}},
		"checkout_js_url":           cdn + "checkout.js",
		"checkout_payment_options": []object{{
			"id": "5e0e4d6a-3f66-4ae9-9f8a-4a4c9e1b2c3d", "name": "Card", "supported_billing_countries": []string{"AR"},
			"supported_payment_method_types": []string{"credit_card"}, "integration_type": "transparent",
		}},
	}, &made)
}

// process takes a payment once, and reports it.
func (a *App) process(body []byte) int {
	var c struct {
		Order    int64  `json:"order_id"`
		Provider string `json:"payment_provider_id"`
		Attempt  string `json:"payment_attempt_id"`
		Method   object `json:"payment_method"`
		Amount   object `json:"amount"`
	}
	if json.Unmarshal(body, &c) != nil {
		return http.StatusBadRequest
	}
	if a.taken[c.Attempt] || a.Defect == "reports no payment" {
		return http.StatusCreated
	}
	a.take(c.Attempt)
	var made object
	err := a.call(http.MethodPost, fmt.Sprintf("/orders/%d/transactions", c.Order), object{
		"payment_provider_id": c.Provider, "payment_method": c.Method, "payment_attempt_id": c.Attempt,
		"first_event": object{"type": "sale", "status": "success", "authorization_code": "A1", "amount": c.Amount},
		"info": object{
			"external_id": c.Attempt, "installments": object{"quantity": 1, "interest": "0.00"},
			"refund_url": Origin + "/payments/refunds", "supports_partial_refund": true,
		},
	}, &made)
	if err != nil {
		return http.StatusServiceUnavailable
	}
	if a.orders == nil {
		a.orders = map[string]int64{}
	}
	a.orders[fmt.Sprint(made["id"])] = c.Order
	return http.StatusCreated
}

// refund accepts a refund, and reports it.
func (a *App) refund(body []byte) (int, any) {
	var c struct {
		Transaction string `json:"transaction_id"`
		Amount      object `json:"amount"`
	}
	if json.Unmarshal(body, &c) != nil {
		return http.StatusBadRequest, nil
	}
	if a.Defect == "reports the whole amount as refunded" {
		c.Amount = object{"value": "7500.00", "currency": "ARS"}
	}
	var made object
	err := a.call(http.MethodPost, fmt.Sprintf("/orders/%d/transactions/%s/events", a.orders[c.Transaction], c.Transaction), object{
		"type": "refund", "status": "success", "authorization_code": "R1", "amount": c.Amount,
	}, &made)
	if err != nil {
		return http.StatusServiceUnavailable, nil
	}
	return http.StatusAccepted, nil
}
