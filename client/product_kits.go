package client

import (
	"context"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Kit is a product that groups single-variant products. Kits are created in the
// admin panel; the API only reads them.
type Kit struct {
	// ID is also the id of the product.
	ID   ID   `json:"id"`
	Name Text `json:"name"` // shown to customers, by language
	// Description is HTML.
	Description    Text `json:"description"`
	Handle         Text `json:"handle"`          // for its URL in the storefront, by language
	SEOTitle       Text `json:"seo_title"`       // for search engines, at most 70 characters
	SEODescription Text `json:"seo_description"` // for search engines, at most 320 characters
	// SKU, Barcode, MPN and Brand are nil if unset.
	SKU     *string `json:"sku"`
	Barcode *string `json:"barcode"`
	MPN     *string `json:"mpn"`
	Brand   *string `json:"brand"`
	// Gender and AgeGroup are empty if absent.
	Gender   Gender   `json:"gender"`
	AgeGroup AgeGroup `json:"age_group"`
	// InvalidAt is when the kit became invalid for sale; zero if it can be sold.
	InvalidAt    Time   `json:"invalid_at"`
	Published    bool   `json:"published"`     // visible to customers
	FreeShipping bool   `json:"free_shipping"` // eligible for free shipping
	CanonicalURL string `json:"canonical_url"` // its URL in the storefront
	// VideoURL is an https URL; nil if there is no video.
	VideoURL   *string `json:"video_url"`
	Images     []Image `json:"images"`     // the main image first
	Categories []ID    `json:"categories"` // ids of its categories
	// Tags are separated by commas.
	Tags string `json:"tags"`
	// DiscountPercent is subtracted from the sum of the components' list prices; empty if there is no discount.
	DiscountPercent Decimal     `json:"discount_percent"`
	Components      []Component `json:"components"` // the products in the kit
	// KitStock is the number of kits that can be sold from the stock of the components. It is the minimum of their
	// stock divided by their quantity, rounded down. Nil means unlimited.
	KitStock  *Int  `json:"kit_stock"`
	CreatedAt Time  `json:"created_at"`
	UpdatedAt Time  `json:"updated_at"`
	Extra     Extra `json:",embed"`
}

// Component is a product in a kit. ProductID, Quantity and Position are set when the kit is created. The other fields
// are read from the product at the time of the query.
type Component struct {
	ProductID ID  `json:"product_id"`
	Quantity  Int `json:"quantity"`
	// Position counts from 0.
	Position     Int  `json:"position"`
	FreeShipping bool `json:"free_shipping"` // the component is eligible for free shipping
	// IsDeleted reports whether the product was deleted.
	IsDeleted bool `json:"is_deleted"`
	// Name has a text for each language, and a text with the key "default".
	Name Text `json:"name"`
	// ImageURL is nil if the product has no image.
	ImageURL *string `json:"image_url"`
	// Price is nil if unset.
	Price *Money `json:"price"`
	// PromotionalPrice is nil if there is no sale.
	PromotionalPrice *Money `json:"promotional_price"`
	// Stock is nil if the stock is unlimited or not tracked.
	Stock *Int  `json:"stock"`
	Extra Extra `json:",embed"`
}

// KitService reads kits with the scope read_products. It is in versions 2025-03 and
// unstable.
type KitService engine.Service

// Get returns a kit with its components.
//
//api:endpoint GET /kits/{id}
func (s *KitService) Get(ctx context.Context, id ID) (*Kit, error) {
	return engine.Get[Kit](ctx, s, "/kits/{id}", nil, id)
}
