package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// When it is installed, an app registers the URL of its business rules.
func ExampleBusinessRuleService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	for _, domain := range []client.RuleDomain{client.RuleDomainPayments, client.RuleDomainCart} {
		if err := v202503.BusinessRules(c).Set(ctx, domain, "https://app.example/rules"); err != nil {
			log.Fatal(err)
		}
	}
	err = v202503.BusinessRules(c).Set(ctx, client.RuleDomainCart, "https://localhost/rules")
	fmt.Println(errors.Is(err, client.ErrValidation))
	// Output: true
}
