package client

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// MaxProductIDs is the maximum number of ids in one ProductFilter.
const MaxProductIDs = 30

// ProductFilter selects products. The zero filter selects all.
type ProductFilter struct {
	Paging
	Window
	// SinceID selects products with a greater id.
	SinceID ID
	// IDs selects products by id, at most MaxProductIDs.
	IDs []ID
	// Language is the language code of Handle.
	Language string
	// Query selects products with this text in name, tags or SKU.
	Query      string
	Handle     string
	CategoryID ID // selects products of this category
	// Published, FreeShipping and the four fields below select products by true or false.
	Published                 Opt[bool]
	FreeShipping              Opt[bool]
	HasPromotionalPrice       Opt[bool] // a variant has a promotional price, or no variant has
	HasWeight                 Opt[bool] // a variant has a weight, or no variant has
	HasAllDimensions          Opt[bool] // a variant has width, height and depth, or no variant has
	HasWeightAndAllDimensions Opt[bool] // a variant has all four, or no variant has
	// MaxStock and MinStock are inclusive.
	MaxStock Opt[int]
	MinStock Opt[int]
	// Visibility selects by visibility; empty selects all. It is only in newer documentation and cannot be combined
	// with Published.
	Visibility ProductVisibility
	// Sort is the order of the list; empty means the platform's default.
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

// ProductVisibility is the visibility of a product in the storefront, for a ProductFilter.
type ProductVisibility string

// The values of ProductVisibility.
const (
	ProductVisible  ProductVisibility = "visible"  // customers can find it
	ProductUnlisted ProductVisibility = "unlisted" // reachable only by its URL [inferred]
	ProductHidden   ProductVisibility = "hidden"   // not shown
)

// Known reports whether the value is documented.
func (v ProductVisibility) Known() bool {
	return wire.Known(v, ProductVisible, ProductUnlisted, ProductHidden)
}

// ProductSort is a sort order of products.
type ProductSort string

// The sort orders of products. Price and cost are two names of the same order, as are alpha and name.
const (
	ProductSortUser              ProductSort = "user"                  // as the merchant arranged them
	ProductSortPriceAscending    ProductSort = "price-ascending"       // cheapest first
	ProductSortPriceDescending   ProductSort = "price-descending"      // most expensive first
	ProductSortCostAscending     ProductSort = "cost-ascending"        // cheapest first
	ProductSortCostDescending    ProductSort = "cost-descending"       // most expensive first
	ProductSortAlphaAscending    ProductSort = "alpha-ascending"       // by name, from A
	ProductSortAlphaDescending   ProductSort = "alpha-descending"      // by name, from Z
	ProductSortNameAscending     ProductSort = "name-ascending"        // by name, from A
	ProductSortNameDescending    ProductSort = "name-descending"       // by name, from Z
	ProductSortCreatedAscending  ProductSort = "created-at-ascending"  // oldest first
	ProductSortCreatedDescending ProductSort = "created-at-descending" // newest first
	ProductSortBestSelling       ProductSort = "best-selling"          // best-selling first
)

// Known reports whether the contract names the value.
func (s ProductSort) Known() bool {
	return wire.Known(s,
		ProductSortUser, ProductSortPriceAscending, ProductSortPriceDescending, ProductSortCostAscending,
		ProductSortCostDescending, ProductSortAlphaAscending, ProductSortAlphaDescending, ProductSortNameAscending,
		ProductSortNameDescending, ProductSortCreatedAscending, ProductSortCreatedDescending, ProductSortBestSelling,
	)
}
