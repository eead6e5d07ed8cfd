package res

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func imageOps() []api.Op {
	read, write := []string{"read_products"}, []string{"write_products"}
	updated := []string{"product/updated"}
	missing := []api.ErrCase{{Status: 404, Text: noSuchProduct}}
	missingBoth := append(slices.Clone(missing), api.ErrCase{Status: 404, Text: "null"})
	return []api.Op{
		{ID: "images.list", Method: "GET", Path: "/products/{product_id}/images", Scopes: read,
			Query: []string{"since_id", "src", "position"}, Errors: missing, Handler: api.Collection(findImages, showImage)},
		{ID: "images.get", Method: "GET", Path: "/products/{product_id}/images/{id}", Scopes: read,
			Errors: missingBoth, Handler: getImage},
		{ID: "images.create", Method: "POST", Path: "/products/{product_id}/images", Scopes: write, Success: 201,
			Emits: updated, Handler: createImage, Errors: slices.Concat(missing, imageErrors(), []api.ErrCase{
				{Status: 422, Text: "Product is not allowed to have more than 250 images"}})},
		{ID: "images.update", Method: "PUT", Path: "/products/{product_id}/images/{id}", Scopes: write,
			Emits: updated, Handler: updateImage, Errors: slices.Concat(missingBoth,
				slices.DeleteFunc(imageErrors(), func(e api.ErrCase) bool { return strings.HasPrefix(e.Text, "filename") }))},
		{ID: "images.delete", Method: "DELETE", Path: "/products/{product_id}/images/{id}", Scopes: write, NoBody: true,
			Emits: updated, Errors: missingBoth, Handler: deleteImage},
	}
}

// Texts about images, all of them assumed.
const (
	notAnImage = "must be a gif, jpg, png or webp image"
	tooLarge   = "must be smaller than 10 MB"
	notBase64  = "is not valid Base64"
	notAURL    = "is not a valid URL"
)

// imageErrors are the refusals of whatever writes an image.
func imageErrors() []api.ErrCase {
	return unprocessable(
		"src: "+body.CannotBeBlank,
		"src: "+notAURL,
		"src: "+notAnImage,
		"filename: "+body.CannotBeBlank,
		"attachment: "+notBase64,
		"attachment: "+notAnImage,
		"attachment: "+tooLarge,
		"store_media_uuid: "+body.NotSelectable("store media uuid"),
		"position: "+body.NotInteger("position"),
		"position: "+body.TooSmall("position", 1),
	)
}

// newImageErrors are the refusals of the images of a new product, which are no files.
func newImageErrors() []api.ErrCase {
	return slices.DeleteFunc(imageErrors(), func(e api.ErrCase) bool {
		return strings.HasPrefix(e.Text, "filename") || strings.HasPrefix(e.Text, "attachment")
	})
}

type imageJSON struct {
	ID             int64   `json:"id"`
	ProductID      int64   `json:"product_id"`
	Src            string  `json:"src"`
	Position       int     `json:"position"`
	Alt            any     `json:"alt"`
	StoreMediaUUID *string `json:"store_media_uuid"`
	CreatedAt      string  `json:"created_at"`
	UpdatedAt      string  `json:"updated_at"`
}

func showImage(_ *world.Tx, _ *api.In, i world.Image) any { return imageOnWire(i) }

func imageOnWire(i world.Image) imageJSON {
	return imageJSON{
		ID:             i.ID,
		ProductID:      i.ProductID,
		Src:            i.Src,
		Position:       i.Position,
		Alt:            objectOrEmpty(i.Alt),
		StoreMediaUUID: api.TextOrNil(i.StoreMediaUUID),
		CreatedAt:      api.Stamp(i.CreatedAt),
		UpdatedAt:      api.Stamp(i.UpdatedAt),
	}
}

// imageIn is the body of an image.
type imageIn struct {
	Src            body.Opt[string]     `json:"src"`
	Attachment     body.Opt[string]     `json:"attachment"`
	Filename       body.Opt[string]     `json:"filename"`
	StoreMediaUUID body.Opt[string]     `json:"store_media_uuid"`
	Position       body.Scalar          `json:"position"`
	Alt            body.Opt[body.Texts] `json:"alt"`

	// Members of an answer that may be sent back and change nothing.
	ProductID json.RawMessage `json:"product_id"`
	body.ReadOnly
}

func findImages(tx *world.Tx, in *api.In) ([]world.Image, error) {
	p, err := product(tx, in.ID("product_id"))
	if err != nil {
		return nil, err
	}
	list := imagesOf(tx, p.ID)
	since, hasSince := in.Int("since_id")
	if hasSince {
		sortBy(list, "ascending", func(a, b world.Image) int { return cmp.Compare(a.ID, b.ID) })
	}
	position, hasPosition := in.Int("position")
	return slices.DeleteFunc(list, func(i world.Image) bool {
		return i.ID <= since ||
			in.Has("src") && i.Src != in.Text("src") ||
			hasPosition && int64(i.Position) != position
	}), nil
}

func getImage(tx *world.Tx, in *api.In) (any, error) {
	_, i, err := image(tx, in)
	if err != nil {
		return nil, err
	}
	return showImage(tx, in, i), nil
}

// image is the one of the path, with its product.
func image(tx *world.Tx, in *api.In) (world.Product, world.Image, error) {
	p, err := product(tx, in.ID("product_id"))
	if err != nil {
		return p, world.Image{}, err
	}
	i, ok := tx.Images.Get(in.ID("id"))
	if !ok || i.ProductID != p.ID {
		return p, i, api.NotFound("")
	}
	return p, i, nil
}

