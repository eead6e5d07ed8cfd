// Package carriers has the shipping carriers of an app in a store, and their options. Package shipping answers the
// platform's requests for rates and labels.
//
//	carrier, err := v202503.Carriers(c).Ensure(ctx, carriers.CarrierInput{
//		Name: "Correo del Sur", CallbackURL: "https://carrier.example/rates/" + string(token),
//		Types: carriers.Types{carriers.TypeToDoor, carriers.TypeToPickup},
//	}, carriers.OptionInput{Code: "standard", Name: "Standard"})
//
// [CarrierService] is the type of v202503.Carriers. The package does not depend on package shipping, so a program that
// only manages carriers compiles no handler.
//
// # Guarantees
//
// All services are safe for concurrent use. Members, values and states that this package does not know are kept.
// Invalid input is rejected before a request is sent, with the field, the value and the rule.
//
// # See also
//
// Package [github.com/commerceplatform/commerce-go/shipping] answers the calls of the platform.
package carriers
