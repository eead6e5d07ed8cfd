package res

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/scalar"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Texts of the contract about products; countsDiffer and what follows it are
// assumed, because the contract has the rule without a text.
const (
	insecureVideo         = "The video url field is not a secure url"
	countsDiffer          = "The number of attributes must equal the number of values in each variant"
	tooManyAttributes     = "Product is not allowed to have more than 3 attributes"
	attributesRepeated    = "Attributes cannot be repeated"
	noSuchCategories      = "The selected categories is invalid."
	publishedOrVisibility = "The published and visibility parameters cannot be combined"
)

// productErrors are the refusals that creating and updating a product share.
func productErrors() []api.ErrCase {
	return unprocessable(
		insecureVideo,
		"seo_title: The seo title may not be greater than 70 characters.",
		"seo_description: The seo description may not be greater than 320 characters.",
		tooManyAttributes,
		attributesRepeated,
		"attributes: "+cannotBeBlank,
		"categories: "+noSuchCategories,
	)
}

// productIn is the body that creates or changes a product. Variants and images are
// read on creation only; later they have operations of their own, and an answer
// that is sent back may carry them.
type productIn struct {
	Name             api.Opt[texts]                   `json:"name"`
	Description      api.Opt[texts]                   `json:"description"`
	Handle           api.Opt[texts]                   `json:"handle"`
	Variants         api.Opt[api.Elements[variantIn]] `json:"variants"`
	Images           api.Opt[[]json.RawMessage]       `json:"images"`
	Categories       api.Opt[[]reference]             `json:"categories"`
	Brand            api.Opt[string]                  `json:"brand"`
	Published        api.Opt[bool]                    `json:"published"`
	FreeShipping     api.Opt[bool]                    `json:"free_shipping"`
	RequiresShipping api.Opt[bool]                    `json:"requires_shipping"`
	VideoURL         api.Opt[string]                  `json:"video_url"`
	SEOTitle         api.Opt[texts]                   `json:"seo_title"`
	SEODescription   api.Opt[texts]                   `json:"seo_description"`
	Attributes       api.Opt[[]texts]                 `json:"attributes"`
	Tags             api.Opt[string]                  `json:"tags"`
	readOnly
}

// readOnly are members of every record that may be sent back and change nothing.
type readOnly struct {
	ID        json.RawMessage `json:"id"`
	CreatedAt json.RawMessage `json:"created_at"`
	UpdatedAt json.RawMessage `json:"updated_at"`
}

// reference is an id, as a number or as text, or a record that has one: what an
// answer wrote out in full may be sent back.
type reference int64

// UnmarshalJSON takes any of the forms; null is 0, which nothing has.
func (r *reference) UnmarshalJSON(b []byte) error {
	var record struct {
		ID scalar.Value `json:"id"`
	}
	decode := record.ID.UnmarshalJSON
	if bytes.HasPrefix(b, []byte("{")) {
		decode = func(b []byte) error { return json.Unmarshal(b, &record) }
	}
	if err := decode(b); err != nil {
		return err
	}
	id, ok := record.ID.Int()
	if !ok && record.ID.Text != "" {
		return errors.New("want an id")
	}
	*r = reference(id)
	return nil
}

// apply returns the product with what the body changes. It does not look at
// variants and images.
func (b productIn) apply(tx *world.Tx, p world.Product) (world.Product, error) {
	st := tx.Store()
	if b.VideoURL.Present {
		if b.VideoURL.Value != "" && !secure(b.VideoURL.Value) {
			return p, stated("video_url", insecureVideo)
		}
		p.VideoURL = b.VideoURL.Value
	}
	if b.Name.Present {
		p.Name = b.Name.Value.in(st)
	}
	if b.Description.Present || p.Description == nil {
		p.Description = withEmpty(st, b.Description.Value.in(st))
	}
	if b.Name.Present || b.Handle.Present {
		p.Handle = handles(p.Name, b.Handle.Value.in(st), p.Handle, "product", func(language, handle string) bool {
			other, ok := tx.Products.Find("handle", language+"/"+handle)
			return ok && other.ID != p.ID
		})
	}
	p.SEOTitle = b.seoTitle(tx, p)
	if b.SEODescription.Present {
		p.SEODescription = b.SEODescription.Value.one(st)
	}
	p.Brand = b.Brand.Or(p.Brand)
	p.Published = b.Published.SetOr(p.Published)
	p.FreeShipping = b.FreeShipping.SetOr(p.FreeShipping)
	p.RequiresShipping = b.RequiresShipping.SetOr(p.RequiresShipping)
	p.Tags = b.Tags.Or(p.Tags)
	wrong := problems{}
	atMost(wrong, "seo_title", "seo title", p.SEOTitle, tx.Limits().SEOTitle)
	atMost(wrong, "seo_description", "seo description", p.SEODescription, tx.Limits().SEODescription)
	if b.Categories.Present {
		p.Categories = nil
		listed := map[int64]bool{}
		for _, id := range b.Categories.Value {
			if !tx.Categories.Has(int64(id)) {
				wrong.add("categories", noSuchCategories)
			}
			if !listed[int64(id)] {
				p.Categories = append(p.Categories, int64(id))
			}
			listed[int64(id)] = true
		}
	}
	if err := wrong.err(); err != nil {
		return p, err
	}
	return b.applyAttributes(tx, p)
}

// seoTitle is the one of the body. A new product without one gets its name, cut
// to the length a title may have.
func (b productIn) seoTitle(tx *world.Tx, p world.Product) string {
	title := p.SEOTitle
	if b.SEOTitle.Present {
		title = b.SEOTitle.Value.one(tx.Store())
	} else if !tx.Products.Has(p.ID) {
		title = mainText(tx.Store(), p.Name)
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
		name := a.in(tx.Store())
		if blank(name) {
			return p, api.Invalid("attributes", cannotBeBlank)
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

func atMost(wrong problems, field, words, text string, most int) {
	if utf8.RuneCountInString(text) > most {
		wrong.add(field, "The %s may not be greater than %d characters.", words, most)
	}
}

func tooMany(most int, what string) *api.Error {
	return api.Unprocessable("Product is not allowed to have more than " + strconv.Itoa(most) + " " + what)
}

func secure(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Scheme == "https" && u.Host != ""
}

// same reports whether nothing changed, so that nothing has to be told.
func same[T any](before, after T) bool { return reflect.DeepEqual(before, after) }

// anyText lists the texts of all languages, or of one.
func anyText(by map[string]string, language string) []string {
	if language != "" {
		return []string{by[language]}
	}
	return slices.Collect(maps.Values(by))
}
