package providers

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

func TestLogoPixels(t *testing.T) {
	picture := func(width, height int) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, width, height))); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	var palette, photo bytes.Buffer
	colors := make(color.Palette, 256)
	for i := range colors {
		colors[i] = color.Gray{uint8(i)}
	}
	if err := errors.Join(png.Encode(&palette, image.NewPaletted(image.Rect(0, 0, 160, 100), colors)), jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 160, 100)), nil)); err != nil {
		t.Fatal(err)
	}
	described := slices.Concat(palette.Bytes()[:33], []byte("\x00\x00\x40\x00tEXt"), make([]byte, 16<<10+4), palette.Bytes()[33:]) // and has 16 KiB of text
	damaged := picture(160, 100)
	damaged[19]--
	for _, test := range []struct {
		name string
		size LogoSize
		file []byte
		want string // the field of the error
	}{
		{"wide", LogoWide, picture(400, 120), ""},
		{"less than wide", LogoWide, picture(1, 1), ""},
		{"too wide", LogoWide, picture(401, 120), "logo_urls.400x120"},
		{"too high", LogoWide, picture(400, 121), "logo_urls.400x120"},
		{"small", LogoSmall, picture(160, 100), ""},
		{"with a palette", LogoSmall, palette.Bytes(), ""},
		{"with much before its palette", LogoSmall, described, ""},
		{"damaged", LogoWide, damaged, "logo_urls.400x120"},
		{"too small", LogoSmall, picture(159, 100), "logo_urls.160x100"},
		{"too low", LogoSmall, picture(160, 99), "logo_urls.160x100"},
		{"large", LogoSmall, picture(161, 101), "logo_urls.160x100"},
		{"no PNG", LogoSmall, photo.Bytes(), "logo_urls.160x100"},
		{"nothing", LogoSmall, nil, "logo_urls.160x100"},
		{"cut off", LogoSmall, picture(160, 100)[:20], "logo_urls.160x100"},
		{"another size", "90x90", picture(90, 90), "logo_urls"},
	} {
		file := bytes.NewReader(test.file)
		err := CheckLogo(test.size, file)
		if read := len(test.file) - file.Len(); read > 33 {
			t.Errorf("%s: %d bytes were read", test.name, read)
		}
		if err != nil && !errors.Is(err, client.ErrValidation) {
			t.Errorf("%s: got %v", test.name, err)
		}
		refused(t, test.want, err)
	}
}
