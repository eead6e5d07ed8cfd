package client_test

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// allRead fails the test if the platform was sent a member or parameter that it
// does not read.
func allRead(t *testing.T, srv *clienttest.Server) {
	t.Helper()
	for _, r := range srv.Requests() {
		if len(r.Unread) > 0 {
			t.Errorf("%s %s: nobody reads %q", r.Method, r.Path, r.Unread)
		}
	}
}

var (
	size   = []client.Text{{"en": "Size"}}
	little = []client.Text{{"en": "S"}}
	middle = []client.Text{{"en": "M"}}
)

func TestProductsAgainstTheServer(t *testing.T) {
	srv := newServer(t)
	c, ctx := srv.Client(), t.Context()

	tea := must[*client.Category](t)(v202503.Categories(c).Create(ctx, client.CategoryInput{Name: client.Text{"en": "Tea"}}))
	mug := must[*client.Product](t)(v202503.Products(c).Create(ctx, client.ProductInput{
		Name:             client.Text{"en": "Mug"},
		Description:      client.Plain("<p>Clay</p>"),
		Handle:           client.Text{"en": "the-mug"},
		Variants:         []client.VariantInput{{Values: little, SKU: client.Set("a/b?c"), Price: client.Set(client.Cents(1050)), Stock: client.Set(client.Stock(5))}},
		Images:           []client.ImageInput{{Src: "https://img.example/1.png"}},
		Categories:       client.Set([]client.ID{tea.ID}),
		Brand:            client.Set("Potter"),
		Published:        client.Set(false),
		FreeShipping:     client.Set(true),
		VideoURL:         client.Set("https://video.example/1"),
		SEOTitle:         client.Plain("Mug"),
		SEODescription:   client.Plain("A mug"),
		Attributes:       size,
		Tags:             client.Set("clay"),
		RequiresShipping: client.Set(true),
	}))
	if len(mug.Variants) != 1 || len(mug.Images) != 1 || len(mug.Categories) != 1 || mug.Categories[0].ID != tea.ID || mug.Published || !mug.FreeShipping {
		t.Errorf("created %+v", mug)
	}
	if len(mug.Extra) > 0 || len(mug.Variants[0].Extra) > 0 || len(mug.Images[0].Extra) > 0 || len(mug.Categories[0].Extra) > 0 {
		t.Errorf("members without a field: %v %v %v %v", mug.Extra, mug.Variants[0].Extra, mug.Images[0].Extra, mug.Categories[0].Extra)
	}
	store := must[*client.Store](t)(v202503.Store(c).Get(ctx))
	if store.URLWithProtocol == nil || mug.CanonicalURL == nil || *mug.CanonicalURL != *store.URLWithProtocol+"/products/the-mug/" {
		t.Errorf("the product is at %v in the store at %v", mug.CanonicalURL, store.URLWithProtocol)
	}
	if mug.HasStock == nil || !*mug.HasStock {
		t.Errorf("a product with 5 pieces has stock: %v", mug.HasStock)
	}
	if found := must[*client.Product](t)(v202503.Products(c).BySKU(ctx, "a/b?c")); found.ID != mug.ID {
		t.Errorf("BySKU gave %d, want %d", found.ID, mug.ID)
	}
	bare := must[*client.Product](t)(v202503.Products(c).Update(ctx, mug.ID, client.ProductInput{Categories: client.Set([]client.ID{}), Brand: client.Null[string](), Tags: client.Set("")}))
	if len(bare.Categories) != 0 || bare.Brand != nil || bare.Tags != "" || !bare.FreeShipping {
		t.Errorf("updated to %+v", bare)
	}
	listed := must[[]client.Product](t)(v202503.Products(c).List(client.ProductFilter{IDs: []client.ID{mug.ID}, Published: client.Set(false), MaxStock: client.Set(5), MinStock: client.Set(5), Sort: client.ProductSortNameAscending}).Collect(ctx))
	if len(listed) != 1 {
		t.Errorf("listed %d products, want 1", len(listed))
	}
	results := must[[]client.StockPriceResult](t)(v202503.Products(c).UpdateStockPrice(ctx, []client.StockPrice{{ProductID: mug.ID, Variants: []client.VariantStockPrice{
		{VariantID: mug.Variants[0].ID, Price: client.Set(client.Cents(2000)), InventoryLevels: []client.InventoryLevelInput{{Stock: 9}}},
		{VariantID: 1, Price: client.Set(client.Cents(2000))},
	}}}))
	if r := results[0].Variants; !r[0].Success || r[1].Success {
		t.Errorf("results %+v, want the second to fail", r)
	}
	v := must[*client.Variant](t)(v202503.Variants(c).Get(ctx, mug.ID, mug.Variants[0].ID))
	if !v.Price.Equal(client.Cents(2000)) || *v.Stock != 9 || *v.InventoryLevels[0].Stock != 9 {
		t.Errorf("repriced to %+v", v)
	}
	if err := v202503.Products(c).Delete(ctx, mug.ID); err != nil {
		t.Error(err)
	}
	if _, err := v202503.Products(c).Get(ctx, mug.ID); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("deleted product: got %v, want ErrNotFound", err)
	}
	allRead(t, srv)
}

