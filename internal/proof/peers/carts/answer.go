package carts

import "strconv"

// half is the promotion that takes fifty per cent off.
const half = "02aaa5c6-080a-40e9-a61f-90ca2150d6a2"

// answer is what a cart is answered.
type answer struct {
	Commands []command `json:"commands"`
}

type command struct {
	Command string `json:"command"`
	Specs   specs  `json:"specs"`
}

type specs struct {
	PromotionID string         `json:"promotion_id"`
	Currency    string         `json:"currency"`
	LineItems   []lineDiscount `json:"line_items"`
}

type lineDiscount struct {
	LineItem string `json:"line_item"`
	Discount amount `json:"discount_specs"`
}

type amount struct {
	Type   string `json:"type"`
	Amount string `json:"amount"`
}

// halfOff is the plan: fifty per cent off each of so many lines.
func halfOff(currency string, lines int, id func(n int) int64) answer {
	all := make([]lineDiscount, lines)
	for n := range all {
		all[n] = lineDiscount{strconv.FormatInt(id(n), 10), amount{"percentage", "50.00"}}
	}
	return answer{[]command{{"create_or_update_discount", specs{half, currency, all}}}}
}
