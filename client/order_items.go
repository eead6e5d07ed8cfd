package client

// LineItem is one line of an order, a draft or a checkout. Two lines may have the same variant with different
// properties.
type LineItem struct {
	// ID identifies the line. In drafts and checkouts it is the id of the cart's line.
	ID ID `json:"id"`
	// ProductID and VariantID are 0 if absent.
	ProductID ID     `json:"product_id"`
	VariantID ID     `json:"variant_id"`
	Name      string `json:"name"` // name of the product and its variant values at the time of purchase
	// NameWithoutVariants is nil if the platform does not send it.
	NameWithoutVariants *string `json:"name_without_variants,omitzero"`
	// Price is for one piece. CompareAtPrice is the crossed-out price, nil if absent. Cost is the cost for the store,
	// nil if absent.
	Price          Money  `json:"price"`
	CompareAtPrice *Money `json:"compare_at_price,omitzero"`
	Cost           *Money `json:"cost,omitzero"`
	Quantity       Int    `json:"quantity"`      // pieces
	FreeShipping   bool   `json:"free_shipping"` // the product ships free
	// Weight is in kilograms. Width, Height and Depth are in centimetres. All are values at the time of purchase.
	Weight Measure `json:"weight"`
	Width  Measure `json:"width"`
	Height Measure `json:"height"`
	Depth  Measure `json:"depth"`
	// Image has the id 0 for a product without an image.
	Image         Nullable[LineItemImage] `json:"image,omitzero"`
	VariantValues []string                `json:"variant_values"` // such as red and M
	// Properties are values that the customer entered.
	Properties Object `json:"properties"`
	// SKU and Barcode are nil if the variant has none.
	SKU     *string `json:"sku"`
	Barcode *string `json:"barcode"`
	// Issues is not Valid if there are none; only orders have it.
	Issues              Nullable[LineItemIssues] `json:"issues,omitzero"`
	HasPromotionalPrice bool                     `json:"has_promotional_price,omitzero"` // Price is the promotional price
	// Promotions has members such as percentage_off.
	Promotions Object `json:"promotions,omitzero"`
	// CatalogKitID and OrderKitID are set on a line that is a component of a kit, from version 2025-03 on; nil for
	// other lines. Lines with the same OrderKitID belong to the same kit.
	CatalogKitID *ID          `json:"catalog_kit_id,omitzero"`
	OrderKitID   *ID          `json:"order_kit_id,omitzero"`
	Kit          *LineItemKit `json:"kit,omitzero"` // nil unless the line is a component of a kit
	Extra        Extra        `json:",embed"`
}

// LineItemIssues counts the problems of a line of an order.
type LineItemIssues struct {
	// UnclaimedStock is the number of pieces without stock, because another buyer took them while payment was in
	// progress.
	UnclaimedStock Int   `json:"unclaimed_stock"`
	Extra          Extra `json:",embed"`
}

// LineItemImage is the image of a line.
type LineItemImage struct {
	// ID is 0 for the placeholder of products without an image.
	ID        ID     `json:"id"`
	ProductID ID     `json:"product_id,omitzero"` // the product of the image
	Src       string `json:"src,omitzero"`        // its URL
	Position  Int    `json:"position,omitzero"`   // 1 is the main image
	Alt       Text   `json:"alt,omitzero"`        // for search engines, by language
	// Height and Width are in pixels; 0 if absent.
	Height              Int   `json:"height,omitzero"`
	Width               Int   `json:"width,omitzero"`
	ThumbnailsGenerated Int   `json:"thumbnails_generated,omitzero"` // number of smaller sizes
	CreatedAt           Time  `json:"created_at,omitzero"`
	UpdatedAt           Time  `json:"updated_at,omitzero"`
	Extra               Extra `json:",embed"`
}

// LineItemKit is the kit that a line is a component of.
type LineItemKit struct {
	// ID is the id of the kit's product.
	ID        ID                      `json:"id"`
	VariantID ID                      `json:"variant_id"` // variant of the kit
	Name      string                  `json:"name"`       // name of the kit
	Image     Nullable[LineItemImage] `json:"image"`      // image of the kit
	Price     Money                   `json:"price"`      // price of one kit
	Extra     Extra                   `json:",embed"`
}
