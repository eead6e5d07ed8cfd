package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleCustomFieldService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	mug, err := v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Text{"en": "Mug"}})
	if err != nil {
		log.Fatal(err)
	}
	glaze, err := v202503.ProductCustomFields(c).Create(ctx, client.CustomFieldInput{
		Name: "Glaze", ValueType: client.ValueTypeTextList, Values: []string{"matt", "glossy"},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := v202503.ProductCustomFields(c).SetValues(ctx, mug.ID, client.CustomFieldSetting{ID: glaze.ID, Value: client.Set("matt")}); err != nil {
		log.Fatal(err)
	}
	for v, err := range v202503.ProductCustomFields(c).Values(mug.ID).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(v.Name, v.Value)
	}
	// A duplicate value is rejected, but the call succeeds.
	glaze, err = v202503.ProductCustomFields(c).AddValues(ctx, glaze.ID, "raw", "matt")
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range glaze.Refused() {
		fmt.Println("refused:", v.Value)
	}
	// Output:
	// Glaze matt
	// refused: matt
}
