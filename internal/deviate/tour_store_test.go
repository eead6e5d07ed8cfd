package deviate_test

import (
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/discounts/rules"
	"github.com/commerceplatform/commerce-go/disputes"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
)

// store visits the store, its locations, scripts, pages, webhooks, carriers and promotions.
func (t *tour) store() {
	ctx, api := t.ctx, t.api
	see(api.Store.Get(ctx)).as(t, "Store.Get")
	see(api.Store.Get(ctx, "id", "name")).as(t, "Store.Get fields")
	t.locations()

	script := see(api.Scripts.Associate(ctx, client.ScriptInput{ScriptID: 3001, QueryParams: map[string]any{"unit": "cm", "id": 5}})).as(t, "Script.Associate")
	see(api.Scripts.Update(ctx, script.ID, client.ScriptInput{ScriptID: 3001, QueryParams: map[string]any{"unit": "in"}})).as(t, "Script.Update")
	see(api.Scripts.Get(ctx, script.ID)).as(t, "Script.Get")
	walk(t, "Script.List", api.Scripts.List(client.ScriptFilter{}))
	done(api.Scripts.Delete(ctx, script.ID)).as(t, "Script.Delete")

	text := client.ContentPageText{Title: "Nosotros", Content: client.Set("<p>Somos dos.</p>")}
	var page *client.ContentPage
	for range 3 {
		page = see(api.Pages.Create(ctx, client.ContentPageInput{Publish: true, Texts: map[string]client.ContentPageText{"es_AR": text}})).as(t, "ContentPage.Create")
	}
	see(api.Pages.Update(ctx, page.ID, client.ContentPageText{Title: "Us"})).as(t, "ContentPage.Update")
	see(api.Pages.Get(ctx, page.ID)).as(t, "ContentPage.Get")
	walk(t, "ContentPage.List", api.Pages.List(client.ContentPageFilter{}))
	walk(t, "ContentPage.List by two", api.Pages.List(client.ContentPageFilter{PerPage: 2}))
	done(api.Pages.Delete(ctx, page.ID)).as(t, "ContentPage.Delete")
	t.contents()

	t.priceTables()

	w := see(api.Webhooks.Create(ctx, client.WebhookInput{URL: "https://app.example/a", Event: "product/created"})).as(t, "Webhook.Create")
	seeMade(api.Webhooks.CreateOrGet(t.searching, client.WebhookInput{URL: "https://app.example/a", Event: "product/created"})).as(t, "Webhook.CreateOrGet")
	for _, event := range []client.WebhookEvent{"order/created", "order/paid"} {
		seeMade(api.Webhooks.CreateOrGet(t.searching, client.WebhookInput{URL: "https://app.example/a", Event: event})).as(t, "Webhook.CreateOrGet new")
	}
	see(api.Webhooks.Update(ctx, w.ID, client.WebhookInput{URL: "https://app.example/b"})).as(t, "Webhook.Update")
	see(api.Webhooks.Get(ctx, w.ID)).as(t, "Webhook.Get")
	crawl(t, "Webhook.List", api.Webhooks.List(client.WebhookFilter{}))
	done(api.Webhooks.Delete(ctx, w.ID)).as(t, "Webhook.Delete")

	carrier := see(api.Carriers.Create(ctx, shipping.CarrierInput{Name: "Correo", CallbackURL: "https://post.example/rates/4fQ0", Types: shipping.Types{shipping.TypeToDoor}})).as(t, "Carrier.Create")
	o := see(api.Carriers.CreateOption(ctx, carrier.ID, shipping.OptionInput{Code: "Express", Name: "Express", AdditionalCost: client.Set(client.MoneyNumber{Money: client.Cents(150)})})).as(t, "Carrier.CreateOption")
	seeMade(api.Carriers.CreateOrGetOption(t.searching, carrier.ID, shipping.OptionInput{Code: "Express", Name: "Express"})).as(t, "Carrier.CreateOrGetOption")
	seeMade(api.Carriers.CreateOrGetOption(t.searching, carrier.ID, shipping.OptionInput{Code: "Slow", Name: "Slow"})).as(t, "Carrier.CreateOrGetOption new")
	see(api.Carriers.Ensure(t.searching, shipping.CarrierInput{Name: "Correo", CallbackURL: "https://post.example/rates/4fQ0", Types: shipping.Types{shipping.TypeToDoor}})).as(t, "Carrier.Ensure")
	see(api.Carriers.UpdateOption(ctx, carrier.ID, o.ID, shipping.OptionInput{AdditionalDays: client.Set(1)})).as(t, "Carrier.UpdateOption")
	see(api.Carriers.GetOption(ctx, carrier.ID, o.ID)).as(t, "Carrier.GetOption")
	walk(t, "Carrier.Options", api.Carriers.Options(carrier.ID))
	see(api.Carriers.Update(ctx, carrier.ID, shipping.CarrierInput{Name: "Correo del Sur"})).as(t, "Carrier.Update")
	see(api.Carriers.Get(ctx, carrier.ID)).as(t, "Carrier.Get")
	walk(t, "Carrier.List", api.Carriers.List())
	walk(t, "Carrier.OfStore", api.Carriers.OfStore())
	done(api.Carriers.DeleteOption(ctx, carrier.ID, o.ID)).as(t, "Carrier.DeleteOption")
	done(api.Carriers.Delete(ctx, carrier.ID)).as(t, "Carrier.Delete")

	promotion := see(api.Promotions.Create(ctx, discounts.Input{Name: "3 for 2", Tier: discounts.TierLineItems, Active: client.Set(true)})).as(t, "Promotion.Create")
	done(api.Discounts.Set(ctx, "https://app.example/carts")).as(t, "Callback.Set")
	done(api.Promotions.Update(ctx, promotion, discounts.Update{Active: client.Set(false)})).as(t, "Promotion.Update")
	walk(t, "Promotion.List", api.Promotions.List())
	done(api.Promotions.Delete(ctx, promotion)).as(t, "Promotion.Delete")
	done(api.Promotions.Delete(ctx, promotion)).fails(t, "Promotion.Delete again")
}

