package deviate_test

import (
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/disputes"
)

// store visits the store, its locations, scripts, pages, webhooks, carriers and promotions.
func (t *tour) store() {
	ctx, c := t.ctx, t.client
	see(v202503.Store(c).Get(ctx)).as(t, "Store.Get")
	see(v202503.Store(c).Get(ctx, "id", "name")).as(t, "Store.Get fields")
	t.locations()

	script := see(v202503.Scripts(c).Associate(ctx, client.ScriptInput{ScriptID: 3001, QueryParams: map[string]any{"unit": "cm", "id": 5}})).as(t, "Script.Associate")
	see(v202503.Scripts(c).Update(ctx, script.ID, client.ScriptInput{ScriptID: 3001, QueryParams: map[string]any{"unit": "in"}})).as(t, "Script.Update")
	see(v202503.Scripts(c).Get(ctx, script.ID)).as(t, "Script.Get")
	walk(t, "Script.List", v202503.Scripts(c).List(client.ScriptFilter{}))
	done(v202503.Scripts(c).Delete(ctx, script.ID)).as(t, "Script.Delete")

	text := client.ContentPageText{Title: "Nosotros", Content: client.Set("<p>Somos dos.</p>")}
	var page *client.ContentPage
	for range 3 {
		page = see(v202503.Pages(c).Create(ctx, client.ContentPageInput{Publish: true, Texts: map[string]client.ContentPageText{"es_AR": text}})).as(t, "ContentPage.Create")
	}
	see(v202503.Pages(c).Update(ctx, page.ID, client.ContentPageText{Title: "Us"})).as(t, "ContentPage.Update")
	see(v202503.Pages(c).Get(ctx, page.ID)).as(t, "ContentPage.Get")
	walk(t, "ContentPage.List", v202503.Pages(c).List(client.ContentPageFilter{}))
	walk(t, "ContentPage.List by two", v202503.Pages(c).List(client.ContentPageFilter{PerPage: 2}))
	done(v202503.Pages(c).Delete(ctx, page.ID)).as(t, "ContentPage.Delete")
	t.contents()

	t.priceTables()

	w := see(v202503.Webhooks(c).Create(ctx, client.WebhookInput{URL: "https://app.example/a", Event: "product/created"})).as(t, "Webhook.Create")
	seeMade(v202503.Webhooks(c).CreateOrGet(t.searching, client.WebhookInput{URL: "https://app.example/a", Event: "product/created"})).as(t, "Webhook.CreateOrGet")
	for _, event := range []client.WebhookEvent{"order/created", "order/paid"} {
		seeMade(v202503.Webhooks(c).CreateOrGet(t.searching, client.WebhookInput{URL: "https://app.example/a", Event: event})).as(t, "Webhook.CreateOrGet new")
	}
	see(v202503.Webhooks(c).Update(ctx, w.ID, client.WebhookInput{URL: "https://app.example/b"})).as(t, "Webhook.Update")
	see(v202503.Webhooks(c).Get(ctx, w.ID)).as(t, "Webhook.Get")
	crawl(t, "Webhook.List", v202503.Webhooks(c).List(client.WebhookFilter{}))
	done(v202503.Webhooks(c).Delete(ctx, w.ID)).as(t, "Webhook.Delete")

	carrier := see(v202503.Carriers(c).Create(ctx, carriers.CarrierInput{Name: "Correo", CallbackURL: "https://post.example/rates/4fQ0", Types: carriers.Types{carriers.TypeToDoor}})).as(t, "Carrier.Create")
	o := see(v202503.Carriers(c).CreateOption(ctx, carrier.ID, carriers.OptionInput{Code: "Express", Name: "Express", AdditionalCost: client.Set(client.MoneyNumber{Money: client.Cents(150)})})).as(t, "Carrier.CreateOption")
	seeMade(v202503.Carriers(c).CreateOrGetOption(t.searching, carrier.ID, carriers.OptionInput{Code: "Express", Name: "Express"})).as(t, "Carrier.CreateOrGetOption")
	seeMade(v202503.Carriers(c).CreateOrGetOption(t.searching, carrier.ID, carriers.OptionInput{Code: "Slow", Name: "Slow"})).as(t, "Carrier.CreateOrGetOption new")
	see(v202503.Carriers(c).Ensure(t.searching, carriers.CarrierInput{Name: "Correo", CallbackURL: "https://post.example/rates/4fQ0", Types: carriers.Types{carriers.TypeToDoor}})).as(t, "Carrier.Ensure")
	see(v202503.Carriers(c).UpdateOption(ctx, carrier.ID, o.ID, carriers.OptionInput{AdditionalDays: client.Set(1)})).as(t, "Carrier.UpdateOption")
	see(v202503.Carriers(c).GetOption(ctx, carrier.ID, o.ID)).as(t, "Carrier.GetOption")
	walk(t, "Carrier.Options", v202503.Carriers(c).Options(carrier.ID))
	see(v202503.Carriers(c).Update(ctx, carrier.ID, carriers.CarrierInput{Name: "Correo del Sur"})).as(t, "Carrier.Update")
	see(v202503.Carriers(c).Get(ctx, carrier.ID)).as(t, "Carrier.Get")
	walk(t, "Carrier.List", v202503.Carriers(c).List())
	walk(t, "Carrier.OfStore", v202503.Carriers(c).OfStore())
	done(v202503.Carriers(c).DeleteOption(ctx, carrier.ID, o.ID)).as(t, "Carrier.DeleteOption")
	done(v202503.Carriers(c).Delete(ctx, carrier.ID)).as(t, "Carrier.Delete")

	promotion := see(v202503.Promotions(c).Create(ctx, promotions.Input{Name: "3 for 2", Tier: promotions.TierLineItems, Active: client.Set(true)})).as(t, "Promotion.Create")
	done(v202503.Discounts(c).Set(ctx, "https://app.example/carts")).as(t, "Callback.Set")
	done(v202503.Promotions(c).Update(ctx, promotion, promotions.Update{Active: client.Set(false)})).as(t, "Promotion.Update")
	walk(t, "Promotion.List", v202503.Promotions(c).List())
	done(v202503.Promotions(c).Delete(ctx, promotion)).as(t, "Promotion.Delete")
	done(v202503.Promotions(c).Delete(ctx, promotion)).fails(t, "Promotion.Delete again")
}

