package res

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// addImages gives a new product its images, each from a URL or a medium of the store: files have an operation of their
// own. Images with a position come after the others and by position, because each moves the image in its place.
func addImages(tx *world.Tx, in *api.In, p world.Product, raws []json.RawMessage) error {
	images, err := body.List[imageIn](raws).Read(in, "images")
	if err != nil {
		return err
	}
	if slices.ContainsFunc(images, func(b imageIn) bool { return b.Src.Value == "" && b.media(in) == "" }) {
		return api.Invalid("src", body.CannotBeBlank)
	}
	position := func(b imageIn) int64 {
		n, _ := b.Position.Int()
		return n
	}
	slices.SortStableFunc(images, func(a, b imageIn) int { return cmp.Compare(position(a), position(b)) })
	for _, b := range images {
		if _, err := addImage(tx, in, p, b); err != nil {
			return err
		}
	}
	return nil
}

// addVariants gives a new product its variants, or the one it has without any.
func addVariants(tx *world.Tx, in *api.In, p world.Product, raws body.List[variantIn]) error {
	if len(raws) == 0 {
		return addVirtual(tx, p)
	}
	bodies, err := raws.Read(in, "variants")
	if err != nil {
		return err
	}
	variants := make([]world.Variant, 0, len(bodies))
	for i, b := range bodies {
		v := world.Variant{ID: tx.NewID(), ProductID: p.ID, Position: i + 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
		if v.Values, err = b.values(tx.Store()); err != nil {
			return err
		}
		if len(v.Values) != len(p.Attributes) {
			return api.Unprocessable(countsDiffer)
		}
		if hasCombination(variants, v.Values) {
			return stated("values", variantsRepeated)
		}
		share(v.Values, variants)
		variants = append(variants, v)
	}
	return putBatch(tx, in, variants, bodies)
}

// share replaces values by equal ones of other variants. A product has few different ones, each takes as much
// room as the rest of a variant, and none is changed in place.
func share(values []map[string]string, others []world.Variant) {
	for i, value := range values {
		at := slices.IndexFunc(others, func(o world.Variant) bool { return maps.Equal(o.Values[i], value) })
		if at >= 0 {
			values[i] = others[at].Values[i]
		}
	}
}

// variantsOf are the variants of a product by position.
func variantsOf(tx *world.Tx, product int64) []world.Variant {
	var out []world.Variant
	for _, v := range tx.Variants.Where("product", strconv.FormatInt(product, 10)) {
		out = append(out, v)
	}
	slices.SortStableFunc(out, func(a, b world.Variant) int { return cmp.Compare(a.Position, b.Position) })
	return out
}

// imagesOf are the images of a product by position.
func imagesOf(tx *world.Tx, product int64) []world.Image {
	var out []world.Image
	for _, i := range tx.Images.Where("product", strconv.FormatInt(product, 10)) {
		out = append(out, i)
	}
	slices.SortStableFunc(out, func(a, b world.Image) int { return cmp.Compare(a.Position, b.Position) })
	return out
}
