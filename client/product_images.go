package client

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/printable"
)

// MaxImageBytes is the size that an image must stay under.
const MaxImageBytes = 10 << 20

// Image is a picture of a product.
type Image struct {
	ID        ID `json:"id"`
	ProductID ID `json:"product_id"` // the product that it belongs to
	// Src is the URL of the image in 1024 x 1024 pixels; SizeURL gives others.
	Src string `json:"src"`
	// Position orders the images of a product; 1 is the first and main one.
	Position Int `json:"position"`
	// Alt is the text for search engines, empty if there is none.
	Alt Text `json:"alt"`
	// StoreMediaUUID is the asset of the store behind the image; nil for images
	// that were uploaded by Src or Attachment.
	StoreMediaUUID *uuid.UUID `json:"store_media_uuid"`
	CreatedAt      Time       `json:"created_at"`
	UpdatedAt      Time       `json:"updated_at"`
	Extra          Extra      `json:",embed"`
}

// fullSize ends the URL of an image before its extension.
const fullSize = "-1024-1024"

// SizeURL returns the URL of the image in 50, 100, 240, 320, 480, 640 or 1024
// pixels. It changes the final part of Src, -1024-1024, and fails if Src ends in
// another way. A query stays.
//
// The platform keeps only the size 1024 of an image that was uploaded as webp, as JPEG. If Src ends in .webp, SizeURL
// fails for every other size. If the platform returned the address of the JPEG, nothing in the record shows that
// the other sizes are missing, and their URLs lead nowhere.
func (i *Image) SizeURL(size int) (string, error) {
	if sizes := []int{50, 100, 240, 320, 480, 640, 1024}; !slices.Contains(sizes, size) {
		return "", engine.Invalid("size", size, fmt.Sprintf("one of %d", sizes))
	}
	address, rest := i.Src, ""
	if at := strings.IndexAny(address, "?#"); at >= 0 {
		address, rest = address[:at], address[at:]
	}
	extension := path.Ext(address)
	stem, ok := strings.CutSuffix(strings.TrimSuffix(address, extension), fullSize)
	if !ok {
		return "", engine.Invalid("src", baseName(address), "a URL that ends in "+fullSize+" and an extension")
	}
	if size == 1024 {
		return i.Src, nil
	}
	if strings.EqualFold(extension, ".webp") {
		return "", engine.Invalid("size", size, "1024, the only size of a webp image")
	}
	return stem + "-" + strconv.Itoa(size) + "-0" + extension + rest, nil
}

// ImageInput is the body of Create and Update. Create needs exactly one source:
// Src, Attachment or StoreMediaUUID. Update takes at most one, which replaces the
// picture and keeps the id, and keeps what is left out.
type ImageInput struct {
	// Src is a URL that the platform fetches the image from.
	Src string `json:"src,omitzero"`
	// Attachment is the file: gif, jpg, png or webp, under 10 MB. It is sent as
	// Base64, and Create needs Filename beside it. ImageFrom reads it.
	Attachment []byte `json:"attachment,omitzero"`
	// Filename is the name of the file. Of a path, also one of Windows, only the last element is sent.
	Filename string `json:"filename,omitzero"`
	// StoreMediaUUID is an asset of the store, in version unstable only.
	StoreMediaUUID uuid.UUID `json:"store_media_uuid,omitzero"`
	// Position is 1 for the main image; 0 leaves it to the platform.
	Position int `json:"position,omitzero"`
	// Alt is the text for search engines.
	Alt Text `json:"alt,omitzero"`
}

// ImageFrom returns an input with the file that r gives. It reads no more than
// MaxImageBytes and fails if there is more. The filename may be a path, such as that
// of os.File.Name, of which only the last element is used.
func ImageFrom(r io.Reader, filename string) (ImageInput, error) {
	filename = baseName(filename)
	data, err := io.ReadAll(io.LimitReader(r, MaxImageBytes))
	if err != nil {
		return ImageInput{}, fmt.Errorf("read image %s: %w", printable.Quote(filename), err)
	}
	in := ImageInput{Attachment: data, Filename: filename}
	return in, in.checkAttachment(true)
}

