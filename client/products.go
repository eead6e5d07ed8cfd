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

// Limits of a product that are checked before a request is sent.
const (
	MaxAttributes     = 3    // attributes per product
	MaxVariants       = 1000 // variants per product
	MaxImages         = 250  // images per product; 9 are recommended in the create call
	MaxSEOTitle       = 70   // characters
	MaxSEODescription = 320  // characters
)

// Product is an article of the catalog with its variants and images. A product
// without attributes has one variant, without values, which carries price and stock.
type Product struct {
	ID   ID   `json:"id"`
	Name Text `json:"name"` // as customers see it, by language
	// Description is HTML.
	Description Text `json:"description"`
	// Handle is the part of the storefront's URL; the platform makes it from the name.
	Handle   Text      `json:"handle"`
	Variants []Variant `json:"variants"` // at least one
	Images   []Image   `json:"images"`   // the main one first
	// Categories are abbreviated here: what the platform leaves out, such as
	// Visibility, is empty. CategoryService.Get gives all of it.
	Categories []Category `json:"categories"`
	// Brand is nil if the product has none.
	Brand        *string `json:"brand"`
	Published    bool    `json:"published"`     // customers see it
	FreeShipping bool    `json:"free_shipping"` // may be delivered free
	// VideoURL is an https URL, or empty.
	VideoURL string `json:"video_url"`
	// SEOTitle and SEODescription come as one string or keyed by language.
	SEOTitle       Text `json:"seo_title"`
	SEODescription Text `json:"seo_description"`
	// Attributes name what the variants differ in ("size"), three at most. Each
	// variant has one value for each of them, in the same order.
	Attributes []Text `json:"attributes"`
	// Tags are separated by commas; TagList splits them.
	Tags string `json:"tags"`
	// RequiresShipping is true for physical products and false for digital ones.
	RequiresShipping bool `json:"requires_shipping"`
	// CanonicalURL is the product's address in the storefront; nil if it is not told.
	CanonicalURL *string `json:"canonical_url"`
	// HasStock is true if customers can buy a variant: one that has stock, or unlimited stock. Nil if it is not told.
	HasStock  *bool `json:"has_stock,omitzero"`
	CreatedAt Time  `json:"created_at"`
	UpdatedAt Time  `json:"updated_at"`
	DeletedAt Time  `json:"deleted_at"` // zero if it was not deleted, or that is not told
	Extra     Extra `json:",embed"`
}

// TagList returns the tags without the spaces around them; none for a product
// without tags.
func (p *Product) TagList() []string {
	var tags []string
	for tag := range strings.SplitSeq(p.Tags, ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			tags = append(tags, tag)
		}
	}
	return tags
}

// JoinTags returns tags in the form of Product.Tags and ProductInput.Tags. A tag
// that holds a comma becomes several.
func JoinTags(tags ...string) string { return strings.Join(tags, ",") }

// ProductInput is the body of Create and Update. Update changes what is present
// and keeps the rest.
type ProductInput struct {
	// Name is required by Create.
	Name        Text `json:"name,omitzero"`
	Description Text `json:"description,omitzero"` // HTML
	Handle      Text `json:"handle,omitzero"`      // for its address in the storefront; made from the name if it is left out
	// Variants and Images are for Create. Afterwards VariantService and
	// ImageService change them; so price and stock, also of a product with a single
	// variant, are changed with VariantService.Update. Each image has a Src, or in
	// version unstable a StoreMediaUUID; ImageService.Create takes files.
	Variants []VariantInput `json:"variants,omitzero"`
	Images   []ImageInput   `json:"images,omitzero"`
	// Categories are ids. Set to an empty list it takes the product out of all of them.
	Categories Opt[[]ID] `json:"categories,omitzero"`
	// Brand: Null removes it.
	Brand Opt[string] `json:"brand,omitzero"`
	// Published is true for a new product unless it is set.
	Published    Opt[bool] `json:"published,omitzero"`
	FreeShipping Opt[bool] `json:"free_shipping,omitzero"` // may be delivered free
	// VideoURL is an https URL.
	VideoURL Opt[string] `json:"video_url,omitzero"`
	// SEOTitle has at most 70 characters, SEODescription at most 320. The contract has one string for all languages,
	// which is Plain. A product that was read with an object of languages has a Text that is written as such an object.
	SEOTitle       Text `json:"seo_title,omitzero"`
	SEODescription Text `json:"seo_description,omitzero"`
	// Attributes are distinct and at most three; each variant has as many values.
	Attributes []Text `json:"attributes,omitzero"`
	// Tags in one string, see JoinTags. The empty string removes them.
	Tags             Opt[string] `json:"tags,omitzero"`
	RequiresShipping Opt[bool]   `json:"requires_shipping,omitzero"` // false for what is digital
}

