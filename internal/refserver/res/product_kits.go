package res

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func kitOps() []api.Op {
	return []api.Op{
		{ID: "kits.get", Method: "GET", Path: "/kits/{id}", Scopes: []string{"read_products"},
			Versions: []string{api.V202503, api.Unstable}, Errors: []api.ErrCase{{Status: 404, Text: "null"}}, Handler: getKit},
	}
}

type kitJSON struct {
	ID              int64             `json:"id"`
	Name            map[string]string `json:"name"`
	Description     map[string]string `json:"description"`
	Handle          map[string]string `json:"handle"`
	SEOTitle        map[string]string `json:"seo_title"`
	SEODescription  map[string]string `json:"seo_description"`
	SKU             *string           `json:"sku"`
	Barcode         *string           `json:"barcode"`
	MPN             *string           `json:"mpn"`
	Brand           *string           `json:"brand"`
	Gender          *string           `json:"gender"`
	AgeGroup        *string           `json:"age_group"`
	InvalidAt       any               `json:"invalid_at"`
	Published       bool              `json:"published"`
	FreeShipping    bool              `json:"free_shipping"`
	CanonicalURL    string            `json:"canonical_url"`
	VideoURL        *string           `json:"video_url"`
	Images          []any             `json:"images"`
	Categories      []int64           `json:"categories"`
	Tags            string            `json:"tags"`
	DiscountPercent *float            `json:"discount_percent"`
	Components      []componentJSON   `json:"components"`
	KitStock        *int64            `json:"kit_stock"`
	CreatedAt       string            `json:"created_at"`
	UpdatedAt       string            `json:"updated_at"`
}

type componentJSON struct {
	ProductID        int64             `json:"product_id"`
	Quantity         int64             `json:"quantity"`
	Position         int               `json:"position"`
	FreeShipping     bool              `json:"free_shipping"`
	IsDeleted        bool              `json:"is_deleted"`
	Name             map[string]string `json:"name"`
	ImageURL         *string           `json:"image_url"`
	Price            *string           `json:"price"`
	PromotionalPrice *string           `json:"promotional_price"`
	Stock            *int64            `json:"stock"`
}

func getKit(tx *world.Tx, in *api.In) (any, error) {
	k, ok := tx.Kits.Get(in.ID("id"))
	if !ok {
		return nil, api.NotFound("")
	}
	p, err := product(tx, k.ID)
	if err != nil {
		return nil, err
	}
	v := single(tx, p.ID)
	out := kitJSON{
		ID:              p.ID,
		Name:            p.Name,
		Description:     p.Description,
		Handle:          p.Handle,
		SEOTitle:        tx.Store().EveryLanguage(p.SEOTitle),
		SEODescription:  tx.Store().EveryLanguage(p.SEODescription),
		SKU:             api.TextOrNil(v.SKU),
		Barcode:         api.TextOrNil(v.Barcode),
		MPN:             api.TextOrNil(v.MPN),
		Brand:           api.TextOrNil(p.Brand),
		Gender:          api.TextOrNil(v.Gender),
		AgeGroup:        kitAgeGroup(v),
		InvalidAt:       api.StampOrNil(k.InvalidAt),
		Published:       p.Published,
		FreeShipping:    p.FreeShipping,
		CanonicalURL:    canonicalURL(tx, p),
		VideoURL:        api.TextOrNil(p.VideoURL),
		Images:          []any{},
		Categories:      orEmpty(p.Categories),
		Tags:            p.Tags,
		DiscountPercent: floatOrNull(k.DiscountPercent),
		Components:      []componentJSON{},
		CreatedAt:       api.Stamp(k.CreatedAt),
		UpdatedAt:       api.Stamp(k.UpdatedAt),
	}
	for _, i := range imagesOf(tx, p.ID) {
		out.Images = append(out.Images, showImage(tx, in, i))
	}
	for i, c := range k.Components {
		out.Components = append(out.Components, showComponent(tx, c, i))
	}
	if stock, finite := kitStock(tx, k); finite {
		out.KitStock = &stock
	}
	return out, nil
}

// kitAgeGroup is that of the kit's variant, as far as kits have it: adult, kids or null.
func kitAgeGroup(v world.Variant) *string {
	if v.AgeGroup != "adult" && v.AgeGroup != "kids" {
		return nil
	}
	return &v.AgeGroup
}

// showComponent reads the component product as it is now. One that is gone has
// nothing but what the kit knows.
func showComponent(tx *world.Tx, c world.Component, position int) componentJSON {
	out := componentJSON{ProductID: c.ProductID, Quantity: c.Quantity, Position: position, Name: map[string]string{}}
	p, ok := tx.Products.Get(c.ProductID)
	if !ok {
		out.IsDeleted = true
		return out
	}
	v := single(tx, p.ID)
	out.FreeShipping = p.FreeShipping
	for language, text := range p.Name {
		out.Name[language] = text
	}
	out.Name["default"] = tx.Store().MainText(p.Name)
	out.Price, out.PromotionalPrice = fixedOrNull(v.Price, 2), fixedOrNull(v.PromotionalPrice, 2)
	if images := imagesOf(tx, p.ID); len(images) > 0 {
		out.ImageURL = &images[0].Src
	}
	if stock, finite := stockOf(tx, v.ID); finite {
		out.Stock = &stock
	}
	return out
}

// single is the variant of a product that has one.
func single(tx *world.Tx, product int64) world.Variant {
	for _, v := range variantsOf(tx, product) {
		return v
	}
	return world.Variant{}
}

// kitPrice is the sum of the components' list prices less the discount. A
// component without a price leaves the kit without one.
func kitPrice(tx *world.Tx, k world.Kit) decimal.NullDecimal {
	var sum decimal.Decimal
	for _, c := range k.Components {
		v := single(tx, c.ProductID)
		if !v.Price.Valid {
			return decimal.NullDecimal{}
		}
		sum = sum.Add(v.Price.Decimal.Mul(decimal.NewFromInt(c.Quantity)))
	}
	if k.DiscountPercent.Valid {
		sum = sum.Mul(hundred().Sub(k.DiscountPercent.Decimal)).Div(hundred())
	}
	return body.Fixed(sum, 2)
}

// kitStock is how many kits the components make; it is not finite if no
// component's stock is.
func kitStock(tx *world.Tx, k world.Kit) (stock int64, finite bool) {
	for _, c := range k.Components {
		if !tx.Products.Has(c.ProductID) {
			return 0, true
		}
		have, limited := stockOf(tx, single(tx, c.ProductID).ID)
		if !limited {
			continue
		}
		if makes := have / max(c.Quantity, 1); !finite || makes < stock {
			stock, finite = makes, true
		}
	}
	return stock, finite
}

// invalidateKits dates the kits that lost a component.
func invalidateKits(tx *world.Tx, component int64) error {
	for id, k := range tx.Kits.All() {
		has := func(c world.Component) bool { return c.ProductID == component }
		if !k.InvalidAt.IsZero() || !slices.ContainsFunc(k.Components, has) {
			continue
		}
		k.InvalidAt, k.UpdatedAt = tx.Now(), tx.Now()
		if err := tx.Kits.Put(id, k); err != nil {
			return err
		}
	}
	return nil
}
