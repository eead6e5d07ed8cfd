package res

import (
	"encoding/json"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Texts of the contract about changing all variants of a product at once.
const (
	noVariant      = "There must be at least one variant"
	valuesEmpty    = "Variant values should not be empty"
	valuesFormat   = "Invalid values format"
	valuesRepeated = "Variant values should not be repeated"
)

// replaceVariants makes the variants of the body the product's only ones. Values
// that are there already keep their variant, others get a new one.
func replaceVariants(tx *world.Tx, in *api.In) (any, error) {
	p, err := product(tx, in.ID("product_id"))
	if err != nil {
		return nil, err
	}
	bodies, err := batch[variantIn](in)
	if err != nil {
		return nil, err
	}
	if len(bodies) == 0 {
		return nil, api.Coded(400, noVariant)
	}
	requested, err := combine(tx, bodies)
	if err != nil {
		return nil, err
	}
	if err := checkBatch(tx, p, requested); err != nil {
		return nil, err
	}
	before := batchState(tx, p.ID)
	if err := putBatch(tx, in, settleVariants(tx, p, requested), bodies); err != nil {
		return nil, err
	}
	return finishBatch(tx, p, before, true)
}

// settleVariants turns the requested combinations into stored or new variants, and removes the other stored ones.
func settleVariants(tx *world.Tx, p world.Product, requested []world.Variant) []world.Variant {
	stored := variantsOf(tx, p.ID)
	places := claimVariants(requested, stored, tx.Store().MainLanguage)
	for j, v := range stored {
		if !slices.Contains(places, j) {
			removeVariant(tx, v)
		}
	}
	out := make([]world.Variant, len(requested))
	for i, j := range places {
		v := world.Variant{ProductID: p.ID, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
		if j >= 0 {
			v = stored[j]
		} else {
			v.ID = tx.NewID()
		}
		v.Values, v.Position = requested[i].Values, i+1
		out[i] = v
	}
	return out
}

// batch reads the variants of a body that is an array of objects.
func batch[T any](in *api.In) ([]T, error) {
	raws, err := body.Array(in)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(raws, func(raw json.RawMessage) bool { return !body.IsObject(raw) }) {
		return nil, api.Coded(400, body.InvalidFormat)
	}
	return body.List[T](raws).Read(in, "variants")
}

// combine reads the values of each body.
func combine(tx *world.Tx, bodies []variantIn) ([]world.Variant, error) {
	out := make([]world.Variant, len(bodies))
	for i, b := range bodies {
		values, err := b.values(tx.Store())
		if err != nil {
			return nil, api.Coded(400, valuesFormat)
		}
		if len(values) == 0 {
			return nil, api.Coded(400, valuesEmpty)
		}
		out[i].Values = values
	}
	return out, nil
}

// checkBatch counts first, because every variant is compared with all the others.
func checkBatch(tx *world.Tx, p world.Product, requested []world.Variant) error {
	if most := tx.Limits().Variants; len(requested) > most {
		return tooMany(most, "variants")
	}
	for i, v := range requested {
		if hasCombination(requested[:i], v.Values) {
			return api.Unprocessable(valuesRepeated)
		}
		if len(v.Values) != len(p.Attributes) {
			return api.Unprocessable(countsDiffer)
		}
	}
	return nil
}

// putBatch keeps the variants. None of them is in the way of another one's SKU, so that two may exchange theirs. All of
// them are looked at before one is kept, so that a refusal names every fault.
func putBatch(tx *world.Tx, in *api.In, variants []world.Variant, bodies []variantIn) error {
	wrong := &body.Problems{}
	drafts := make([]variantDraft, len(variants))
	for i, v := range variants {
		var err error
		if drafts[i], err = bodies[i].draft(tx, in, v, wrong); err != nil {
			return err
		}
	}
	if err := refuseVariants(wrong); err != nil {
		return err
	}
	for i := range variants {
		stored, ok := tx.Variants.Get(variants[i].ID)
		if !ok || !bodies[i].SKU.Present {
			continue
		}
		stored.SKU = ""
		if err := tx.Variants.Put(stored.ID, stored); err != nil {
			return err
		}
	}
	for _, d := range drafts {
		if _, err := d.keep(tx); err != nil {
			return err
		}
	}
	return nil
}

// snapshot is compared to find whether a batch changed anything.
type snapshot map[int64]struct {
	variant world.Variant
	levels  []levelJSON
}

func batchState(tx *world.Tx, product int64) snapshot {
	out := snapshot{}
	for _, v := range variantsOf(tx, product) {
		entry := out[v.ID]
		entry.variant, entry.levels = v, levelsOnWire(tx, v.ID)
		out[v.ID] = entry
	}
	return out
}

// finishBatch dates the variants that changed, and only those, and answers with
// all of the product's variants. sized writes sizes as numbers even
// where a variant has none.
func finishBatch(tx *world.Tx, p world.Product, before snapshot, sized bool) (any, error) {
	changed := false
	out := []variantJSON{}
	for _, v := range variantsOf(tx, p.ID) {
		old, existed := before[v.ID]
		delete(before, v.ID)
		unchanged := v
		unchanged.UpdatedAt = old.variant.UpdatedAt
		if existed && same(old.variant, unchanged) && same(old.levels, levelsOnWire(tx, v.ID)) {
			v = unchanged
		} else {
			v.UpdatedAt = tx.Now()
			changed = true
		}
		if err := tx.Variants.Put(v.ID, v); err != nil {
			return nil, err
		}
		shown := variantOnWire(tx, v)
		shown.Position = v.Position
		out = append(out, shown)
	}
	if changed || len(before) > 0 {
		if _, err := touch(tx, p); err != nil {
			return nil, err
		}
	}
	if sized {
		for i := range out {
			out[i].sized()
		}
	}
	return out, nil
}

// sized writes 0 for the sizes that the variant does not have.
func (v *variantJSON) sized() {
	weight, size := "0.000", "0.00"
	if v.Weight == nil {
		v.Weight = &weight
	}
	for _, s := range []**string{&v.Width, &v.Height, &v.Depth} {
		if *s == nil {
			*s = &size
		}
	}
}

// patchVariants changes variants by their ids. It adds and removes none.
func patchVariants(tx *world.Tx, in *api.In) (any, error) {
	p, err := product(tx, in.ID("product_id"))
	if err != nil {
		return nil, err
	}
	bodies, err := batch[variantIn](in)
	if err != nil {
		return nil, err
	}
	variants, err := named(tx, p, bodies)
	if err != nil {
		return nil, err
	}
	for i, b := range bodies {
		if !b.Values.Present {
			continue
		}
		values, err := b.values(tx.Store())
		if err != nil {
			return nil, err
		}
		if len(values)+len(variants[i].Values) == 0 {
			continue // a product without variants of its own
		}
		if len(values) != len(p.Attributes) {
			return nil, api.Unprocessable(countsDiffer)
		}
		variants[i].Values = values
	}
	if failing := repeated(tx, p, variants); len(failing) > 0 {
		return nil, duplicates(failing)
	}
	before := batchState(tx, p.ID)
	if err := putBatch(tx, in, variants, bodies); err != nil {
		return nil, err
	}
	return finishBatch(tx, p, before, false)
}

// named are the stored variants of the ids, which must belong to the product and
// be there once.
func named(tx *world.Tx, p world.Product, bodies []variantIn) ([]world.Variant, error) {
	out := make([]world.Variant, len(bodies))
	seen := map[int64]bool{}
	failing := []int64{}
	refused := false
	for i, b := range bodies {
		id, isID := b.ID.Int()
		v, ok := tx.Variants.Get(id)
		if !isID || !ok || v.ProductID != p.ID || seen[id] {
			refused = true
			if isID {
				failing = append(failing, id)
			}
		}
		seen[id] = true
		out[i] = v
	}
	if refused {
		return nil, duplicates(failing)
	}
	return out, nil
}

func duplicates(failing []int64) *api.Error {
	return api.Unprocessable(variantsRepeated).With("duplicate_variant_ids", failing)
}

// repeated lists the ids of those variants whose values another one of the
// product has or would have.
func repeated(tx *world.Tx, p world.Product, changed []world.Variant) []int64 {
	all := slices.Clone(changed)
	for _, v := range variantsOf(tx, p.ID) {
		if !slices.ContainsFunc(changed, func(c world.Variant) bool { return c.ID == v.ID }) {
			all = append(all, v)
		}
	}
	var failing []int64
	for _, v := range changed {
		if slices.ContainsFunc(all, func(o world.Variant) bool { return o.ID != v.ID && alike(o.Values, v.Values) }) {
			failing = append(failing, v.ID)
		}
	}
	return failing
}