// contents visits the e-mails and the blog of the store.
func (t *tour) contents() {
	ctx, c := t.ctx, t.client
	walk(t, "EmailTemplate.List", v202503.EmailTemplates(c).List())
	template := see(v202503.EmailTemplates(c).Get(ctx, 8)).as(t, "EmailTemplate.Get")
	subject := client.EmailTemplateInput{Subject: client.Text{"es": "En camino"}, HTMLEnabled: client.Set(true)}
	see(v202503.EmailTemplates(c).Update(ctx, template, subject)).as(t, "EmailTemplate.Update")

	blog := see(v202503.Blogs(c).Get(ctx)).as(t, "Blog.Get")
	in := client.BlogPostInput{Language: "es", Title: "Té", Content: client.Set("<p>Té</p>"), Published: client.Set(true)}
	post := see(v202503.Blogs(c).CreatePost(ctx, blog.ID, in)).as(t, "Blog.CreatePost")
	done(v202503.Blogs(c).UpdatePost(ctx, blog.ID, post, client.BlogPostInput{Language: "pt", Title: "Chá"})).as(t, "Blog.UpdatePost")
	done(v202503.Blogs(c).UnpublishPost(ctx, blog.ID, post)).as(t, "Blog.UnpublishPost")
	done(v202503.Blogs(c).PublishPost(ctx, blog.ID, post)).as(t, "Blog.PublishPost")
	see(v202503.Blogs(c).GetPost(ctx, blog.ID, post)).as(t, "Blog.GetPost")
	walk(t, "Blog.Posts", v202503.Blogs(c).Posts(blog.ID, 0))
	picture := client.Upload{Filename: "t.png", Content: strings.NewReader("\x89PNG\r\n\x1a\n"), Size: 8}
	see(v202503.Blogs(c).UploadMedia(ctx, blog.ID, picture)).as(t, "Blog.UploadMedia")
	see(v202503.Blogs(c).UploadThumbnail(ctx, blog.ID, picture)).as(t, "Blog.UploadThumbnail")
	done(v202503.Blogs(c).DeletePost(ctx, blog.ID, post)).as(t, "Blog.DeletePost")
}