func TestVariantsAgainstTheServer(t *testing.T) {
	srv := newServer(t)
	c, ctx := srv.Client(), t.Context()
	mug := must[*client.Product](t)(v1.Products(c).Create(ctx, client.ProductInput{Name: client.Plain("Mug"), Attributes: size, Variants: []client.VariantInput{{Values: little}}}))

	m := must[*client.Variant](t)(v1.Variants(c).Create(ctx, mug.ID, client.VariantInput{
		Values: middle, Price: client.Set(client.Cents(1000)), PromotionalPrice: client.Set(client.Cents(900)), Stock: client.Set(client.StockUnlimited),
		Weight: client.Set(client.Measure("0.250")), Width: client.Set(client.Measure("10")), SKU: client.Set("M"), Barcode: client.Set("779"), MPN: client.Set("MPN"),
		AgeGroup: client.Set(client.AgeGroupAdult), Gender: client.Set(client.GenderUnisex), Cost: client.Set(client.Cents(500)),
	}))
	if m.Stock != nil || m.StockManagement || m.Weight != "0.250" || m.AgeGroup != client.AgeGroupAdult || !m.Cost.Equal(client.Cents(500)) || len(m.Extra) > 0 {
		t.Errorf("created %+v", m)
	}
	m = must[*client.Variant](t)(v1.Variants(c).Update(ctx, mug.ID, m.ID, client.VariantInput{
		Price: client.Null[client.Money](), PromotionalPrice: client.Null[client.Money](), SKU: client.Null[string](), AgeGroup: client.Null[client.AgeGroup](), Weight: client.Null[client.Measure](),
	}))
	if m.Price != nil || m.PromotionalPrice != nil || m.SKU != nil || m.AgeGroup != "" || m.Gender != client.GenderUnisex {
		t.Errorf("updated to %+v", m)
	}
	all := must[[]client.Variant](t)(v1.Variants(c).SetStock(ctx, mug.ID, client.StockTarget{}, 4))
	if len(all) != 2 || *all[0].Stock != 4 || *all[1].Stock != 4 {
		t.Errorf("stock of all variants: got %+v, want 4", all)
	}
	one := must[[]client.Variant](t)(v1.Variants(c).AdjustStock(ctx, mug.ID, client.StockTarget{VariantID: m.ID, LocationID: all[0].InventoryLevels[0].LocationID}, -9))
	if len(one) != 1 || *one[0].Stock != 0 {
		t.Errorf("stock of one variant: got %+v, want 0", one)
	}
	one = must[[]client.Variant](t)(v1.Variants(c).SetStock(ctx, mug.ID, client.StockTarget{VariantID: m.ID}, client.StockUnlimited))
	if one[0].Stock != nil {
		t.Errorf("stock = %d, want unlimited", *one[0].Stock)
	}
	patched := must[[]client.Variant](t)(v1.Variants(c).Patch(ctx, mug.ID, []client.VariantPatch{{ID: m.ID, VariantInput: client.VariantInput{Price: client.Set(client.Cents(1))}}}))
	if len(patched) != 2 {
		t.Errorf("Patch gave %d variants, want all 2", len(patched))
	}
	left := must[[]client.Variant](t)(v1.Variants(c).Replace(ctx, mug.ID, []client.VariantInput{{Values: middle}}))
	if len(left) != 1 || left[0].ID != m.ID {
		t.Errorf("Replace left %+v, want only %d with its id", left, m.ID)
	}
	must[*client.Variant](t)(v1.Variants(c).Create(ctx, mug.ID, client.VariantInput{Values: little}))
	if err := v1.Variants(c).Delete(ctx, mug.ID, m.ID); err != nil {
		t.Error(err)
	}
	if rest := must[[]client.Variant](t)(v1.Variants(c).List(mug.ID, client.VariantFilter{SinceID: m.ID}).Collect(ctx)); len(rest) != 1 {
		t.Errorf("%d variants behind the deleted one, want 1", len(rest))
	}
	allRead(t, srv)
}

