// Package promotions has the promotions of discount apps, and the service of the URL to which the platform sends carts.
// Package discounts answers the carts.
//
//	id, err := v202503.Promotions(c).Create(ctx,
//		promotions.Input{Name: "3 for 2", Tier: promotions.TierLineItems, Active: client.Set(true)})
//	err = v202503.Discounts(c).Set(ctx, "https://app.example/carts")
//
// [PromotionService] and [CallbackService] are the types of v202503.Promotions and v202503.Discounts. A [Promotion]
// belongs to one [Tier] permanently. The package does not depend on package discounts, so a program that only manages
// promotions compiles no handler.
//
// # Guarantees
//
// All services are safe for concurrent use. Members, values and states that this package does not know are kept.
// Invalid input is rejected before a request is sent, with the field, the value and the rule.
//
// # See also
//
// Package [github.com/commerceplatform/commerce-go/discounts] answers the calls of the platform.
package promotions
