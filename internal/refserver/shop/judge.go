package shop

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Judge says why the platform would not act by an answer to a cart, nil if it would. request is the cart as the app
// got it. That a promotion belongs to the app, is active and of the tier is taken for granted, since the cart alone
// does not say it.
func Judge(request []byte, status int, answer []byte) error {
	switch status {
	case http.StatusNoContent, statusUninstalled:
		return nil
	case http.StatusOK:
	default:
		return wrongStatus(status)
	}
	var cart struct {
		Tier     world.Tier `json:"execution_tier"`
		Currency string     `json:"currency"`
		Products []struct {
			ID json.Number `json:"id"`
		} `json:"products"`
	}
	if err := json.Unmarshal(request, &cart); err != nil {
		return fmt.Errorf("the cart: %w", err)
	}
	r := rules{tier: cart.Tier, currency: cart.Currency, lines: map[int64]bool{}}
	for _, line := range cart.Products {
		id, err := line.ID.Int64()
		if err != nil {
			return fmt.Errorf("the cart: the line item %q: %w", line.ID, err)
		}
		r.lines[id] = true
	}
	r.promotion = func(id string) (world.Promotion, bool) {
		return world.Promotion{ID: id, Tier: cart.Tier, Active: true}, true
	}
	_, faults, err := r.read(answer)
	if err != nil {
		return err
	}
	var all []string
	for _, fault := range faults {
		if fault != nil {
			all = append(all, fault.Error())
		}
	}
	if len(all) > 0 {
		return fmt.Errorf("all discounts are removed: %s", strings.Join(all, "; "))
	}
	return nil
}

// wrongStatus is what is wrong with a status that is none of the contract's.
func wrongStatus(status int) error {
	return fmt.Errorf("status %d: must be 200, 204 or %d", status, statusUninstalled)
}