func createImage(tx *world.Tx, in *api.In) (any, error) {
	p, err := product(tx, in.ID("product_id"))
	if err != nil {
		return nil, err
	}
	var b imageIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	i, err := addImage(tx, in, p, b)
	if err != nil {
		return nil, err
	}
	if most := tx.Limits().Images; len(imagesOf(tx, p.ID)) > most {
		return nil, tooMany(most, "images")
	}
	if _, err := touch(tx, p); err != nil {
		return nil, err
	}
	return showImage(tx, in, i), nil
}

// addImage puts a new image of a product into its position, the last one if the
// body names none.
func addImage(tx *world.Tx, in *api.In, p world.Product, b imageIn) (world.Image, error) {
	i := world.Image{ID: tx.NewID(), ProductID: p.ID, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
	if !b.hasSource(in) {
		return i, api.Invalid("src", body.CannotBeBlank)
	}
	if b.Attachment.Value != "" && b.Src.Value == "" && b.Filename.Value == "" {
		return i, api.Invalid("filename", body.CannotBeBlank)
	}
	i, err := b.apply(tx, in, i)
	if err != nil {
		return i, err
	}
	if i.Position == 0 {
		i.Position = len(imagesOf(tx, p.ID)) + 1
	}
	return place(tx, i)
}

func updateImage(tx *world.Tx, in *api.In) (any, error) {
	p, before, err := image(tx, in)
	if err != nil {
		return nil, err
	}
	var b imageIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	if b.Src.Present && !b.hasSource(in) {
		return nil, api.Invalid("src", body.CannotBeBlank)
	}
	i, err := b.apply(tx, in, before)
	if err != nil {
		return nil, err
	}
	if i.Position = min(i.Position, len(imagesOf(tx, p.ID))); same(before, i) {
		return showImage(tx, in, i), nil
	}
	i.UpdatedAt = tx.Now()
	if i, err = place(tx, i); err != nil {
		return nil, err
	}
	if _, err := touch(tx, p); err != nil {
		return nil, err
	}
	return showImage(tx, in, i), nil
}

func deleteImage(tx *world.Tx, in *api.In) (any, error) {
	p, i, err := image(tx, in)
	if err != nil {
		return nil, err
	}
	tx.Images.Delete(i.ID)
	if err := renumber(tx, imagesOf(tx, p.ID)); err != nil {
		return nil, err
	}
	for _, v := range tx.Variants.Where("image", strconv.FormatInt(i.ID, 10)) {
		v.ImageID, v.UpdatedAt = 0, tx.Now()
		if err := tx.Variants.Put(v.ID, v); err != nil {
			return nil, err
		}
	}
	if _, err := touch(tx, p); err != nil {
		return nil, err
	}
	return api.Empty{}, nil
}

// place keeps an image at its position, or as near as the others allow, and moves
// the others out of its way.
func place(tx *world.Tx, i world.Image) (world.Image, error) {
	others := slices.DeleteFunc(imagesOf(tx, i.ProductID), func(o world.Image) bool { return o.ID == i.ID })
	i.Position = min(i.Position, len(others)+1)
	if err := tx.Images.Put(i.ID, i); err != nil {
		return i, err
	}
	return i, renumber(tx, slices.Insert(others, i.Position-1, i))
}

// renumber gives images the positions from 1 in the order they are in.
func renumber(tx *world.Tx, images []world.Image) error {
	for n, i := range images {
		if i.Position == n+1 {
			continue
		}
		i.Position, i.UpdatedAt = n+1, tx.Now()
		if err := tx.Images.Put(i.ID, i); err != nil {
			return err
		}
	}
	return nil
}

// hasSource reports whether the body says where the picture comes from. Store
// media exist in the unstable version only; elsewhere the member is not read.
func (b imageIn) hasSource(in *api.In) bool {
	return b.Src.Value != "" || b.Attachment.Value != "" || b.media(in) != ""
}

func (b imageIn) media(in *api.In) string {
	if in.Version != api.Unstable {
		return ""
	}
	return b.StoreMediaUUID.Value
}

// apply returns the image with what the body changes. A URL that is the image's
// own is no new picture.
func (b imageIn) apply(tx *world.Tx, in *api.In, i world.Image) (world.Image, error) {
	if b.Position.Present && !b.Position.Null() {
		n, ok := b.Position.Int()
		switch {
		case !ok:
			return i, body.Refuse("position", body.NotInteger("position"))
		case n < 1:
			return i, body.Refuse("position", body.TooSmall("position", 1))
		}
		i.Position = int(min(n, int64(tx.Limits().Images)))
	}
	if b.Alt.Present {
		i.Alt = b.Alt.Value.In(tx.Store())
	}
	switch media := b.media(in); {
	case media != "" && media != i.StoreMediaUUID:
		// The media must belong to the store, and stores of this server have none.
		return i, body.NoSuch("store_media_uuid")
	case b.Src.Value != "" && b.Src.Value != i.Src:
		name, format, err := fromURL(b.Src.Value)
		if err != nil {
			return i, err
		}
		i.Src = imageURL(tx, name, format)
	case b.Attachment.Value != "":
		format, err := fromAttachment(b.Attachment.Value, tx.Limits().ImageBytes)
		if err != nil {
			return i, err
		}
		i.Src = imageURL(tx, b.Filename.Value, format)
	}
	return i, nil
}
