package clienttest_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts/rules"
)

// A checkout that asks an app: what it blocks cannot be bought, unless the app is late.
func ExampleBasket_MayFinish() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	ctx := context.Background()
	app := &rules.Handler{Guarded: true, Cart: func(_ context.Context, r *rules.Request) (rules.Verdict, error) {
		if r.Totals.Total.Cmp(client.MustMoney("10.00")) < 0 {
			return rules.VerdictBlock, nil
		}
		return rules.VerdictAllow, nil
	}}
	if err := srv.Partner("https://app.example", app); err != nil {
		log.Fatal(err)
	}
	c := srv.Client()
	if err := v202503.BusinessRules(c).Set(ctx, client.RuleDomainCart, "https://app.example/rules"); err != nil {
		log.Fatal(err)
	}
	basket, err := srv.Shop().NewCart(clienttest.Visitor{})
	if err != nil {
		log.Fatal(err)
	}
	for _, delay := range []time.Duration{0, time.Second} { // on the network
		srv.SetRuleSettings(clienttest.RuleSettings{Delay: delay})
		reason, err := basket.MayFinish(ctx)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q\n", reason)
	}
	for _, run := range srv.RuleRuns() {
		fmt.Println(run.Domain, run.Applied, run.Command+run.Reason)
	}
	options, err := basket.PaymentOptions(ctx) // no provider, no option
	fmt.Println(len(options), err)
	places, err := basket.Places(ctx) // no rule: by priority
	fmt.Println(len(places), err)
	// Output:
	// "blocked by app 2001"
	// ""
	// cart true block_checkout
	// cart false no answer within 800ms
	// 0 <nil>
	// 1 <nil>
}
