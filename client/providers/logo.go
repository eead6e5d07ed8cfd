package providers

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// LogoSize is a size in pixels in which the platform displays a logo.
type LogoSize string

// The sizes of logos, all of them required.
const (
	LogoWide  LogoSize = "400x120" // PNG, transparent background, at most 400x120
	LogoSmall LogoSize = "160x100" // PNG, white background, exactly 160x100
)

// Known reports whether the contract names the value.
func (s LogoSize) Known() bool { return wire.Known(s, LogoWide, LogoSmall) }

// The start of a PNG file: its signature, and a first chunk with the size.
const (
	pngStart  = "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"
	pngHeader = 33 // bytes: pngStart, 13 of data, 4 of their checksum
)

// CheckLogo reads the first 33 bytes of a file, and checks its size in pixels: at most 400x120, or exactly 160x100.
// It cannot check the rest of the file, or whether the background is transparent or white, as the contract requires.
func CheckLogo(size LogoSize, file io.Reader) error {
	if !size.Known() {
		return engine.Invalid("logo_urls", size, "400x120 or 160x100")
	}
	field := "logo_urls." + string(size)
	var head [pngHeader]byte
	if _, err := io.ReadFull(file, head[:]); err != nil {
		return engine.Invalid(field, err, "a PNG file")
	}
	checked := head[len(pngStart)-len("IHDR") : pngHeader-4]
	if string(head[:len(pngStart)]) != pngStart || crc32.ChecksumIEEE(checked) != binary.BigEndian.Uint32(head[pngHeader-4:]) {
		return engine.Invalid(field, fmt.Sprintf("%x…", head[:8]), "a PNG file")
	}
	width, height := binary.BigEndian.Uint32(head[16:]), binary.BigEndian.Uint32(head[20:])
	fits, rule := width > 0 && height > 0 && width <= 400 && height <= 120, "at most 400x120 pixels"
	if size == LogoSmall {
		fits, rule = width == 160 && height == 100, "exactly 160x100 pixels"
	}
	if !fits {
		return engine.Invalid(field, fmt.Sprintf("%dx%d", width, height), rule)
	}
	return nil
}

func checkLogoURLs(urls map[LogoSize]string) error {
	for size := range urls {
		if !size.Known() {
			return engine.Invalid("logo_urls", size, "400x120 or 160x100")
		}
	}
	for _, size := range []LogoSize{LogoWide, LogoSmall} {
		if err := checkHTTPS("logo_urls."+string(size), urls[size]); err != nil {
			return err
		}
	}
	return nil
}