func (t *tour) locations() {
	ctx, c := t.ctx, t.client
	first := walk(t, "Location.List", v202503.Locations(c).List())
	rosario := client.LocationAddressInput{
		Zipcode: "2000", Street: "Mitre", Number: "15", Floor: "1", Locality: "Centro", City: "Rosario", Reference: "blue door", BetweenStreets: "A y B",
		Province: client.NamedInput{Name: "Santa Fe", Code: "S"}, Region: client.NamedInput{Name: "Litoral", Code: "LIT"}, Country: client.NamedInput{Name: "Argentina", Code: "AR"},
	}
	south := see(v202503.Locations(c).Create(ctx, client.LocationInput{Name: client.Text{"es_AR": "Sur"}, Address: client.Set(rosario)})).as(t, "Location.Create")
	see(v202503.Locations(c).Update(ctx, south.ID, client.LocationInput{Name: client.Text{"es_AR": "Sur 2"}, Tags: []client.LocationTag{client.LocationOffline}})).as(t, "Location.Update")
	see(v202503.Locations(c).MakeDefault(ctx, south.ID)).as(t, "Location.MakeDefault")
	see(v202503.Locations(c).MakeDefault(ctx, south.ID)).fails(t, "Location.MakeDefault again")
	order := []client.LocationPriority{{ID: south.ID, Priority: client.Int(len(first))}}
	for i, l := range first {
		order = append(order, client.LocationPriority{ID: l.ID, Priority: client.Int(i)})
	}
	see(v202503.Locations(c).Prioritize(ctx, order)).as(t, "Location.Prioritize")
	see(v202503.Locations(c).Get(ctx, south.ID)).as(t, "Location.Get")
	walk(t, "Location.Levels", v202503.Locations(c).Levels(first[0].ID, client.InventoryLevelFilter{}))
	done(v202503.Locations(c).Delete(ctx, south.ID)).as(t, "Location.Delete")
}

