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
package carriers
