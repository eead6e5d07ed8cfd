package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleCouponService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	for _, in := range []client.CouponInput{
		{Code: "TEN", Type: client.CouponPercentage, Value: client.Set(client.Cents(10_00)), EndDate: client.Set(client.Date{Year: 2030, Month: 12, Day: 31})},
		{Code: "FREESHIP", Type: client.CouponShipping, MinPrice: client.Set(client.Cents(500_00))},
	} {
		if _, _, err := v202503.Coupons(c).CreateOrGet(ctx, in); err != nil {
			log.Fatal(err)
		}
	}
	for c, err := range v202503.Coupons(c).List(client.CouponFilter{Valid: client.Set(true), Sort: client.CouponSortAlphaAscending}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(c.Code, c.Type, c.Value)
	}
	// Output:
	// FREESHIP shipping 0.00
	// TEN percentage 10.00
}