// contents visits the e-mails and the blog of the store.
func (t *tour) contents() {
	ctx, api := t.ctx, t.api
	walk(t, "EmailTemplate.List", api.EmailTemplates.List())
	template := see(api.EmailTemplates.Get(ctx, 8)).as(t, "EmailTemplate.Get")
	subject := client.EmailTemplateInput{Subject: client.Text{"es": "En camino"}, HTMLEnabled: client.Set(true)}
	see(api.EmailTemplates.Update(ctx, template, subject)).as(t, "EmailTemplate.Update")

	blog := see(api.Blogs.Get(ctx)).as(t, "Blog.Get")
	in := client.BlogPostInput{Language: "es", Title: "Té", Content: client.Set("<p>Té</p>"), Published: client.Set(true)}
	post := see(api.Blogs.CreatePost(ctx, blog.ID, in)).as(t, "Blog.CreatePost")
	done(api.Blogs.UpdatePost(ctx, blog.ID, post, client.BlogPostInput{Language: "pt", Title: "Chá"})).as(t, "Blog.UpdatePost")
	done(api.Blogs.UnpublishPost(ctx, blog.ID, post)).as(t, "Blog.UnpublishPost")
	done(api.Blogs.PublishPost(ctx, blog.ID, post)).as(t, "Blog.PublishPost")
	see(api.Blogs.GetPost(ctx, blog.ID, post)).as(t, "Blog.GetPost")
	walk(t, "Blog.Posts", api.Blogs.Posts(blog.ID, 0))
	picture := client.Upload{Filename: "t.png", Content: strings.NewReader("\x89PNG\r\n\x1a\n"), Size: 8}
	see(api.Blogs.UploadMedia(ctx, blog.ID, picture)).as(t, "Blog.UploadMedia")
	see(api.Blogs.UploadThumbnail(ctx, blog.ID, picture)).as(t, "Blog.UploadThumbnail")
	done(api.Blogs.DeletePost(ctx, blog.ID, post)).as(t, "Blog.DeletePost")
}

