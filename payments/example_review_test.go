package payments_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

// A payment that looks like fraud waits for the merchant. What the merchant decides is reported as another event.
func ExampleReviewHandler() {
	srv, charge, _, provider := desk()
	defer srv.Close()
	ctx, api := context.Background(), v202503.Transactions(srv.Client())
	amount := providers.Amount{Value: charge.Amount, Currency: charge.Currency}
	held := map[string]uuid.UUID{} // transactions by the key of their review; a real one is a table
	reviews := &payments.ReviewHandler{
		Address: "https://pay.example/reviews", Secrets: []client.Secret{"32 random bytes that only this app has"}, Now: srv.Clock().Now,
		Decide: func(ctx context.Context, r payments.Review, d payments.Decision) error {
			event := providers.EventInput{Amount: amount, Type: providers.EventTypeVoid, Status: providers.EventSuccess}
			if d == payments.DecisionAccept {
				event.Type, event.AuthorizationCode = providers.EventTypeSale, "A1"
			}
			_, err := api.CreateEvent(ctx, charge.OrderID, held[r.Key], event) // after the money has moved
			return err
		},
	}
	at(srv, reviews)

	review := payments.Review{StoreID: srv.StoreID(), Key: "attempt-7", Until: srv.Clock().Now().Add(48 * time.Hour)}
	info, err := reviews.Info(review)
	if err != nil {
		log.Fatal(err)
	}
	info.FraudScore, info.RiskLevel = "0.87", providers.RiskLevelHigh
	tx, err := api.Create(ctx, charge.OrderID, providers.TransactionInput{
		PaymentProviderID: provider, PaymentAttemptID: review.Key,
		PaymentMethod: providers.PaymentMethodInput{Type: providers.MethodTypeCreditCard, ID: "visa"},
		FirstEvent: providers.EventInput{
			Amount: amount,
			Type:   providers.EventTypeMerchantReview, Status: providers.EventSuccess, Info: info, ExpiresAt: client.At(review.Until),
		},
		Info: providers.InfoInput{ExternalID: "sale-7", Installments: client.Set(providers.InstallmentsInput{Quantity: 1})},
	})
	if err != nil {
		log.Fatal(err)
	}
	held[review.Key] = tx.ID
	fmt.Println(tx.Status, tx.Events[0].Info.RiskLevel)

	show(srv.ReviewPayment(ctx, tx.ID, true))
	tx, err = api.Get(ctx, charge.OrderID, tx.ID)
	fmt.Println(tx.Status, err)
	// Output:
	// needs_merchant_review high
	// accept_review 200 accepted  <nil>
	// paid <nil>
}
