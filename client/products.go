package client

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Limits of a product. Methods check them before they send a request.
const (
	MaxAttributes     = 3    // attributes per product
	MaxVariants       = 1000 // variants per product
	MaxImages         = 250  // images per product; at most 9 are recommended for Create
	MaxSEOTitle       = 70   // characters
	MaxSEODescription = 320  // characters
)

// Product is an article of the catalog with its variants and images. A product without attributes has one variant
// without values, which has the price and the stock.
type Product struct {
	ID   ID   `json:"id"`
	Name Text `json:"name"` // shown to customers, by language
	// Description is HTML.
	Description Text `json:"description"`
	// Handle is the part of the product's URL. By default the platform derives it from the name.
	Handle   Text      `json:"handle"`
	Variants []Variant `json:"variants"` // at least one
	Images   []Image   `json:"images"`   // the main image first
	// Categories are abbreviated. Members that the platform omits here, such as Visibility, are empty.
	// CategoryService.Get returns the whole category.
	Categories []Category `json:"categories"`
	// Brand is nil if unset.
	Brand        *string `json:"brand"`
	Published    bool    `json:"published"`     // visible to customers
	FreeShipping bool    `json:"free_shipping"` // eligible for free shipping
	// VideoURL is an https URL, or empty.
	VideoURL string `json:"video_url"`
	// SEOTitle and SEODescription have one text, or one for each language.
	SEOTitle       Text `json:"seo_title"`
	SEODescription Text `json:"seo_description"`
	// Attributes names the properties in which variants differ, such as "size", at most three. Each variant has one
	// value for each attribute, in the same order.
	Attributes []Text `json:"attributes"`
	// Tags are separated by commas; TagList splits them.
	Tags string `json:"tags"`
	// RequiresShipping is true for physical products and false for digital ones.
	RequiresShipping bool `json:"requires_shipping"`
	// CanonicalURL is the URL of the product in the storefront, nil if absent.
	CanonicalURL *string `json:"canonical_url"`
	// HasStock reports whether customers can buy a variant that has stock or unlimited stock; nil if absent.
	HasStock  *bool `json:"has_stock,omitzero"`
	CreatedAt Time  `json:"created_at"`
	UpdatedAt Time  `json:"updated_at"`
	DeletedAt Time  `json:"deleted_at"` // zero if not deleted or absent
	Extra     Extra `json:",embed"`
}

// TagList returns the tags without surrounding spaces, or none if the product has no tags.
func (p *Product) TagList() []string {
	var tags []string
	for tag := range strings.SplitSeq(p.Tags, ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			tags = append(tags, tag)
		}
	}
	return tags
}

// JoinTags returns tags in the form of Product.Tags and ProductInput.Tags. A tag with a comma becomes several tags.
func JoinTags(tags ...string) string { return strings.Join(tags, ",") }

// ProductInput is the body of Create and Update. Update changes only the members that are present.
type ProductInput struct {
	// Name is required by Create.
	Name        Text `json:"name,omitzero"`
	Description Text `json:"description,omitzero"` // HTML
	Handle      Text `json:"handle,omitzero"`      // for its URL in the storefront; derived from the name if absent
	// Variants and Images are only for Create. After that, VariantService and ImageService change them. Even for a
	// product with one variant, VariantService.Update changes price and stock. Each image requires a Src, or in version
	// unstable a StoreMediaUUID. ImageService.Create accepts files.
	Variants []VariantInput `json:"variants,omitzero"`
	Images   []ImageInput   `json:"images,omitzero"`
	// Categories lists category ids. An empty list removes the product from all categories.
	Categories Opt[[]ID] `json:"categories,omitzero"`
	// Brand is removed by Null.
	Brand Opt[string] `json:"brand,omitzero"`
	// Published is true by default for a new product.
	Published    Opt[bool] `json:"published,omitzero"`
	FreeShipping Opt[bool] `json:"free_shipping,omitzero"` // eligible for free shipping
	// VideoURL must be an https URL.
	VideoURL Opt[string] `json:"video_url,omitzero"`
	// SEOTitle has at most 70 characters, SEODescription at most 320. In the contract each is one string for all
	// languages, see Plain. If the product was read with texts by language, its Text is written in that form.
	SEOTitle       Text `json:"seo_title,omitzero"`
	SEODescription Text `json:"seo_description,omitzero"`
	// Attributes must be distinct, at most three. Each variant has one value for each attribute.
	Attributes []Text `json:"attributes,omitzero"`
	// Tags is a string of tags, see JoinTags. The empty string removes all tags.
	Tags             Opt[string] `json:"tags,omitzero"`
	RequiresShipping Opt[bool]   `json:"requires_shipping,omitzero"` // false for digital products
}

