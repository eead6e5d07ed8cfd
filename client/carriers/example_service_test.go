package carriers_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// When it is installed, an app adds its carrier with an option for each service.
func ExampleCarrierService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	carrier, err := v202503.Carriers(c).Create(ctx, carriers.CarrierInput{
		Name: "Correo del Sur", CallbackURL: "https://post.example/rates/4fQ0zT7sVb2nXk91", Types: carriers.Types{carriers.TypeToDoor},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"Standard", "Express"} {
		if _, _, err := v202503.Carriers(c).CreateOrGetOption(ctx, carrier.ID, carriers.OptionInput{Code: name, Name: name}); err != nil {
			log.Fatal(err)
		}
	}
	// What merchants want on top is theirs to say; the platform adds it to the rates.
	express, _, err := v202503.Carriers(c).CreateOrGetOption(ctx, carrier.ID, carriers.OptionInput{Code: "Express", Name: "Express"})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := v202503.Carriers(c).UpdateOption(ctx, carrier.ID, express.ID, carriers.OptionInput{AdditionalDays: client.Set(1)}); err != nil {
		log.Fatal(err)
	}
	for o, err := range v202503.Carriers(c).Options(carrier.ID).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(o.Name, o.Active, o.AdditionalDays)
	}
	// Output:
	// Standard true 0
	// Express true 1
}