// The batch was applied and half of its answer came: the client reads the result.
func TestReplaceWithHalfAnAnswer(t *testing.T) {
	srv := newServer(t)
	c, ctx := srv.Client(), t.Context()
	mug := must[*client.Product](t)(v1.Products(c).Create(ctx, client.ProductInput{Name: client.Plain("Mug"), Attributes: size, Variants: []client.VariantInput{{Values: little}}}))
	if err := srv.Fault(clienttest.Fault{Operation: "PUT /products/{product_id}/variants", Count: 1, Truncate: true, After: true}); err != nil {
		t.Fatal(err)
	}
	left := must[[]client.Variant](t)(v1.Variants(c).Replace(ctx, mug.ID, []client.VariantInput{{Values: middle}}))
	if len(left) != 1 || left[0].Values[0].Get("en") != "M" {
		t.Errorf("Replace gave %+v, want M", left)
	}
	if hit := slices.ContainsFunc(srv.Requests(), func(r clienttest.Request) bool { return r.Fault }); !hit {
		t.Error("no answer was cut")
	}
	puts := slices.DeleteFunc(srv.Requests(), func(r clienttest.Request) bool { return r.Method != "PUT" })
	if len(puts) != 1 {
		t.Errorf("%d PUTs, want 1", len(puts))
	}
}

func TestImagesAgainstTheServer(t *testing.T) {
	srv := newServer(t)
	c, ctx := srv.Client(), t.Context()
	mug := must[*client.Product](t)(v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Plain("Mug")}))
	first := must[*client.Image](t)(v202503.Images(c).Create(ctx, mug.ID, client.ImageInput{Src: "https://img.example/1.png"}))
	second := must[*client.Image](t)(v202503.Images(c).Create(ctx, mug.ID, client.ImageInput{Attachment: []byte("\x89PNG\r\n\x1a\n"), Filename: "2.png", Position: 1}))
	if first.Alt.Get() != "" || second.Position != 1 || second.StoreMediaUUID != nil || len(second.Extra) > 0 {
		t.Errorf("created %+v and %+v", first, second)
	}
	must[*client.Image](t)(v202503.Images(c).Update(ctx, mug.ID, first.ID, client.ImageInput{Alt: client.Text{"en": "Front"}, Position: 1}))
	if got := must[*client.Image](t)(v202503.Images(c).Get(ctx, mug.ID, first.ID)); got.Alt.Get("en") != "Front" || got.Position != 1 {
		t.Errorf("updated to %+v", got)
	}
	if found := must[[]client.Image](t)(v202503.Images(c).List(mug.ID, client.ImageFilter{Position: 2}).Collect(ctx)); len(found) != 1 || found[0].ID != second.ID {
		t.Errorf("at position 2: %+v, want %d", found, second.ID)
	}
	if err := v202503.Images(c).Delete(ctx, mug.ID, first.ID); err != nil {
		t.Error(err)
	}
	allRead(t, srv)
}

func TestCategoriesAgainstTheServer(t *testing.T) {
	srv := newServer(t)
	c, ctx := srv.Client(), t.Context()
	root := must[*client.Category](t)(v202503.Categories(c).Create(ctx, client.CategoryInput{Name: client.Text{"en": "Root"}}))
	leaf := must[*client.Category](t)(v202503.Categories(c).Create(ctx, client.CategoryInput{
		Name: client.Text{"en": "Leaf"}, Description: client.Text{"en": "<p>Leaf</p>"}, Parent: client.Set(root.ID), Visibility: client.VisibilityHidden, FeedShoppingCategory: client.Set("A > B"),
	}))
	if *leaf.Parent != root.ID || leaf.Visibility != client.VisibilityHidden || *leaf.FeedShoppingCategory != "A > B" || len(leaf.Extra) > 0 {
		t.Errorf("created %+v", leaf)
	}
	if got := must[*client.Category](t)(v202503.Categories(c).Get(ctx, root.ID)); !slices.Equal(got.Subcategories, []client.ID{leaf.ID}) {
		t.Errorf("subcategories %v, want %d", got.Subcategories, leaf.ID)
	}
	leaf = must[*client.Category](t)(v202503.Categories(c).Update(ctx, leaf.ID, client.CategoryInput{Parent: client.Null[client.ID](), Visibility: client.VisibilityVisible}))
	if leaf.Parent != nil || leaf.Visibility != client.VisibilityVisible {
		t.Errorf("updated to %+v", leaf)
	}
	found := must[[]client.Category](t)(v202503.Categories(c).List(client.CategoryFilter{Language: "en", Handle: leaf.Handle.Get("en")}).Collect(ctx))
	if len(found) != 1 || found[0].ID != leaf.ID {
		t.Errorf("found by handle: %+v, want %d", found, leaf.ID)
	}
	if err := v202503.Categories(c).Delete(ctx, leaf.ID); err != nil {
		t.Error(err)
	}
	allRead(t, srv)
}

