package deviate_test

import (
	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// catalog visits products with their variants and images, categories, kits and metafields.
func (t *tour) catalog() {
	ctx, c := t.ctx, t.client
	size, small, large := []client.Text{{"en": "Size", "es": "Talle"}}, []client.Text{{"en": "S", "es": "S"}}, []client.Text{{"en": "L", "es": "G"}}
	tea := see(v202503.Categories(c).Create(ctx, client.CategoryInput{Name: client.Text{"en": "Tea & <more> 😀", "es": "Té"}, Description: client.Text{"en": "a/b \"c\" \\ 1+1\n"}})).as(t, "Category.Create")
	leaf := see(v202503.Categories(c).Create(ctx, client.CategoryInput{Name: client.Text{"en": "Leaf"}, Parent: client.Set(tea.ID), FeedShoppingCategory: client.Set("A > B")})).as(t, "Category.Create")
	see(v202503.Categories(c).Get(ctx, tea.ID)).as(t, "Category.Get")
	see(v202503.Categories(c).Get(ctx, tea.ID, "id", "name")).as(t, "Category.Get fields")
	see(v202503.Categories(c).Update(ctx, leaf.ID, client.CategoryInput{Visibility: client.VisibilityHidden, Parent: client.Null[client.ID]()})).as(t, "Category.Update")
	crawl(t, "Category.List", v202503.Categories(c).List(client.CategoryFilter{}))
	walk(t, "Category.List by two", v202503.Categories(c).List(client.CategoryFilter{Paging: client.Paging{PerPage: 2}}))

	mug := see(v202503.Products(c).Create(ctx, client.ProductInput{
		Name: client.Text{"en": "Mug 😀 / \"big\"", "es": "Taza"}, Description: client.Text{"en": "<p>Clay & more</p>"}, Attributes: size, Tags: client.Set("clay,new"), Brand: client.Set("Potter"),
		Variants: []client.VariantInput{
			{
				Values: small, SKU: client.Set("12345"), Barcode: client.Set("7891234567895"), MPN: client.Set("881"), Price: client.Set(client.Cents(1050)), PromotionalPrice: client.Set(client.Cents(900)),
				Stock: client.Set(client.Stock(5)), Weight: client.Set(client.Measure("0.250")), Width: client.Set(client.Measure("10")), Cost: client.Set(client.Cents(500)),
			},
			{Values: large, SKU: client.Set("a/b?c"), Stock: client.Set(client.StockUnlimited)},
		},
		Images: []client.ImageInput{{Src: "https://img.example/1.png"}}, Categories: client.Set([]client.ID{tea.ID}), FreeShipping: client.Set(true), VideoURL: client.Set("https://video.example/1"),
		SEOTitle: client.Plain("Mug"), RequiresShipping: client.Set(true),
	})).as(t, "Product.Create")
	see(v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Plain("Bare"), Published: client.Set(false)})).as(t, "Product.Create bare")
	see(v1.Products(t.client).Get(ctx, mug.ID)).as(t, "Product.Get v1")
	see(v202503.Products(c).Get(ctx, mug.ID)).as(t, "Product.Get")
	see(v202503.Products(c).Get(ctx, mug.ID, "id", "variants")).as(t, "Product.Get fields")
	see(v202503.Products(c).BySKU(ctx, "a/b?c")).as(t, "Product.BySKU")
	seeMade(v202503.Products(c).CreateOrGet(t.searching, client.ProductInput{Name: client.Plain("Mug"), Variants: []client.VariantInput{{SKU: client.Set("12345")}}})).as(t, "Product.CreateOrGet")
	see(v202503.Products(c).Update(ctx, mug.ID, client.ProductInput{Brand: client.Null[string](), Categories: client.Set([]client.ID{tea.ID, leaf.ID})})).as(t, "Product.Update")
	see(v202503.Products(c).UpdateStockPrice(ctx, []client.StockPrice{{ProductID: mug.ID, Variants: []client.VariantStockPrice{
		{VariantID: mug.Variants[0].ID, Price: client.Set(client.Cents(2000)), InventoryLevels: []client.InventoryLevelInput{{Stock: 9}}}, {VariantID: 1, Price: client.Set(client.Cents(2000))},
	}}})).as(t, "Product.UpdateStockPrice")
	crawl(t, "Product.List", v202503.Products(c).List(client.ProductFilter{}))
	walk(t, "Product.List by two", v1.Products(t.client).List(client.ProductFilter{Paging: client.Paging{PerPage: 2}}))
	walk(t, "Product.List of fields", v202503.Products(c).List(client.ProductFilter{Paging: client.Paging{Fields: []string{"id", "name"}}}))

	t.variants(mug, small, large)
	t.images(mug)

	kits := see(v202503.Products(c).List(client.ProductFilter{Query: "Camping set"}).Collect(ctx)).as(t, "Product.List by query")
	see(v202503.Kits(c).Get(ctx, kits[0].ID)).as(t, "Kit.Get")
	t.metafields(mug)
	done(v202503.Categories(c).Delete(ctx, leaf.ID)).as(t, "Category.Delete")
	done(v202503.Products(c).Delete(ctx, mug.ID)).as(t, "Product.Delete")
}

