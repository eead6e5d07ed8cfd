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
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// MaxImageBytes is the size limit of an image; an image must be smaller.
const MaxImageBytes = 10 << 20

// Image is an image of a product.
type Image struct {
	ID        ID `json:"id"`
	ProductID ID `json:"product_id"` // the product of the image
	// Src is the URL of the image in 1024 x 1024 pixels. SizeURL returns the URLs of other sizes.
	Src string `json:"src"`
	// Position orders the images of a product; 1 is the first and main one.
	Position Int `json:"position"`
	// Alt is the text for search engines, empty if unset.
	Alt Text `json:"alt"`
	// StoreMediaUUID is the asset of the store that the image was created from; nil for images uploaded by Src or
	// Attachment.
	StoreMediaUUID *uuid.UUID `json:"store_media_uuid"`
	CreatedAt      Time       `json:"created_at"`
	UpdatedAt      Time       `json:"updated_at"`
	Extra          Extra      `json:",embed"`
}

// fullSize is the end of an image URL before the extension.
const fullSize = "-1024-1024"

// SizeURL returns the URL of the image in 50, 100, 240, 320, 480, 640 or 1024 pixels. It replaces the ending -1024-1024
// of Src, and fails if Src has another ending. A query is preserved.
//
// For an image that was uploaded as webp, the platform stores only the size 1024, as JPEG. If Src ends in .webp,
// SizeURL fails for every other size. If the platform returned the URL of the JPEG, the record does not show that other
// sizes are missing. Their URLs then do not exist.
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

// ImageInput is the body of Create and Update. Create requires exactly one source: Src, Attachment or StoreMediaUUID.
// Update accepts at most one source, which replaces the picture of the same id. Absent members are unchanged.
type ImageInput struct {
	// Src is a URL from which the platform fetches the image.
	Src string `json:"src,omitzero"`
	// Attachment is the content of the file: gif, jpg, png or webp, under 10 MB. It is sent as Base64. Create also
	// requires Filename. ImageFrom reads both.
	Attachment []byte `json:"attachment,omitzero"`
	// Filename is the name of the file. If it is a path, also a Windows path, only the last element is sent.
	Filename string `json:"filename,omitzero"`
	// StoreMediaUUID is an asset of the store, only in version unstable.
	StoreMediaUUID uuid.UUID `json:"store_media_uuid,omitzero"`
	// Position is 1 for the main image; 0 means the platform's choice.
	Position int `json:"position,omitzero"`
	// Alt is the text for search engines.
	Alt Text `json:"alt,omitzero"`
}

// ImageFrom returns an input with the content that r returns. It reads at most MaxImageBytes and fails unless the
// content is smaller. The filename may be a path, such as that of os.File.Name, of which only the last element is used.
func ImageFrom(r io.Reader, filename string) (ImageInput, error) {
	filename = baseName(filename)
	data, err := io.ReadAll(io.LimitReader(r, MaxImageBytes))
	if err != nil {
		return ImageInput{}, fmt.Errorf("read image %s: %w", wire.Quote(filename), err)
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
	if len(name) > 1 && name[1] == ':' { // drive letter
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
		return fmt.Errorf("store_media_uuid: version %s: %w", wire.Quote(string(v)), ErrNotInVersion)
	}
	if in.Position < 0 {
		return engine.Invalid("position", in.Position, "1 or more")
	}
	if in.Attachment == nil {
		return nil
	}
	return in.checkAttachment(creating)
}

// checkAttachment checks the content and the filename. Only an existing image may lack a filename.
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
	// Position selects by position, from 1; 0 selects all.
	Position int
}

func (f ImageFilter) query() *query {
	return newQuery().paging(f.Paging).id("since_id", f.SinceID).text("src", f.Src).integer("position", int64(f.Position))
}

// ImageService reads images with the scope read_products and writes them with write_products. It is in all versions.
type ImageService engine.Service

// List selects images of a product.
//
//api:endpoint GET /products/{product_id}/images
func (s *ImageService) List(productID ID, f ImageFilter) List[Image] {
	return listOf[Image](s, f.query(), engine.ListSpec{Path: "/products/{product_id}/images", Args: []any{productID}, SinceID: true})
}

// Get returns an image. If fields are given, only these members are returned.
//
//api:endpoint GET /products/{product_id}/images/{id}
func (s *ImageService) Get(ctx context.Context, productID, id ID, fields ...string) (*Image, error) {
	return engine.Get[Image](ctx, s, "/products/{product_id}/images/{id}", only(fields), productID, id)
}

// Create adds an image and returns it. A product can have 250 images.
//
//api:endpoint POST /products/{product_id}/images
func (s *ImageService) Create(ctx context.Context, productID ID, in ImageInput) (*Image, error) {
	in.Filename = baseName(in.Filename)
	if err := in.check(Version(engine.VersionOf(s)), true); err != nil {
		return nil, err
	}
	return engine.Send[Image](ctx, s, http.MethodPost, "/products/{product_id}/images", in, productID)
}

// Update changes the members that are present in in. The platform may return only id, source, position and product. Get
// returns all members.
//
//api:endpoint PUT /products/{product_id}/images/{id}
func (s *ImageService) Update(ctx context.Context, productID, id ID, in ImageInput) (*Image, error) {
	in.Filename = baseName(in.Filename)
	if err := in.check(Version(engine.VersionOf(s)), false); err != nil {
		return nil, err
	}
	return engine.Send[Image](ctx, s, http.MethodPut, "/products/{product_id}/images/{id}", in, productID, id)
}

// Delete removes an image. Variants that used it then have no image.
//
//api:endpoint DELETE /products/{product_id}/images/{id}
func (s *ImageService) Delete(ctx context.Context, productID, id ID) error {
	return engine.Delete(ctx, s, "/products/{product_id}/images/{id}", productID, id)
}
