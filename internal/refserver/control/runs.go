package control

import (
	"encoding/json"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
)

// showView is a cart as its customer sees it.
func showView(v shop.View) map[string]any {
	lines, discounts := []any{}, []any{}
	for _, l := range v.Lines {
		line := map[string]any{
			"id": l.ID, "product": l.ProductID, "variant": l.VariantID, "name": l.Name, "quantity": l.Quantity,
			"price": money(l.Price),
			"full":  money(l.Full), "discount": money(l.Off), "kit": nil,
		}
		if l.Kit != nil {
			line["kit"] = l.Kit.Catalog
		}
		lines = append(lines, line)
	}
	for _, d := range v.Discounts {
		discounts = append(discounts, showDiscount(d))
	}
	coupons := append([]string{}, v.Coupons...)
	return map[string]any{
		"id": v.ID, "currency": v.Currency, "language": v.Language, "customer": v.CustomerID, "lines": lines,
		"discounts": discounts,
		"coupons":   coupons, "subtotal": money(v.Subtotal), "promotions": money(v.Promotions), "coupon": money(v.Coupon),
		"shipping": money(v.Shipping), "total": money(v.Total),
	}
}

func showDiscount(d shop.Discount) map[string]any {
	return map[string]any{
		"app": d.App, "promotion": d.Promotion, "name": d.Name, "text": d.Text, "tier": d.Tier, "line": d.Line,
		"percentage": d.Percentage, "value": d.Value.String(), "amount": money(d.Amount),
	}
}

// showRun is a cart that was sent to an app, with the outcome.
func showRun(r shop.Run) any {
	return map[string]any{
		"n": r.N, "at": stamp(r.At), "app": r.App, "cart": r.Cart, "tier": r.Tier, "url": r.URL, "request": shown(r.Request),
		"signature": r.Signature, "status": r.Status, "answer": shown(r.Answer), "late": r.Late, "ms": ms(r.Duration),
		"of_ms": ms(shop.Timeout), "decided_by": r.DecidedBy, "outcome": r.Outcome, "reason": r.Reason,
		"commands": verdicts(r),
		"warnings": append([]string{}, r.Warnings...),
		"before":   showView(r.Before), "after": showView(r.After), "vanished": vanished(r.Before, r.After, []shop.Run{r}),
	}
}

// verdicts are the commands of an answer with what is thought of each.
func verdicts(r shop.Run) []any {
	var answer struct {
		Commands []json.RawMessage `json:"commands"`
	}
	_ = json.Unmarshal(r.Answer, &answer) // an answer without commands has no verdicts
	out := []any{}
	for i, v := range r.Commands {
		one := map[string]any{"n": i + 1, "command": nil, "valid": v.Err == nil, "error": "", "turn": v.Turn}
		if i < len(answer.Commands) {
			one["command"] = shown(answer.Commands[i])
		}
		if v.Err != nil {
			one["error"] = v.Err.Error()
		}
		out = append(out, one)
	}
	return out
}

// vanished are the parts of a cart that are gone after a change, each with why.
func vanished(before, after shop.View, runs []shop.Run) []any {
	out := []any{}
	lines := map[int64]bool{0: true}
	for _, l := range after.Lines {
		lines[l.ID] = true
	}
	for _, l := range before.Lines {
		if !lines[l.ID] {
			out = append(out, map[string]any{
				"part": "line", "line": l.ID, "promotion": "", "why": "it was removed from the cart",
			})
		}
	}
	type place struct {
		promotion string
		line      int64
	}
	left := map[place]bool{}
	for _, d := range after.Discounts {
		left[place{d.Promotion, d.Line}] = true
	}
	for _, d := range before.Discounts {
		if !left[place{d.Promotion, d.Line}] {
			why := "its line was removed from the cart"
			if lines[d.Line] {
				why = reason(d, runs)
			}
			out = append(out, map[string]any{"part": "discount", "line": d.Line, "promotion": d.Promotion, "why": why})
		}
	}
	kept := map[string]bool{}
	for _, code := range after.Coupons {
		kept[code] = true
	}
	for _, code := range before.Coupons {
		if !kept[code] {
			out = append(out, map[string]any{
				"part": "coupon", "line": 0, "promotion": "", "code": code, "why": "it was removed",
			})
		}
	}
	return out
}

// reason is why a discount is gone: the last run in which all were removed, or that of its app.
func reason(d shop.Discount, runs []shop.Run) string {
	for i := len(runs) - 1; i >= 0; i-- {
		switch r := runs[i]; {
		case r.Outcome == shop.Removed:
			return fmt.Sprintf("the discounts of all apps were removed: %s", r.Reason)
		case r.App == d.App && r.Outcome == shop.Uninstalled:
			return r.Reason
		case r.App == d.App && r.Outcome == shop.Applied:
			return "a command of its app removed it"
		}
	}
	return "the promotion was deleted, or its app was uninstalled"
}