// money visits payments, disputes and what the store pays for the app.
func (t *tour) money() {
	ctx, c := t.ctx, t.client
	in := providers.ProviderInput{
		Name: "Cards", Description: "Cards", CheckoutJSURL: "https://pay.example/checkout.js", Currencies: []string{"ARS", "USD"},
		LogoURLs: map[providers.LogoSize]string{providers.LogoWide: "https://pay.example/w.png", providers.LogoSmall: "https://pay.example/s.png"},
		Methods: []providers.MethodOffer{{Type: providers.MethodTypeCreditCard, Methods: []string{"visa"}, Installments: &providers.InstallmentRules{
			Specification:       []providers.InstallmentOption{{Installments: 6, InterestRate: "0.065", MinimumPurchaseValue: []providers.Minimum{{Value: client.Cents(100), Currency: "ARS"}}}},
			MinInstallmentValue: []providers.Minimum{{Value: client.Cents(500), Currency: "ARS"}},
		}}, {Type: providers.MethodTypeCash}},
		Options: []providers.CheckoutOption{{ID: "8c6b1f0e-0c0f-4ac5-9d8c-6f5a3a1a7c11", Name: "Cards", Integration: providers.IntegrationTypeTransparent, BillingCountries: []string{"AR"}, MethodTypes: []providers.MethodType{providers.MethodTypeCreditCard}}},
		Rates: []providers.Rates{{Type: providers.MethodTypeCreditCard, Definition: []providers.RateDefinition{
			{PercentFee: "3.49", Days: 14, FlatFee: &providers.Amount{Value: client.Cents(40), Currency: "ARS"}, PlusTax: true},
		}}},
		Features: []providers.Feature{providers.FeatureGateway},
	}
	provider := see(v202503.PaymentProviders(c).Create(ctx, in)).as(t, "Provider.Create")
	p := see(v202503.PaymentProviders(c).Get(ctx, provider)).as(t, "Provider.Get")
	update := p.Input()
	update.PublicName = "Your card"
	done(v202503.PaymentProviders(c).Update(ctx, provider, update)).as(t, "Provider.Update")
	walk(t, "Provider.List", v202503.PaymentProviders(c).List())
	walk(t, "Provider.Options", v202503.PaymentProviders(c).Options())
	walk(t, "Option.List", v202503.PaymentOptions(c).List())
	done(v202503.BusinessRules(c).Set(ctx, client.RuleDomainPayments, "https://app.example/rules")).as(t, "BusinessRule.Set")
	done(v202503.BusinessRules(c).Set(ctx, client.RuleDomainPayments, "https://localhost/rules")).fails(t, "BusinessRule.Set refused")

	o, _ := t.sold()
	charged := providers.Amount{Value: client.Cents(2400), Currency: "ARS"}
	sale := see(v202503.Transactions(c).Create(ctx, o.ID, providers.TransactionInput{
		PaymentProviderID: provider, PaymentMethod: providers.PaymentMethodInput{Type: providers.MethodTypeCreditCard, ID: "visa"},
		FirstEvent: providers.EventInput{Amount: charged, Type: providers.EventTypeSale, Status: providers.EventSuccess, AuthorizationCode: "A1"},
		Info:       providers.InfoInput{ExternalID: "ext-1", Installments: client.Set(providers.InstallmentsInput{Quantity: 1})},
	})).as(t, "Transaction.Create")
	see(v202503.Transactions(c).CreateEvent(ctx, o.ID, sale.ID, providers.EventInput{Amount: providers.Amount{Value: client.Cents(100), Currency: "ARS"}, Type: providers.EventTypeRefund, Status: providers.EventSuccess})).as(t, "Transaction.CreateEvent")
	see(v202503.Transactions(c).Get(ctx, o.ID, sale.ID)).as(t, "Transaction.Get")
	walk(t, "Transaction.List", v202503.Transactions(c).List(o.ID))

	paid, err := t.srv.Charge(client.Cents(2550))
	if err != nil {
		panic(err)
	}
	begun := client.At(time.Date(2024, 12, 2, 12, 30, 15, 0, time.UTC))
	amount := disputes.Amount{Value: client.Cents(2550), Currency: paid.Currency}
	id := see(unstable.Disputes(t.client).Create(ctx, paid.OrderID, paid.TransactionID, disputes.Input{Reason: disputes.ReasonProductNotReceived, ExternalReason: "13.1", Amount: amount, RetainedTotal: amount, InitiatedAt: begun})).as(t, "disputes.Create")
	d := see(unstable.Disputes(t.client).Get(ctx, paid.OrderID, paid.TransactionID, id)).as(t, "disputes.Get")
	done(v1.Disputes(t.client).Update(ctx, d, disputes.Update{Status: disputes.StatusUnderReview, RetainedTotal: d.RetainedTotal})).as(t, "disputes.Update")
	see(unstable.Disputes(t.client).Get(ctx, paid.OrderID, paid.TransactionID, id)).as(t, "disputes.Get again")
	done(v202503.PaymentProviders(c).Delete(ctx, provider)).as(t, "Provider.Delete")

	app := t.srv.App().ID
	plan := see(t.plans.Create(ctx, client.PlanInput{Code: "pro", ExternalReference: client.Set("pro-1")})).as(t, "Plan.Create")
	see(t.plans.Update(ctx, "pro-1", client.PlanInput{Description: client.Set("All there is")})).as(t, "Plan.Update")
	done(t.plans.Delete(ctx, string(plan.ID))).fails(t, "Plan.Delete of the default")
	_, err = t.srv.Install()
	done(err).as(t, "installed again")
	see(v202503.AppSubscriptions(c).Update(ctx, "app-cost", app, client.AppSubscriptionInput{AmountCurrency: "ARS", AmountValue: client.Set(client.MoneyNumber{Money: client.Cents(1250)})})).record(t, "AppSubscription.Update")
	see(v202503.AppSubscriptions(c).Get(ctx, "app-cost", app)).record(t, "AppSubscription.Get")
	see(v202503.Charges(c).Create(ctx, app, client.ChargeInput{
		Description: "Extra seats", ConceptCode: "app-cost", FromDate: begun, ToDate: begun, AmountValue: client.MoneyNumber{Money: client.Cents(1250)}, AmountCurrency: "ARS",
	})).as(t, "Charge.Create")
}