func (t *tour) locations() {
	ctx, api := t.ctx, t.api
	first := walk(t, "Location.List", api.Locations.List())
	rosario := client.LocationAddressInput{
		Zipcode: "2000", Street: "Mitre", Number: "15", Floor: "1", Locality: "Centro", City: "Rosario", Reference: "blue door", BetweenStreets: "A y B",
		Province: client.NamedInput{Name: "Santa Fe", Code: "S"}, Region: client.NamedInput{Name: "Litoral", Code: "LIT"}, Country: client.NamedInput{Name: "Argentina", Code: "AR"},
	}
	south := see(api.Locations.Create(ctx, client.LocationInput{Name: client.Text{"es_AR": "Sur"}, Address: client.Set(rosario)})).as(t, "Location.Create")
	see(api.Locations.Update(ctx, south.ID, client.LocationInput{Name: client.Text{"es_AR": "Sur 2"}, Tags: []client.LocationTag{client.LocationOffline}})).as(t, "Location.Update")
	see(api.Locations.MakeDefault(ctx, south.ID)).as(t, "Location.MakeDefault")
	see(api.Locations.MakeDefault(ctx, south.ID)).fails(t, "Location.MakeDefault again")
	order := []client.LocationPriority{{ID: south.ID, Priority: client.Int(len(first))}}
	for i, l := range first {
		order = append(order, client.LocationPriority{ID: l.ID, Priority: client.Int(i)})
	}
	see(api.Locations.Prioritize(ctx, order)).as(t, "Location.Prioritize")
	see(api.Locations.Get(ctx, south.ID)).as(t, "Location.Get")
	walk(t, "Location.Levels", api.Locations.Levels(first[0].ID, client.InventoryLevelFilter{}))
	done(api.Locations.Delete(ctx, south.ID)).as(t, "Location.Delete")
}

