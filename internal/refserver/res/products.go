package res

import (
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func productOps() []api.Op {
	read, write := []string{"read_products"}, []string{"write_products"}
	missing := api.ErrCase{Status: 404, Text: noSuchProduct}
	return []api.Op{
		{ID: "products.list", Method: "GET", Path: "/products", Scopes: read,
			Query: api.Recurring("ids", "language", "q", "handle", "category_id", "published", "visibility", "free_shipping",
				"max_stock", "min_stock", "has_promotional_price", "has_weight", "has_all_dimensions",
				"has_weight_and_all_dimensions", "sort_by"),
			Errors: unprocessable(
				"ids: The ids may not have more than 30 items.",
				publishedOrVisibility,
			),
			Handler: listProducts},
		{ID: "products.get", Method: "GET", Path: "/products/{id}", Scopes: read,
			Errors: []api.ErrCase{missing}, Handler: getProduct},
		{ID: "products.getBySKU", Method: "GET", Path: "/products/sku/{sku}", Scopes: read,
			Errors: []api.ErrCase{{Status: 404, Text: "null"}}, Handler: getProductBySKU},
		{ID: "products.create", Method: "POST", Path: "/products", Scopes: write, Success: 201,
			Emits: []string{"product/created"}, Handler: createProduct,
			Errors: slices.Concat(unprocessable(
				"name: "+body.CannotBeBlank,
				"Store has reached maximum limit of 100000 allowed products",
				"Product is not allowed to have more than 250 images",
				"Product is not allowed to have more than 1000 variants",
				variantsRepeated,
				"values: "+body.IsInvalid,
				countsDiffer,
			), productErrors(), newImageErrors(), variantErrors())},
		{ID: "products.update", Method: "PUT", Path: "/products/{id}", Scopes: write,
			Emits: []string{"product/updated"}, Handler: updateProduct,
			Errors: slices.Concat([]api.ErrCase{missing,
				{Status: 422, Text: "name: " + body.CannotBeBlank}, {Status: 422, Text: countsDiffer}}, productErrors())},
		{ID: "products.delete", Method: "DELETE", Path: "/products/{id}", Scopes: write, NoBody: true,
			Emits: []string{"product/deleted"}, Errors: []api.ErrCase{missing}, Provenance: api.Supplement, Handler: deleteProduct},
		{ID: "products.updateStockPrice", Method: "PATCH", Path: "/products/stock-price", Scopes: write,
			Emits: []string{"product/updated"}, Provenance: api.Supplement, Handler: updateStockPrice,
			Errors: slices.Concat([]api.ErrCase{
				{Status: 400, Text: body.InvalidFormat},
				{Status: 422, Text: "Too many variants sent for update"},
				{Status: 422, Text: "price: " + body.NotNumber("price")},
				{Status: 422, Text: "price: " + body.TooSmall("price", 0)},
			}, stockErrors())},
	}
}

type productJSON struct {
	ID               int64               `json:"id"`
	Name             map[string]string   `json:"name"`
	Description      map[string]string   `json:"description"`
	Handle           map[string]string   `json:"handle"`
	Attributes       []map[string]string `json:"attributes"`
	Published        bool                `json:"published"`
	FreeShipping     bool                `json:"free_shipping"`
	RequiresShipping bool                `json:"requires_shipping"`
	VideoURL         *string             `json:"video_url"`
	SEOTitle         string              `json:"seo_title"`
	SEODescription   string              `json:"seo_description"`
	Brand            *string             `json:"brand"`
	Tags             string              `json:"tags"`
	Variants         []any               `json:"variants"`
	Images           []any               `json:"images"`
	Categories       []categoryInProduct `json:"categories"`
	CanonicalURL     string              `json:"canonical_url"`
	HasStock         bool                `json:"has_stock"`
	CreatedAt        string              `json:"created_at"`
	UpdatedAt        string              `json:"updated_at"`
}

// categoryInProduct is a category as products have it: without its visibility.
type categoryInProduct struct {
	ID                   int64             `json:"id"`
	Name                 map[string]string `json:"name"`
	Description          map[string]string `json:"description"`
	Handle               map[string]string `json:"handle"`
	Parent               *int64            `json:"parent"`
	Subcategories        []int64           `json:"subcategories"`
	FeedShoppingCategory *string           `json:"feed_shopping_category"`
	CreatedAt            string            `json:"created_at"`
	UpdatedAt            string            `json:"updated_at"`
}

// showProduct looks at nothing but the tables.
func showProduct(tx *world.Tx, p world.Product) any {
	out := productJSON{
		ID:               p.ID,
		Name:             p.Name,
		Description:      p.Description,
		Handle:           p.Handle,
		Attributes:       orEmpty(p.Attributes),
		Published:        p.Published,
		FreeShipping:     p.FreeShipping,
		RequiresShipping: p.RequiresShipping,
		VideoURL:         api.TextOrNil(p.VideoURL),
		SEOTitle:         p.SEOTitle,
		SEODescription:   p.SEODescription,
		Brand:            api.TextOrNil(p.Brand),
		Tags:             p.Tags,
		Variants:         []any{},
		Images:           []any{},
		Categories:       []categoryInProduct{},
		CanonicalURL:     canonicalURL(tx, p),
		CreatedAt:        api.Stamp(p.CreatedAt),
		UpdatedAt:        api.Stamp(p.UpdatedAt),
	}
	for _, v := range variantsOf(tx, p.ID) {
		shown := variantOnWire(tx, v)
		out.Variants = append(out.Variants, shown)
		out.HasStock = out.HasStock || shown.Stock == nil || *shown.Stock > 0
	}
	for _, i := range imagesOf(tx, p.ID) {
		out.Images = append(out.Images, imageOnWire(i))
	}
	for _, id := range p.Categories {
		c, _ := tx.Categories.Get(id)
		out.Categories = append(out.Categories, categoryInProduct{
			ID:                   c.ID,
			Name:                 c.Name,
			Description:          c.Description,
			Handle:               c.Handle,
			Parent:               idOrNull(c.Parent),
			Subcategories:        childrenOf(tx, c.ID),
			FeedShoppingCategory: api.TextOrNil(c.FeedShoppingCategory),
			CreatedAt:            api.Stamp(c.CreatedAt),
			UpdatedAt:            api.Stamp(c.UpdatedAt),
		})
	}
	return out
}

// canonicalURL is the address of a product in the storefront.
func canonicalURL(tx *world.Tx, p world.Product) string {
	return storefront(tx) + "/products/" + tx.Store().MainText(p.Handle) + "/"
}

// orEmpty is the slice, or one that JSON writes as [].
func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// idOrNull is the id, or null on the wire for 0.
func idOrNull(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}

func getProduct(tx *world.Tx, in *api.In) (any, error) {
	p, err := product(tx, in.ID("id"))
	if err != nil {
		return nil, err
	}
	return showProduct(tx, p), nil
}

func product(tx *world.Tx, id int64) (world.Product, error) {
	p, ok := tx.Products.Get(id)
	if !ok {
		return p, api.NotFound(noSuchProduct)
	}
	return p, nil
}

func getProductBySKU(tx *world.Tx, in *api.In) (any, error) {
	v, ok := tx.Variants.Find("sku", in.Var("sku"))
	if !ok {
		return nil, api.NotFound("")
	}
	p, err := product(tx, v.ProductID)
	if err != nil {
		return nil, err
	}
	return showProduct(tx, p), nil
}

func createProduct(tx *world.Tx, in *api.In) (any, error) {
	var b productIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	if blank(b.Name.Value.In(tx.Store())) {
		return nil, api.Invalid("name", body.CannotBeBlank)
	}
	if most := tx.Limits().Products; tx.Products.Len() >= most {
		return nil, api.Unprocessable("Store has reached maximum limit of " + strconv.Itoa(most) + " allowed products")
	}
	if most := tx.Limits().Images; len(b.Images.Value) > most {
		return nil, tooMany(most, "images")
	}
	if most := tx.Limits().Variants; len(b.Variants.Value) > most {
		return nil, tooMany(most, "variants")
	}
	p := world.Product{ID: tx.NewID(), Published: true, RequiresShipping: true, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
	p, err := b.apply(tx, p)
	if err != nil {
		return nil, err
	}
	if err := tx.Products.Put(p.ID, p); err != nil {
		return nil, err
	}
	if err := addImages(tx, in, p, b.Images.Value); err != nil {
		return nil, err
	}
	if err := addVariants(tx, in, p, b.Variants.Value); err != nil {
		return nil, err
	}
	tx.Emit("product/created", ids(p.ID))
	return showProduct(tx, p), nil
}

func updateProduct(tx *world.Tx, in *api.In) (any, error) {
	before, err := product(tx, in.ID("id"))
	if err != nil {
		return nil, err
	}
	var b productIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	if b.Name.Present && blank(b.Name.Value.In(tx.Store())) {
		return nil, api.Invalid("name", body.CannotBeBlank)
	}
	p, err := b.apply(tx, before)
	if err != nil {
		return nil, err
	}
	if b.Attributes.Present && slices.ContainsFunc(variantsOf(tx, p.ID), func(v world.Variant) bool {
		return len(v.Values) > 0 && len(v.Values) != len(p.Attributes)
	}) {
		return nil, api.Unprocessable(countsDiffer)
	}
	if !same(before, p) {
		if p, err = touch(tx, p); err != nil {
			return nil, err
		}
	}
	return showProduct(tx, p), nil
}

// touch keeps a product that changed, itself or in its variants and images, and sends the event.
func touch(tx *world.Tx, p world.Product) (world.Product, error) {
	p.UpdatedAt = tx.Now()
	if err := tx.Products.Put(p.ID, p); err != nil {
		return p, err
	}
	tx.Emit("product/updated", ids(p.ID))
	return p, nil
}

func deleteProduct(tx *world.Tx, in *api.In) (any, error) {
	p, err := product(tx, in.ID("id"))
	if err != nil {
		return nil, err
	}
	removeVariants(tx, p.ID)
	for _, i := range imagesOf(tx, p.ID) {
		tx.Images.Delete(i.ID)
	}
	tx.Kits.Delete(p.ID)
	tx.Products.Delete(p.ID)
	tx.Emit("product/deleted", ids(p.ID))
	return api.Empty{}, invalidateKits(tx, p.ID)
}

// ids is the payload most events have.
func ids(id int64) map[string]any { return map[string]any{"id": id} }
