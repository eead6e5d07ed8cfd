package payments

import (
	"fmt"
	"image"
	"image/png"
	"io"

	"github.com/commerceplatform/commerce-go/client"
)

// LogoSize is a dimension in pixels that the platform shows a logo in.
type LogoSize string

// The sizes of logos, all of them required.
const (
	LogoWide  LogoSize = "400x120" // PNG, transparent background, at most 400x120
	LogoSmall LogoSize = "160x100" // PNG, white background, exactly 160x100
)

// Known reports whether the contract names the value.
func (s LogoSize) Known() bool { return s == LogoWide || s == LogoSmall }

// maxLogoHeader bounds what is read of a file. Its size stands in the first 33 bytes; a
// palette may lie before what png.DecodeConfig stops at.
const maxLogoHeader = 8 << 10

// CheckLogo reads the start of a file, 8 KiB at most, and reports whether its pixels are
// those of the size: at most 400x120, or exactly 160x100. No pixel is decoded. It cannot
// see whether the background is transparent or white, as the contract wants.
func CheckLogo(size LogoSize, file io.Reader) error {
	if !size.Known() {
		return client.Invalid("logo_urls", size, "400x120 or 160x100")
	}
	field := "logo_urls." + string(size)
	c, err := png.DecodeConfig(io.LimitReader(file, maxLogoHeader))
	if err != nil {
		return client.Invalid(field, err, "a PNG file")
	}
	if !size.fits(c) {
		return client.Invalid(field, fmt.Sprintf("%dx%d", c.Width, c.Height), size.rule())
	}
	return nil
}

func (s LogoSize) fits(c image.Config) bool {
	if s == LogoSmall {
		return c.Width == 160 && c.Height == 100
	}
	return c.Width > 0 && c.Height > 0 && c.Width <= 400 && c.Height <= 120
}

func (s LogoSize) rule() string {
	if s == LogoSmall {
		return "exactly 160x100 pixels"
	}
	return "at most 400x120 pixels"
}

func checkLogoURLs(urls map[LogoSize]string) error {
	for size := range urls {
		if !size.Known() {
			return client.Invalid("logo_urls", size, "400x120 or 160x100")
		}
	}
	for _, size := range []LogoSize{LogoWide, LogoSmall} {
		if err := checkHTTPS("logo_urls."+string(size), urls[size]); err != nil {
			return err
		}
	}
	return nil
}
