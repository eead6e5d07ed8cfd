package res

import (
	"cmp"
	"encoding/base64"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// formats are the picture formats there may be, by the ending of a file name. A
// webp is kept as a jpg.
var formats = map[string]string{".gif": "gif", ".jpg": "jpg", ".jpeg": "jpg", ".png": "png", ".webp": "jpg"}

// otherFormats are endings of files that are none of these. An avif may back an
// image as Store Media only.
var otherFormats = strings.Fields(`
	.avif .bmp .heic .heif .ico .jp2 .jxl .svg .svgz .tif .tiff
	.ai .eps .pdf .psd .raw .txt .zip
	.avi .m4v .mkv .mov .mp3 .mp4 .mpeg .mpg .webm`)

// fromURL returns name and format of the picture at a URL, which is not fetched. An unknown ending counts as jpg,
// because a URL may end in anything.
func fromURL(src string) (name, format string, err error) {
	u, parseErr := url.Parse(src)
	if parseErr != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", ""}, u.Scheme) {
		return "", "", api.Invalid("src", notAURL)
	}
	name = path.Base(u.Path)
	ending := strings.ToLower(path.Ext(name))
	if slices.Contains(otherFormats, ending) {
		return "", "", api.Invalid("src", notAnImage)
	}
	return name, cmp.Or(formats[ending], "jpg"), nil
}

// fromAttachment returns the format of a picture by its first bytes.
func fromAttachment(attachment string, limit int) (string, error) {
	content, err := base64.StdEncoding.DecodeString(attachment)
	if err != nil {
		return "", api.Invalid("attachment", notBase64)
	}
	if len(content) >= limit {
		return "", api.Invalid("attachment", tooLarge)
	}
	kind, isImage := strings.CutPrefix(http.DetectContentType(content), "image/")
	format := formats["."+kind]
	if !isImage || format == "" {
		return "", api.Invalid("attachment", notAnImage)
	}
	return format, nil
}

// imageURL is where a picture is kept: the size of 1024 pixels, which the final
// part of the URL names. The other sizes are the same URL with 50, 100, 240, 320,
// 480 or 640 there.
func imageURL(tx *world.Tx, filename, format string) string {
	name := slug(strings.TrimSuffix(filename, path.Ext(filename)))
	if name == "" {
		name = "image"
	}
	return "https://" + tx.Store().OriginalDomain + "/images/products/" + name + "-" + tx.NewHex(8) + "-1024-1024." + format
}
