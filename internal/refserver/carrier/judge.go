package carrier

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Judge says why the platform would not show rates of an answer, or counts it as a failure; nil if it does neither. An
// answer 4xx is a refusal, which is neither. request is what the carrier was asked. That the carrier has an option of
// each code is taken for granted, since it is asked about the active ones alone, and may offer the others.
func Judge(request []byte, status int, answer []byte) error {
	switch {
	case status >= 400 && status < 500:
		return nil
	case status < 200 || status > 299:
		return wrongStatus(status)
	}
	var asked struct {
		Currency string `json:"currency"`
	}
	if err := json.Unmarshal(request, &asked); err != nil {
		return fmt.Errorf("the request: %w", err)
	}
	all, err := rates(answer)
	if err != nil {
		return err
	}
	o := offer{limits: world.Contract(), currency: asked.Currency}
	o.carrier.Types = []string{world.Ship, world.Pickup}
	for _, raw := range all {
		r, _ := readRate(raw) // judge says what is wrong with it
		o.options = append(o.options, world.CarrierOption{Code: r.code, Active: true})
	}
	_, hidden, _ := o.judge(all)
	var wrong []string
	for _, h := range hidden {
		wrong = append(wrong, fmt.Sprintf("rates[%d] is not shown: %s", h.Index, h.Reason))
	}
	if len(wrong) > 0 {
		return errors.New(strings.Join(slices.Compact(wrong), "; "))
	}
	return nil
}

// wrongStatus is what is wrong with a status outside 2xx.
func wrongStatus(status int) error { return fmt.Errorf("status %d: must be 200", status) }