// Differences names the members of in that p has other values for, as they are called on the wire ("name.en",
// "variants[0].price"); nil if it has all of them. Members that are absent in in are not compared, nor are languages of
// p that in does not have. Variants are compared by SKU, or by position if they have none; "variants" is named if there
// are more or fewer. Images are not compared, because the platform keeps copies under other addresses.
//
// A product that was found is rarely as it was created: stock is sold, merchants change prices, and the platform may
// clean a description.
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
			return engine.Invalid(fmt.Sprintf("images[%d].attachment", i), len(image.Attachment), "a src: ImageService.Create takes files")
		}
		if err := image.check(v, true); err != nil {
			return fmt.Errorf("images[%d].%w", i, err)
		}
	}
	return nil
}

// checkVariants checks attributes and variants, and that each variant has one
// value per attribute if the attributes are known.
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

// sku returns the first SKU of the variants, by which the product can be found.
func (in ProductInput) sku() (string, error) {
	for i, v := range in.Variants {
		sku := v.SKU.Or("")
		if sku == "" {
			continue
		}
		// The platform may keep a SKU without its spaces, and none at all for spaces alone.
		if _, err := engine.Escape(sku); err != nil || strings.TrimSpace(sku) != sku {
			return "", engine.Invalid(fmt.Sprintf("variants[%d].sku", i), sku, "a SKU that is found again: no spaces around it, and not . or ..")
		}
		return sku, nil
	}
	return "", engine.Invalid("variants", len(in.Variants), "a variant with a SKU, which the product is found by")
}

// ProductService reads products with the scope read_products and writes them with
// write_products. All versions have it.
type ProductService engine.Service

// List selects products.
//
//api:endpoint GET /products
func (s *ProductService) List(f ProductFilter) List[Product] {
	return listOf[Product](s, f.query(), engine.ListSpec{Path: "/products", SinceID: true})
}

// Get returns a product. With fields, only these members are answered.
//
//api:endpoint GET /products/{id}
func (s *ProductService) Get(ctx context.Context, id ID, fields ...string) (*Product, error) {
	return engine.Get[Product](ctx, s, "/products/{id}", only(fields), id)
}

// BySKU returns the first product that has a variant with the SKU; ErrNotFound
// tells that there is none.
//
//api:endpoint GET /products/sku/{sku}
func (s *ProductService) BySKU(ctx context.Context, sku string) (*Product, error) {
	return engine.Get[Product](ctx, s, "/products/sku/{sku}", nil, sku)
}

// Create adds a product and returns it. Name is required. A store holds 100000 products.
//
//api:endpoint POST /products
func (s *ProductService) Create(ctx context.Context, in ProductInput) (*Product, error) {
	if err := in.check(Version(engine.VersionOf(s)), true); err != nil {
		return nil, err
	}
	return engine.Send[Product](ctx, s, http.MethodPost, "/products", in)
}

// CreateOrGet returns the product that has a variant with the SKU of the first
// variant in in that has one, whatever its other members, or else creates it. At
// least one variant needs a SKU, and the first of them has no spaces around it:
// the platform may keep it without, and then nothing would find it again.
//
// Where the answer to the creation is lost, the product is looked for, after 2, 5
// and 15 seconds, and only if it is not there the creation is sent once more. So
// the call may be repeated after ErrOutcomeUnknown. What nothing but the
// platform's uniqueness prevents is a second record when two programs call it at
// the same time.
//
// Made is true if the platform answered this call's create with the product. It is false
// for a product that was there before, and for one that was found after a lost answer or
// a refusal, which this call or another one made. Such a product may have other values
// than in: in.Differences(p) names them.
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

// Update changes the members that are present in in. Variants and Images are refused:
// the platform would leave them as they are, and not say so.
//
//api:endpoint PUT /products/{id}
func (s *ProductService) Update(ctx context.Context, id ID, in ProductInput) (*Product, error) {
	if in.Variants != nil {
		return nil, engine.Invalid("variants", len(in.Variants), "none: VariantService changes them")
	}
	if in.Images != nil {
		return nil, engine.Invalid("images", len(in.Images), "none: ImageService changes them")
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

// atMost refuses a text that is longer than most characters in some language.
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
