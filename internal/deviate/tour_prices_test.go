package deviate_test

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// priceTables visits price tables, with what is in them.
func (t *tour) priceTables() {
	ctx, tables := t.ctx, v202503.PriceTables(t.client)
	whole := client.PriceTableInput{
		Name: "Wholesale", DefaultDiscount: client.Set(client.Cents(500)), CartMinimumPrice: client.Set(client.Cents(30000)),
		CartMinimumQuantity: client.Set(12), AutoApproveCustomers: client.Set(false),
	}
	var table *client.PriceTable
	for range 3 {
		table = see(tables.Create(ctx, whole)).as(t, "PriceTable.Create")
	}
	done(tables.Update(ctx, table.ID, client.PriceTableInput{Name: "Dealers", CartMinimumPrice: client.Null[client.Money]()})).as(t, "PriceTable.Update")
	see(tables.Get(ctx, table.ID)).as(t, "PriceTable.Get")
	walk(t, "PriceTable.List", tables.List(client.PriceTableFilter{}))
	walk(t, "PriceTable.List by two", tables.List(client.PriceTableFilter{PerPage: 2}))

	mug := see(v202503.Products(t.client).Create(ctx, client.ProductInput{Name: client.Plain("Cup"), Variants: []client.VariantInput{{Price: client.Set(client.Cents(1000))}}})).as(t, "Product.Create for a table")
	tea := see(v202503.Categories(t.client).Create(ctx, client.CategoryInput{Name: client.Plain("Cups")})).as(t, "Category.Create for a table")
	eva := see(v202503.Customers(t.client).Create(ctx, client.CustomerInput{Name: "Eva", Email: "eva.table@shop.example"})).as(t, "Customer.Create for a table")
	cup := mug.Variants[0].ID
	done(tables.SetCategories(ctx, table.ID, client.PriceTableCategoryInput{CategoryID: tea.ID, Discount: client.Cents(1000)})).as(t, "PriceTable.SetCategories")
	done(tables.SetVariants(ctx, table.ID, client.PriceTableVariantInput{ProductID: mug.ID, VariantID: cup, Price: client.Set(client.Cents(880))})).as(t, "PriceTable.SetVariants")
	see(tables.Category(ctx, table.ID, tea.ID)).as(t, "PriceTable.Category")
	see(tables.Variant(ctx, table.ID, cup)).as(t, "PriceTable.Variant")
	walk(t, "PriceTable.Categories", tables.Categories(table.ID, client.PriceTableFilter{}))
	walk(t, "PriceTable.Variants", tables.Variants(table.ID, client.PriceTableFilter{}))

	done(tables.AddCustomers(ctx, table.ID, eva.ID)).as(t, "PriceTable.AddCustomers")
	done(tables.EnsureCustomers(t.searching, table.ID, eva.ID)).as(t, "PriceTable.EnsureCustomers")
	done(tables.ApproveCustomers(ctx, table.ID, eva.ID)).as(t, "PriceTable.ApproveCustomers")
	walk(t, "PriceTable.Customers", tables.Customers(table.ID, client.PriceTableFilter{}))
	walk(t, "PriceTable.OfCustomer", tables.OfCustomer(eva.ID, client.PriceTableFilter{}))
	done(tables.RemoveCustomer(ctx, table.ID, eva.ID)).as(t, "PriceTable.RemoveCustomer")
	done(tables.RemoveCategory(ctx, table.ID, tea.ID)).as(t, "PriceTable.RemoveCategory")
	done(tables.RemoveVariant(ctx, table.ID, cup)).as(t, "PriceTable.RemoveVariant")
	done(tables.Delete(ctx, table.ID)).as(t, "PriceTable.Delete")
}