// Differences returns the wire names of the members of in whose values differ in p, such as "name.en" and
// "variants[0].price". It returns nil if p has all values of in. It does not compare members that are absent from in,
// nor languages of p that in does not have. It compares variants by SKU, or by position if they have no SKU. If their
// number differs, it returns "variants". It does not compare images, because the platform stores copies under other
// URLs.
//
// An existing product usually differs from its input. Stock is sold, merchants change prices, and the platform may
// change the HTML of a description.
func (in ProductInput) Differences(p *Product) []string {
	ordered := *p
	ordered.Variants = slices.Clone(p.Variants)
	for i, v := range in.Variants {
		rest := ordered.Variants[min(i, len(ordered.Variants)):]
		same := slices.IndexFunc(rest, func(other Variant) bool { return other.SKU != nil && *other.SKU == v.SKU.Or("") })
		if same > 0 {
			rest[0], rest[same] = rest[same], rest[0]
		}
	}
	return wire.Differences(in, ordered, "images")
}

func (in ProductInput) check(v Version, creating bool) error {
	if creating && blank(in.Name) {
		return engine.Invalid("name", in.Name, "a text in at least one language")
	}
	if err := atMost("seo_title", in.SEOTitle, MaxSEOTitle); err != nil {
		return err
	}
	if err := atMost("seo_description", in.SEODescription, MaxSEODescription); err != nil {
		return err
	}
	if u := in.VideoURL.Or(""); u != "" && !secure(u) {
		return engine.Invalid("video_url", u, "an https URL")
	}
	for i, id := range in.Categories.Or(nil) {
		if id <= 0 {
			return engine.Invalid(fmt.Sprintf("categories[%d]", i), id, "the id of a category")
		}
	}
	if err := in.checkVariants(creating || in.Attributes != nil); err != nil {
		return err
	}
	if len(in.Images) > MaxImages {
		return engine.Invalid("images", len(in.Images), fmt.Sprintf("at most %d images", MaxImages))
	}
	for i, image := range in.Images {
		if image.Attachment != nil {
			return engine.Invalid(fmt.Sprintf("images[%d].attachment", i), len(image.Attachment), "a src, because only ImageService.Create accepts files")
		}
		if err := image.check(v, true); err != nil {
			return fmt.Errorf("images[%d].%w", i, err)
		}
	}
	return nil
}

// checkVariants checks attributes and variants. If the attributes are known, each variant must have one value for each
// attribute.
func (in ProductInput) checkVariants(known bool) error {
	if len(in.Attributes) > MaxAttributes {
		return engine.Invalid("attributes", len(in.Attributes), fmt.Sprintf("at most %d attributes", MaxAttributes))
	}
	for i, attribute := range in.Attributes {
		if slices.ContainsFunc(in.Attributes[:i], func(t Text) bool { return maps.Equal(t, attribute) }) {
			return engine.Invalid(fmt.Sprintf("attributes[%d]", i), attribute, "names that are distinct within the product")
		}
	}
	if len(in.Variants) > MaxVariants {
		return engine.Invalid("variants", len(in.Variants), fmt.Sprintf("at most %d variants", MaxVariants))
	}
	for i, variant := range in.Variants {
		if err := variant.check(); err != nil {
			return fmt.Errorf("variants[%d].%w", i, err)
		}
		if known && len(variant.Values) != len(in.Attributes) {
			return engine.Invalid(fmt.Sprintf("variants[%d].values", i), len(variant.Values), fmt.Sprintf("one value for each of the %d attributes", len(in.Attributes)))
		}
	}
	return nil
}

// sku returns the first SKU of the variants, which identifies the product.
func (in ProductInput) sku() (string, error) {
	for i, v := range in.Variants {
		sku := v.SKU.Or("")
		if sku == "" {
			continue
		}
		// The platform may remove surrounding spaces of a SKU.
		if _, err := engine.Escape(sku); err != nil || strings.TrimSpace(sku) != sku {
			return "", engine.Invalid(fmt.Sprintf("variants[%d].sku", i), sku, "a SKU without surrounding spaces, and not . or ..")
		}
		return sku, nil
	}
	return "", engine.Invalid("variants", len(in.Variants), "a list that has a variant with a SKU, which identifies the product")
}

