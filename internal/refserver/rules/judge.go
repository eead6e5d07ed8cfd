package rules

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Judge says what is wrong with an answer to a question about a purchase, nil if nothing is. request is the question.
// That an option is offered is taken for granted, since the request does not have the options.
func Judge(request []byte, status int, answer []byte) error {
	var asked requestJSON
	if err := json.Unmarshal(request, &asked); err != nil {
		return fmt.Errorf("the request: %w", err)
	}
	v := verdict{Run: Run{Domain: world.RuleDomain(asked.Details.Domain), Status: status, Answer: answer}}
	v.settle(func(v *verdict) (err error) {
		switch v.Domain {
		case world.PaymentRules, world.ShippingRules:
			_, err = v.options()
		case world.LocationRules:
			var own []string
			for _, l := range asked.Locations {
				own = append(own, l.ID)
			}
			_, err = v.places(own)
		case world.CartRules: // whose command has no details
		}
		return err
	})
	if v.Reason != "" {
		return errors.New(v.Reason)
	}
	return nil
}