// money visits payments, disputes and what the store pays for the app.
func (t *tour) money() {
	ctx, api := t.ctx, t.api
	in := payments.ProviderInput{
		Name: "Cards", Description: "Cards", CheckoutJSURL: "https://pay.example/checkout.js", Currencies: []string{"ARS", "USD"},
		LogoURLs: map[payments.LogoSize]string{payments.LogoWide: "https://pay.example/w.png", payments.LogoSmall: "https://pay.example/s.png"},
		Methods: []payments.MethodOffer{{Type: payments.MethodTypeCreditCard, Methods: []string{"visa"}, Installments: &payments.InstallmentRules{
			Specification:       []payments.InstallmentOption{{Installments: 6, InterestRate: "0.065", MinimumPurchaseValue: []payments.Minimum{{Value: client.Cents(100), Currency: "ARS"}}}},
			MinInstallmentValue: []payments.Minimum{{Value: client.Cents(500), Currency: "ARS"}},
		}}, {Type: payments.MethodTypeCash}},
		Options: []payments.CheckoutOption{{ID: "8c6b1f0e-0c0f-4ac5-9d8c-6f5a3a1a7c11", Name: "Cards", Integration: payments.IntegrationTypeTransparent, BillingCountries: []string{"AR"}, MethodTypes: []payments.MethodType{payments.MethodTypeCreditCard}}},
		Rates: []payments.Rates{{Type: payments.MethodTypeCreditCard, Definition: []payments.RateDefinition{
			{PercentFee: "3.49", Days: 14, FlatFee: &payments.Amount{Value: client.Cents(40), Currency: "ARS"}, PlusTax: true},
		}}},
		Features: []payments.Feature{payments.FeatureGateway},
	}
	provider := see(api.PaymentProviders.Create(ctx, in)).as(t, "Provider.Create")
	p := see(api.PaymentProviders.Get(ctx, provider)).as(t, "Provider.Get")
	update := p.Input()
	update.PublicName = "Your card"
	done(api.PaymentProviders.Update(ctx, provider, update)).as(t, "Provider.Update")
	walk(t, "Provider.List", api.PaymentProviders.List())
	walk(t, "Provider.Options", api.PaymentProviders.Options())
	walk(t, "Option.List", api.PaymentOptions.List())
	done(api.BusinessRules.Set(ctx, rules.DomainPayments, "https://app.example/rules")).as(t, "rules.Set")
	done(api.BusinessRules.Set(ctx, rules.DomainPayments, "https://localhost/rules")).fails(t, "rules.Set refused")

	o, _ := t.sold()
	charged := payments.Amount{Value: client.Cents(2400), Currency: "ARS"}
	sale := see(api.Transactions.Create(ctx, o.ID, payments.TransactionInput{
		PaymentProviderID: provider, PaymentMethod: payments.PaymentMethodInput{Type: payments.MethodTypeCreditCard, ID: "visa"},
		FirstEvent: payments.EventInput{Amount: charged, Type: payments.EventTypeSale, Status: payments.EventSuccess, AuthorizationCode: "A1"},
		Info:       payments.InfoInput{ExternalID: "ext-1", Installments: client.Set(payments.InstallmentsInput{Quantity: 1})},
	})).as(t, "Transaction.Create")
	see(api.Transactions.CreateEvent(ctx, o.ID, sale.ID, payments.EventInput{Amount: payments.Amount{Value: client.Cents(100), Currency: "ARS"}, Type: payments.EventTypeRefund, Status: payments.EventSuccess})).as(t, "Transaction.CreateEvent")
	see(api.Transactions.Get(ctx, o.ID, sale.ID)).as(t, "Transaction.Get")
	walk(t, "Transaction.List", api.Transactions.List(o.ID))

	paid, err := t.srv.Charge(client.Cents(2550))
	if err != nil {
		panic(err)
	}
	begun := client.At(time.Date(2024, 12, 2, 12, 30, 15, 0, time.UTC))
	amount := disputes.Amount{Value: client.Cents(2550), Currency: paid.Currency}
	id := see(t.newest.Disputes.Create(ctx, paid.OrderID, paid.TransactionID, disputes.Input{Reason: disputes.ReasonProductNotReceived, ExternalReason: "13.1", Amount: amount, RetainedTotal: amount, InitiatedAt: begun})).as(t, "disputes.Create")
	d := see(t.newest.Disputes.Get(ctx, paid.OrderID, paid.TransactionID, id)).as(t, "disputes.Get")
	done(t.old.Disputes.Update(ctx, d, disputes.Update{Status: disputes.StatusUnderReview, RetainedTotal: d.RetainedTotal})).as(t, "disputes.Update")
	see(t.newest.Disputes.Get(ctx, paid.OrderID, paid.TransactionID, id)).as(t, "disputes.Get again")
	done(api.PaymentProviders.Delete(ctx, provider)).as(t, "Provider.Delete")

	app := t.srv.App().ID
	plan := see(t.plans.Create(ctx, client.PlanInput{Code: "pro", ExternalReference: client.Set("pro-1")})).as(t, "Plan.Create")
	see(t.plans.Update(ctx, "pro-1", client.PlanInput{Description: client.Set("All there is")})).as(t, "Plan.Update")
	done(t.plans.Delete(ctx, string(plan.ID))).fails(t, "Plan.Delete of the default")
	_, err = t.srv.Install()
	done(err).as(t, "installed again")
	see(api.AppSubscriptions.Update(ctx, "app-cost", app, client.AppSubscriptionInput{AmountCurrency: "ARS", AmountValue: client.Set(client.MoneyNumber{Money: client.Cents(1250)})})).record(t, "AppSubscription.Update")
	see(api.AppSubscriptions.Get(ctx, "app-cost", app)).record(t, "AppSubscription.Get")
	see(api.Charges.Create(ctx, app, client.ChargeInput{
		Description: "Extra seats", ConceptCode: "app-cost", FromDate: begun, ToDate: begun, AmountValue: client.MoneyNumber{Money: client.Cents(1250)}, AmountCurrency: "ARS",
	})).as(t, "Charge.Create")
}
