package client

import "fmt"

// MaxProductIDs is the number of ids that one ProductFilter takes.
const MaxProductIDs = 30

// ProductFilter selects products. The zero filter selects all.
type ProductFilter struct {
	Paging
	Window
	// SinceID selects products with a greater id.
	SinceID ID
	// IDs selects products by id, MaxProductIDs at most.
	IDs []ID
	// Language is the code of the language that Handle is in.
	Language string
	// Query is text in names, tags or SKU.
	Query      string
	Handle     string
	CategoryID ID
	// Published, FreeShipping and the four below select by yes or no.
	Published                 Opt[bool]
	FreeShipping              Opt[bool]
	HasPromotionalPrice       Opt[bool]
	HasWeight                 Opt[bool]
	HasAllDimensions          Opt[bool]
	HasWeightAndAllDimensions Opt[bool]
	// MaxStock and MinStock are inclusive.
	MaxStock Opt[int]
	MinStock Opt[int]
	// Sort is empty for the platform's own order.
	Sort ProductSort
}

func (f ProductFilter) query() *query {
	q := newQuery().paging(f.Paging).window(f.Window).id("since_id", f.SinceID).ids("ids", f.IDs).
		text("language", f.Language).text("q", f.Query).text("handle", f.Handle).id("category_id", f.CategoryID).
		flag("published", f.Published).flag("free_shipping", f.FreeShipping).
		number("max_stock", f.MaxStock).number("min_stock", f.MinStock).
		flag("has_promotional_price", f.HasPromotionalPrice).flag("has_weight", f.HasWeight).
		flag("has_all_dimensions", f.HasAllDimensions).flag("has_weight_and_all_dimensions", f.HasWeightAndAllDimensions).
		text("sort_by", string(f.Sort))
	if len(f.IDs) > MaxProductIDs {
		q.fail(Invalid("ids", len(f.IDs), fmt.Sprintf("at most %d ids", MaxProductIDs)))
	}
	return q
}

// ProductSort is an order of products.
type ProductSort string

// The orders of products. Price and cost are two words for the same order, and so
// are alpha and name.
const (
	ProductsByUser              ProductSort = "user" // as the merchant arranged them
	ProductsByPriceAscending    ProductSort = "price-ascending"
	ProductsByPriceDescending   ProductSort = "price-descending"
	ProductsByCostAscending     ProductSort = "cost-ascending"
	ProductsByCostDescending    ProductSort = "cost-descending"
	ProductsByAlphaAscending    ProductSort = "alpha-ascending"
	ProductsByAlphaDescending   ProductSort = "alpha-descending"
	ProductsByNameAscending     ProductSort = "name-ascending"
	ProductsByNameDescending    ProductSort = "name-descending"
	ProductsByCreatedAscending  ProductSort = "created-at-ascending"
	ProductsByCreatedDescending ProductSort = "created-at-descending"
	ProductsByBestSelling       ProductSort = "best-selling"
)

// Known reports whether the contract names the value.
func (s ProductSort) Known() bool {
	switch s {
	case ProductsByUser, ProductsByPriceAscending, ProductsByPriceDescending, ProductsByCostAscending,
		ProductsByCostDescending, ProductsByAlphaAscending, ProductsByAlphaDescending, ProductsByNameAscending,
		ProductsByNameDescending, ProductsByCreatedAscending, ProductsByCreatedDescending, ProductsByBestSelling:
		return true
	}
	return false
}
