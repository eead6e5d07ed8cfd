package res

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Texts of the contract about products; countsDiffer and what follows it are
// assumed, because the contract has the rule without a text.
const (
	insecureVideo         = "The video url field is not a secure url"
	countsDiffer          = "The number of attributes must equal the number of values in each variant"
	tooManyAttributes     = "Product is not allowed to have more than 3 attributes"
	attributesRepeated    = "Attributes cannot be repeated"
	publishedOrVisibility = "The published and visibility parameters cannot be combined"
)

// productErrors are the refusals that creating and updating a product share.
func productErrors() []api.ErrCase {
	return unprocessable(
		insecureVideo,
		"seo_title: "+body.TooLong("seo title", 70),
		"seo_description: "+body.TooLong("seo description", 320),
		tooManyAttributes,
		attributesRepeated,
		"attributes: "+body.CannotBeBlank,
		"categories: "+body.NotSelectable("categories"),
	)
}

// productIn is the body that creates or changes a product. Variants and images are
// read on creation only; later they have operations of their own, and an answer
// that is sent back may carry them.
type productIn struct {
	Name             body.Opt[body.Texts]           `json:"name"`
	Description      body.Opt[body.Texts]           `json:"description"`
	Handle           body.Opt[body.Texts]           `json:"handle"`
	Variants         body.Opt[body.List[variantIn]] `json:"variants"`
	Images           body.Opt[[]json.RawMessage]    `json:"images"`
	Categories       body.Opt[[]body.Reference]     `json:"categories"`
	Brand            body.Opt[string]               `json:"brand"`
	Published        body.Opt[bool]                 `json:"published"`
	FreeShipping     body.Opt[bool]                 `json:"free_shipping"`
	RequiresShipping body.Opt[bool]                 `json:"requires_shipping"`
	VideoURL         body.Opt[string]               `json:"video_url"`
	SEOTitle         body.Opt[body.Texts]           `json:"seo_title"`
	SEODescription   body.Opt[body.Texts]           `json:"seo_description"`
	Attributes       body.Opt[[]body.Texts]         `json:"attributes"`
	Tags             body.Opt[string]               `json:"tags"`

	// Members of an answer that may be sent back and change nothing.
	CanonicalURL json.RawMessage `json:"canonical_url"`
	HasStock     json.RawMessage `json:"has_stock"`
	DeletedAt    json.RawMessage `json:"deleted_at"`
	body.ReadOnly
}

// apply returns the product with what the body changes. It does not look at
// variants and images.
func (b productIn) apply(tx *world.Tx, p world.Product) (world.Product, error) {
	st := tx.Store()
	if b.VideoURL.Present {
		if b.VideoURL.Value != "" && !body.Secure(b.VideoURL.Value) {
			return p, stated("video_url", insecureVideo)
		}
		p.VideoURL = b.VideoURL.Value
	}
	if b.Name.Present {
		p.Name = b.Name.Value.In(st)
	}
	if b.Description.Present || p.Description == nil {
		p.Description = withEmpty(st, b.Description.Value.In(st))
	}
	if b.Name.Present || b.Handle.Present {
		p.Handle = handles(p.Name, b.Handle.Value.In(st), p.Handle, "product", func(language, handle string) bool {
			other, ok := tx.Products.Find("handle", language+"/"+handle)
			return ok && other.ID != p.ID
		})
	}
	p.SEOTitle = b.seoTitle(tx, p)
	if b.SEODescription.Present {
		p.SEODescription = b.SEODescription.Value.One(st)
	}
	p.Brand = b.Brand.Or(p.Brand)
	p.Published = b.Published.SetOr(p.Published)
	p.FreeShipping = b.FreeShipping.SetOr(p.FreeShipping)
	p.RequiresShipping = b.RequiresShipping.SetOr(p.RequiresShipping)
	p.Tags = b.Tags.Or(p.Tags)
	wrong := &body.Problems{}
	wrong.AtMost("seo_title", p.SEOTitle, tx.Limits().SEOTitle)
	wrong.AtMost("seo_description", p.SEODescription, tx.Limits().SEODescription)
	if b.Categories.Present {
		p.Categories = nil
		listed := map[int64]bool{}
		for _, id := range b.Categories.Value {
			wrong.Select("categories", tx.Categories.Has(int64(id)))
			if !listed[int64(id)] {
				p.Categories = append(p.Categories, int64(id))
			}
			listed[int64(id)] = true
		}
	}
	if err := wrong.Err(); err != nil {
		return p, err
	}
	return b.applyAttributes(tx, p)
}

// seoTitle is the one of the body. A new product without one gets its name, cut
// to the length a title may have.
func (b productIn) seoTitle(tx *world.Tx, p world.Product) string {
	title := p.SEOTitle
	if b.SEOTitle.Present {
		title = b.SEOTitle.Value.One(tx.Store())
	} else if !tx.Products.Has(p.ID) {
		title = tx.Store().MainText(p.Name)
		if r := []rune(title); len(r) > tx.Limits().SEOTitle {
			title = string(r[:tx.Limits().SEOTitle])
		}
	}
	return title
}

func (b productIn) applyAttributes(tx *world.Tx, p world.Product) (world.Product, error) {
	if !b.Attributes.Present {
		return p, nil
	}
	if most := tx.Limits().Attributes; len(b.Attributes.Value) > most {
		return p, tooMany(most, "attributes")
	}
	p.Attributes = nil
	for _, a := range b.Attributes.Value {
		name := a.In(tx.Store())
		if blank(name) {
			return p, api.Invalid("attributes", body.CannotBeBlank)
		}
		if slices.ContainsFunc(p.Attributes, func(other map[string]string) bool { return agree(name, other) }) {
			return p, stated("attributes", attributesRepeated)
		}
		p.Attributes = append(p.Attributes, name)
	}
	return p, nil
}

// agree reports whether two names read the same in some language.
func agree(a, b map[string]string) bool {
	for language, text := range a {
		if other, ok := b[language]; ok && other == text {
			return true
		}
	}
	return len(a) == 0 && len(b) == 0
}

func tooMany(most int, what string) *api.Error {
	return api.Unprocessable("Product is not allowed to have more than " + strconv.Itoa(most) + " " + what)
}

// same reports whether nothing changed, so that no event is due.
func same[T any](before, after T) bool { return reflect.DeepEqual(before, after) }

// anyText lists the texts of all languages, or of one.
func anyText(by map[string]string, language string) []string {
	if language != "" {
		return []string{by[language]}
	}
	return slices.Collect(maps.Values(by))
}