// baseName returns the last element of a path with slashes or backslashes, "." if there is none, and "" for "".
func baseName(filename string) string {
	if filename == "" {
		return ""
	}
	name := path.Base(strings.ReplaceAll(filename, `\`, "/"))
	if len(name) > 1 && name[1] == ':' { // of a drive
		name = name[2:]
	}
	return cmp.Or(strings.Trim(name, "/"), ".")
}

func (in ImageInput) check(v Version, creating bool) error {
	sources := 0
	for _, given := range []bool{in.Src != "", in.Attachment != nil, in.StoreMediaUUID != uuid.Nil} {
		if given {
			sources++
		}
	}
	if sources > 1 || creating && sources == 0 {
		return engine.Invalid("src", sources, "exactly one of src, attachment and store_media_uuid")
	}
	if in.StoreMediaUUID != uuid.Nil && v != VersionUnstable {
		return fmt.Errorf("store_media_uuid: version %s: %w", printable.Quote(string(v)), ErrNotInVersion)
	}
	if in.Position < 0 {
		return engine.Invalid("position", in.Position, "1 or more")
	}
	if in.Attachment == nil {
		return nil
	}
	return in.checkAttachment(creating)
}

// checkAttachment checks the file and its name, which an image that is there already need not be told.
func (in ImageInput) checkAttachment(named bool) error {
	if n := len(in.Attachment); n >= MaxImageBytes {
		return engine.Invalid("attachment", n, fmt.Sprintf("less than %d bytes", MaxImageBytes))
	}
	if formats := []string{".gif", ".jpg", ".jpeg", ".png", ".webp"}; named || in.Filename != "" {
		if !slices.Contains(formats, strings.ToLower(path.Ext(in.Filename))) || path.Ext(in.Filename) == in.Filename {
			return engine.Invalid("filename", in.Filename, "a name that ends in .gif, .jpg, .png or .webp")
		}
	}
	switch media := http.DetectContentType(in.Attachment); media {
	case "image/gif", "image/jpeg", "image/png", "image/webp":
	default:
		return engine.Invalid("attachment", media, "a gif, jpg, png or webp image")
	}
	return nil
}

// ImageFilter selects images of a product. The zero filter selects all.
type ImageFilter struct {
	Paging
	// SinceID selects images with a greater id.
	SinceID ID
	// Src selects by URL.
	Src string
	// Position selects by position, from 1; 0 does not select.
	Position int
}

func (f ImageFilter) query() *query {
	return newQuery().paging(f.Paging).id("since_id", f.SinceID).text("src", f.Src).integer("position", int64(f.Position))
}

// ImageService reads images with the scope read_products and writes them with
// write_products. All versions have it.
type ImageService engine.Service

// List selects images of a product.
//
//api:endpoint GET /products/{product_id}/images
func (s *ImageService) List(productID ID, f ImageFilter) List[Image] {
	return listOf[Image](s, f.query(), engine.ListSpec{Path: "/products/{product_id}/images", Args: []any{productID}, SinceID: true})
}

// Get returns an image. With fields, only these members are answered.
//
//api:endpoint GET /products/{product_id}/images/{id}
func (s *ImageService) Get(ctx context.Context, productID, id ID, fields ...string) (*Image, error) {
	return engine.Get[Image](ctx, s, "/products/{product_id}/images/{id}", only(fields), productID, id)
}

// Create adds an image and returns it. A product holds 250.
//
//api:endpoint POST /products/{product_id}/images
func (s *ImageService) Create(ctx context.Context, productID ID, in ImageInput) (*Image, error) {
	in.Filename = baseName(in.Filename)
	if err := in.check(Version(engine.VersionOf(s)), true); err != nil {
		return nil, err
	}
	return engine.Send[Image](ctx, s, http.MethodPost, "/products/{product_id}/images", in, productID)
}

// Update changes the members that are present in in. The platform may answer
// only id, source, position and product; Get gives all.
//
//api:endpoint PUT /products/{product_id}/images/{id}
func (s *ImageService) Update(ctx context.Context, productID, id ID, in ImageInput) (*Image, error) {
	in.Filename = baseName(in.Filename)
	if err := in.check(Version(engine.VersionOf(s)), false); err != nil {
		return nil, err
	}
	return engine.Send[Image](ctx, s, http.MethodPut, "/products/{product_id}/images/{id}", in, productID, id)
}

// Delete removes an image. Variants that were tied to it have none then.
//
//api:endpoint DELETE /products/{product_id}/images/{id}
func (s *ImageService) Delete(ctx context.Context, productID, id ID) error {
	return engine.Delete(ctx, s, "/products/{product_id}/images/{id}", productID, id)
}