func (t *tour) variants(mug *client.Product, small, large []client.Text) {
	ctx, c := t.ctx, t.client
	middle := []client.Text{{"en": "M"}}
	m := see(v202503.Variants(c).Create(ctx, mug.ID, client.VariantInput{Values: middle, Price: client.Set(client.Cents(1000)), Stock: client.Set(client.Stock(7)), AgeGroup: client.Set(client.AgeGroupAdult)})).as(t, "Variant.Create")
	see(v202503.Variants(c).Get(ctx, mug.ID, m.ID)).as(t, "Variant.Get")
	see(v202503.Variants(c).Update(ctx, mug.ID, m.ID, client.VariantInput{Price: client.Null[client.Money](), Weight: client.Set(client.Measure("1"))})).as(t, "Variant.Update")
	see(v202503.Variants(c).SetStock(ctx, mug.ID, client.StockTarget{VariantID: m.ID}, 4)).as(t, "Variant.SetStock")
	see(v202503.Variants(c).AdjustStock(ctx, mug.ID, client.StockTarget{VariantID: m.ID}, 3)).as(t, "Variant.AdjustStock")
	see(v202503.Variants(c).SetStock(ctx, mug.ID, client.StockTarget{VariantID: m.ID}, client.StockUnlimited)).as(t, "Variant.SetStock unlimited")
	see(v202503.Variants(c).Patch(ctx, mug.ID, []client.VariantPatch{{ID: m.ID, VariantInput: client.VariantInput{Price: client.Set(client.Cents(1))}}})).as(t, "Variant.Patch")
	crawl(t, "Variant.List", v202503.Variants(c).List(mug.ID, client.VariantFilter{}))
	walk(t, "Variant.List by two", v202503.Variants(c).List(mug.ID, client.VariantFilter{Paging: client.Paging{PerPage: 2}}))
	see(v202503.Variants(c).Replace(ctx, mug.ID, []client.VariantInput{{Values: small, Price: client.Set(client.Cents(1))}, {Values: large}, {Values: middle}})).as(t, "Variant.Replace")
	done(v202503.Variants(c).Delete(ctx, mug.ID, m.ID)).as(t, "Variant.Delete")
}

func (t *tour) images(mug *client.Product) {
	ctx, c := t.ctx, t.client
	first := see(v202503.Images(c).Create(ctx, mug.ID, client.ImageInput{Src: "https://img.example/2.png", Alt: client.Text{"en": "Front"}})).as(t, "Image.Create")
	see(v202503.Images(c).Create(ctx, mug.ID, client.ImageInput{Attachment: []byte("\x89PNG\r\n\x1a\n"), Filename: "2.png", Position: 1})).as(t, "Image.Create attachment")
	see(v202503.Images(c).Update(ctx, mug.ID, first.ID, client.ImageInput{Position: 1})).as(t, "Image.Update")
	see(v202503.Images(c).Get(ctx, mug.ID, first.ID)).as(t, "Image.Get")
	crawl(t, "Image.List", v202503.Images(c).List(mug.ID, client.ImageFilter{}))
	done(v202503.Images(c).Delete(ctx, mug.ID, first.ID)).as(t, "Image.Delete")
}