// ProductService reads products with the scope read_products and writes them with write_products. It is in all
// versions.
type ProductService engine.Service

// List selects products.
//
//api:endpoint GET /products
func (s *ProductService) List(f ProductFilter) List[Product] {
	return listOf[Product](s, f.query(), engine.ListSpec{Path: "/products", SinceID: true})
}

// Get returns a product. If fields are given, only these members are returned.
//
//api:endpoint GET /products/{id}
func (s *ProductService) Get(ctx context.Context, id ID, fields ...string) (*Product, error) {
	return engine.Get[Product](ctx, s, "/products/{id}", only(fields), id)
}

// BySKU returns the first product that has a variant with the SKU. The error is ErrNotFound if there is none.
//
//api:endpoint GET /products/sku/{sku}
func (s *ProductService) BySKU(ctx context.Context, sku string) (*Product, error) {
	return engine.Get[Product](ctx, s, "/products/sku/{sku}", nil, sku)
}

// Create adds a product and returns it. Name is required. A store can have 100000 products.
//
//api:endpoint POST /products
func (s *ProductService) Create(ctx context.Context, in ProductInput) (*Product, error) {
	if err := in.check(Version(engine.VersionOf(s)), true); err != nil {
		return nil, err
	}
	return engine.Send[Product](ctx, s, http.MethodPost, "/products", in)
}

// CreateOrGet returns the product that has a variant with the SKU of in, whatever its other members. If there is none,
// it creates the product. At least one variant requires a SKU, and the SKU of in is that of the first such variant. It
// must not have surrounding spaces, because the platform may remove them and the SKU would then not be found.
//
// If the answer to the create is lost, CreateOrGet looks for the product after 2, 5 and 15 seconds. If it is not found,
// the create is sent once more. The call may therefore be repeated after ErrOutcomeUnknown. If two programs call it at
// the same time, only the platform's uniqueness rule prevents a duplicate.
//
// The result made is true if the platform answered this call's create with the product. It is false for a product that
// existed before. It is also false for a product that was found after a lost answer or a rejection, which this call or
// another one created. Such a product may have other values than in; in.Differences(p) returns their names.
func (s *ProductService) CreateOrGet(ctx context.Context, in ProductInput) (p *Product, made bool, err error) {
	sku, err := in.sku()
	if err != nil {
		return nil, false, err
	}
	if err := in.check(Version(engine.VersionOf(s)), true); err != nil {
		return nil, false, err
	}
	return creation[Product]{
		find:   func(ctx context.Context) (*Product, error) { return unlessMissing(s.BySKU(ctx, sku)) },
		create: func(ctx context.Context) (*Product, error) { return s.Create(ctx, in) },
	}.run(ctx)
}

// Update changes the members that are present in in. It rejects Variants and Images, because the platform would
// silently ignore them.
//
//api:endpoint PUT /products/{id}
func (s *ProductService) Update(ctx context.Context, id ID, in ProductInput) (*Product, error) {
	if in.Variants != nil {
		return nil, engine.Invalid("variants", len(in.Variants), "absent, because only VariantService changes variants")
	}
	if in.Images != nil {
		return nil, engine.Invalid("images", len(in.Images), "absent, because only ImageService changes images")
	}
	if err := in.check(Version(engine.VersionOf(s)), false); err != nil {
		return nil, err
	}
	return engine.Send[Product](ctx, s, http.MethodPut, "/products/{id}", in, id)
}

// Delete removes a product with its variants and images.
//
//api:endpoint DELETE /products/{id}
func (s *ProductService) Delete(ctx context.Context, id ID) error {
	return engine.Delete(ctx, s, "/products/{id}", id)
}

// blank reports whether t has no text in any language.
func blank(t Text) bool {
	for _, s := range t {
		if strings.TrimSpace(s) != "" {
			return false
		}
	}
	return true
}

// atMost rejects a text that has more than most characters in some language.
func atMost(field string, t Text, most int) error {
	for _, language := range slices.Sorted(maps.Keys(t)) {
		n := utf8.RuneCountInString(t[language])
		if n <= most {
			continue
		}
		if language != "" {
			field += "." + language
		}
		return engine.Invalid(field, t[language], fmt.Sprintf("at most %d characters, got %d", most, n))
	}
	return nil
}

// secure reports whether s is an absolute https URL.
func secure(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Host != ""
}
