package client

// LineItem is one line of an order, a draft or a checkout. Two lines may have the
// same variant, with different properties.
type LineItem struct {
	// ID is the line's own; in drafts and checkouts that of the cart's line.
	ID ID `json:"id"`
	// ProductID and VariantID are 0 if they were not told.
	ProductID ID     `json:"product_id"`
	VariantID ID     `json:"variant_id"`
	Name      string `json:"name"` // of the product with its values, at the time of the purchase
	// NameWithoutVariants is nil if the platform does not tell.
	NameWithoutVariants *string `json:"name_without_variants,omitzero"`
	// Price is for one piece. CompareAtPrice is the crossed out one, Cost what the
	// store paid; nil if there is none.
	Price          Money  `json:"price"`
	CompareAtPrice *Money `json:"compare_at_price,omitzero"`
	Cost           *Money `json:"cost,omitzero"`
	Quantity       Int    `json:"quantity"`      // pieces
	FreeShipping   bool   `json:"free_shipping"` // the product is delivered free
	// Weight is in kilograms; Width, Height and Depth are in centimetres, all as
	// they were at the time of purchase.
	Weight Measure `json:"weight"`
	Width  Measure `json:"width"`
	Height Measure `json:"height"`
	Depth  Measure `json:"depth"`
	// Image has the id 0 for a product without photo.
	Image         Nullable[LineItemImage] `json:"image,omitzero"`
	VariantValues []string                `json:"variant_values"` // such as red and M
	// Properties are what the customer filled in.
	Properties Object `json:"properties"`
	// SKU and Barcode are nil if the variant has none.
	SKU     *string `json:"sku"`
	Barcode *string `json:"barcode"`
	// Issues is not Valid if there are none; only orders have it.
	Issues              Nullable[LineItemIssues] `json:"issues,omitzero"`
	HasPromotionalPrice bool                     `json:"has_promotional_price,omitzero"` // Price is the promotional one
	// Promotions has members such as percentage_off.
	Promotions Object `json:"promotions,omitzero"`
	// CatalogKitID and OrderKitID mark a line that is a component of a kit, from
	// version 2025-03 on; nil for others. Lines with the same OrderKitID were one kit.
	CatalogKitID *ID          `json:"catalog_kit_id,omitzero"`
	OrderKitID   *ID          `json:"order_kit_id,omitzero"`
	Kit          *LineItemKit `json:"kit,omitzero"` // nil if it is no component of a kit
	Extra        Extra        `json:",embed"`
}

// LineItemIssues counts what is wrong with a line of an order.
type LineItemIssues struct {
	// UnclaimedStock is the number of pieces that were claimed with insufficient
	// stock: another buyer took them while payment was in progress.
	UnclaimedStock Int   `json:"unclaimed_stock"`
	Extra          Extra `json:",embed"`
}

// LineItemImage is the picture of a line.
type LineItemImage struct {
	// ID is 0 for the placeholder of products without photo.
	ID        ID     `json:"id"`
	ProductID ID     `json:"product_id,omitzero"` // the product that it belongs to
	Src       string `json:"src,omitzero"`        // its address
	Position  Int    `json:"position,omitzero"`   // 1 is the main image
	Alt       Text   `json:"alt,omitzero"`        // for search engines, by language
	// Height and Width are in pixels; 0 if they are not told.
	Height              Int   `json:"height,omitzero"`
	Width               Int   `json:"width,omitzero"`
	ThumbnailsGenerated Int   `json:"thumbnails_generated,omitzero"` // how many smaller sizes there are
	CreatedAt           Time  `json:"created_at,omitzero"`
	UpdatedAt           Time  `json:"updated_at,omitzero"`
	Extra               Extra `json:",embed"`
}

// LineItemKit is the kit that a line is a component of.
type LineItemKit struct {
	// ID is the id of the kit's product.
	ID        ID                      `json:"id"`
	VariantID ID                      `json:"variant_id"` // of the kit
	Name      string                  `json:"name"`       // of the kit
	Image     Nullable[LineItemImage] `json:"image"`      // of the kit
	Price     Money                   `json:"price"`      // of one kit
	Extra     Extra                   `json:",embed"`
}