func TestWebhooksAgainstTheServer(t *testing.T) {
	srv := newServer(t)
	c, ctx := srv.Client(), t.Context()
	w := must[*client.Webhook](t)(v202503.Webhooks(c).Create(ctx, client.WebhookInput{URL: "https://app.example/a", Event: "product/created"}))
	w = must[*client.Webhook](t)(v202503.Webhooks(c).Update(ctx, w.ID, client.WebhookInput{URL: "https://app.example/b"}))
	if w.URL != "https://app.example/b" || w.Event != "product/created" || len(w.Extra) > 0 {
		t.Errorf("updated to %+v", w)
	}
	found := must[[]client.Webhook](t)(v202503.Webhooks(c).List(client.WebhookFilter{URL: w.URL, Event: "product/created"}).Collect(ctx))
	if len(found) != 1 || found[0].ID != w.ID {
		t.Errorf("found %+v, want %d", found, w.ID)
	}
	_, err := v202503.Webhooks(c).Create(ctx, client.WebhookInput{URL: "https://localhost/a", Event: "planet/moved"})
	if e, ok := errors.AsType[*client.Error](err); !ok || len(e.Fields["url"]) == 0 || len(e.Fields["event"]) == 0 {
		t.Errorf("local host and unknown event: got %v, want messages for both", err)
	}
	if err := v202503.Webhooks(c).Delete(ctx, w.ID); err != nil {
		t.Error(err)
	}
	if _, err := v202503.Webhooks(c).Get(ctx, w.ID); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("deleted: got %v, want ErrNotFound", err)
	}
	allRead(t, srv)
}

// Prices and pictures in an update were sent, left as they were by the platform, and not reported.
func TestProductUpdateTakesNoVariantsAndImages(t *testing.T) {
	srv := newServer(t)
	for _, in := range []client.ProductInput{
		{Variants: []client.VariantInput{{Price: client.Set(client.MustMoney("2"))}}},
		{Images: []client.ImageInput{{Src: "https://a.example/mug.png"}}},
	} {
		if _, err := v1.Products(srv.Client()).Update(t.Context(), 1, in); !errors.Is(err, client.ErrValidation) {
			t.Errorf("got %v, want ErrValidation", err)
		}
	}
	if got := srv.Requests(); len(got) > 0 {
		t.Errorf("asked %v, want nothing", got)
	}
}

// A text in an update is the whole member: a language that it leaves out is gone.
func TestUpdateReplacesTheTextsOfAllLanguages(t *testing.T) {
	srv := newServer(t)
	c, ctx := srv.Client(), t.Context()
	mug := must[*client.Product](t)(v1.Products(c).Create(ctx, client.ProductInput{Name: client.Text{"en": "Mug", "es": "Taza"}}))
	tea := must[*client.Category](t)(v1.Categories(c).Create(ctx, client.CategoryInput{Name: client.Text{"en": "Tea", "es": "Té"}}))
	want := client.Text{"en": "Cup"}
	if got := must[*client.Product](t)(v1.Products(c).Update(ctx, mug.ID, client.ProductInput{Name: want})); !maps.Equal(got.Name, want) {
		t.Errorf("product: got %v, want %v", map[string]string(got.Name), map[string]string(want))
	}
	if got := must[*client.Category](t)(v1.Categories(c).Update(ctx, tea.ID, client.CategoryInput{Name: want})); !maps.Equal(got.Name, want) {
		t.Errorf("category: got %v, want %v", map[string]string(got.Name), map[string]string(want))
	}
}