func (t *tour) metafields(mug *client.Product) {
	ctx, c := t.ctx, t.client
	walk(t, "Metafield.ListFor nobody", v202503.Metafields(c).ListFor(client.MetafieldOwnerCategory, client.MetafieldFilter{}))
	m := see(v202503.Metafields(c).Create(ctx, client.MetafieldInput{Namespace: "app_data", Key: "a", Value: "1/2", Description: client.Set("about it"), OwnerResource: client.MetafieldOwnerProduct, OwnerID: mug.ID})).as(t, "Metafield.Create")
	for _, key := range []string{"b", "c"} {
		seeMade(v202503.Metafields(c).CreateOrGet(t.searching, client.MetafieldInput{Namespace: "app_data", Key: key, Value: "5", OwnerResource: client.MetafieldOwnerProduct, OwnerID: mug.ID})).as(t, "Metafield.CreateOrGet")
	}
	seeMade(v202503.Metafields(c).CreateOrGet(t.searching, client.MetafieldInput{Namespace: "app_data", Key: "a", Value: "1/2", OwnerResource: client.MetafieldOwnerProduct, OwnerID: mug.ID})).as(t, "Metafield.CreateOrGet again")
	see(v202503.Metafields(c).Update(ctx, m.ID, client.MetafieldInput{Value: "hats"})).as(t, "Metafield.Update")
	see(v202503.Metafields(c).Get(ctx, m.ID)).as(t, "Metafield.Get")
	walk(t, "Metafield.ListFor", v202503.Metafields(c).ListFor(client.MetafieldOwnerProduct, client.MetafieldFilter{OwnerID: mug.ID}))
	done(v202503.Metafields(c).Delete(ctx, m.ID)).as(t, "Metafield.Delete")
}

// customFields visits the fields of apps for each kind of record.
func (t *tour) customFields() {
	ctx, c := t.ctx, t.client
	product := see(v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Plain("Owner")})).as(t, "Product.Create")
	category := see(v202503.Categories(c).Create(ctx, client.CategoryInput{Name: client.Plain("Owner")})).as(t, "Category.Create")
	customer := see(v202503.Customers(c).Create(ctx, client.CustomerInput{Name: "Owner", Email: "owner@example.com"})).as(t, "Customer.Create")
	orders := see(v202503.Orders(c).List(client.OrderFilter{}).Collect(ctx)).as(t, "Order.List")
	for _, owner := range []struct {
		fields *client.CustomFieldService
		id     client.ID
	}{
		{v202503.ProductCustomFields(c), product.ID}, {v202503.VariantCustomFields(c), product.Variants[0].ID}, {v202503.CustomerCustomFields(c), customer.ID},
		{v202503.CategoryCustomFields(c), category.ID}, {v202503.OrderCustomFields(c), orders[0].ID},
	} {
		fabric := see(owner.fields.Create(ctx, client.CustomFieldInput{Name: "Fabric", Description: "about it", ValueType: client.ValueTypeTextList, Values: []string{"cotton", "wool", "wool"}})).as(t, "CustomField.Create")
		weight := see(owner.fields.Create(ctx, client.CustomFieldInput{Name: "Weight", ValueType: client.ValueTypeNumeric, ReadOnly: true})).as(t, "CustomField.Create numeric")
		see(owner.fields.Get(ctx, fabric.ID)).as(t, "CustomField.Get")
		see(owner.fields.AddValues(ctx, fabric.ID, "silk", "cotton")).as(t, "CustomField.AddValues")
		walk(t, "CustomField.List", owner.fields.List())
		done(owner.fields.SetValues(ctx, owner.id, client.CustomFieldSetting{ID: fabric.ID, Value: client.Set("wool")}, client.CustomFieldSetting{ID: weight.ID, Value: client.Set("42")})).as(t, "CustomField.SetValues")
		walk(t, "CustomField.Values", owner.fields.Values(owner.id))
		see(owner.fields.Owners(ctx, fabric.ID)).as(t, "CustomField.Owners")
		done(owner.fields.Delete(ctx, weight.ID)).as(t, "CustomField.Delete")
		see(owner.fields.Get(ctx, uuid.UUID{1})).fails(t, "CustomField.Get of nobody")
	}
}
