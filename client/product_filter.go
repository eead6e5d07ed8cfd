package client

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

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
	CategoryID ID // in this category
	// Published, FreeShipping and the four below select by yes or no.
	Published                 Opt[bool]
	FreeShipping              Opt[bool]
	HasPromotionalPrice       Opt[bool] // a variant has a promotional price, or none has
	HasWeight                 Opt[bool] // a variant has a weight, or none has
	HasAllDimensions          Opt[bool] // a variant has width, height and depth, or none has
	HasWeightAndAllDimensions Opt[bool] // a variant has all four, or none has
	// MaxStock and MinStock are inclusive.
	MaxStock Opt[int]
	MinStock Opt[int]
	// Visibility is empty for all. Only newer documentation has it; it cannot be combined with Published.
	Visibility ProductVisibility
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
		text("visibility", string(f.Visibility)).text("sort_by", string(f.Sort))
	if len(f.IDs) > MaxProductIDs {
		q.fail(engine.Invalid("ids", len(f.IDs), fmt.Sprintf("at most %d ids", MaxProductIDs)))
	}
	if f.Visibility != "" && q.values.Has("published") {
		q.fail(engine.Invalid("visibility", f.Visibility, "either visibility or published"))
	}
	return q
}

// ProductVisibility says where the storefront shows a product, to a ProductFilter.
type ProductVisibility string

// The values of ProductVisibility.
const (
	ProductVisible  ProductVisibility = "visible"  // customers find it
	ProductUnlisted ProductVisibility = "unlisted" // reached by its address only [inferred]
	ProductHidden   ProductVisibility = "hidden"   // it is not shown
)

// Known reports whether the value is one of those that are documented.
func (v ProductVisibility) Known() bool {
	return enum.Known(v, ProductVisible, ProductUnlisted, ProductHidden)
}

// ProductSort is an order of products.
type ProductSort string

// The orders of products. Price and cost are two words for the same order, and so
// are alpha and name.
const (
	ProductSortUser              ProductSort = "user"                  // as the merchant arranged them
	ProductSortPriceAscending    ProductSort = "price-ascending"       // the cheapest first
	ProductSortPriceDescending   ProductSort = "price-descending"      // the dearest first
	ProductSortCostAscending     ProductSort = "cost-ascending"        // the cheapest first
	ProductSortCostDescending    ProductSort = "cost-descending"       // the dearest first
	ProductSortAlphaAscending    ProductSort = "alpha-ascending"       // by name, from A
	ProductSortAlphaDescending   ProductSort = "alpha-descending"      // by name, from Z
	ProductSortNameAscending     ProductSort = "name-ascending"        // by name, from A
	ProductSortNameDescending    ProductSort = "name-descending"       // by name, from Z
	ProductSortCreatedAscending  ProductSort = "created-at-ascending"  // the oldest first
	ProductSortCreatedDescending ProductSort = "created-at-descending" // the newest first
	ProductSortBestSelling       ProductSort = "best-selling"          // what sells best first
)

// Known reports whether the contract names the value.
func (s ProductSort) Known() bool {
	return enum.Known(s,
		ProductSortUser, ProductSortPriceAscending, ProductSortPriceDescending, ProductSortCostAscending,
		ProductSortCostDescending, ProductSortAlphaAscending, ProductSortAlphaDescending, ProductSortNameAscending,
		ProductSortNameDescending, ProductSortCreatedAscending, ProductSortCreatedDescending, ProductSortBestSelling,
	)
}
