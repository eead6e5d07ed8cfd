package client

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
	"github.com/google/uuid"
)

// png is enough of a file to be told apart.
var png = []byte("\x89PNG\r\n\x1a\n")

func TestImageReadsTolerantly(t *testing.T) {
	var i Image
	if err := wire.Unmarshal([]byte(`{"id":1,"src":"//cdn.example/1.png","position":"2","alt":[],"store_media_uuid":null}`), &i); err != nil {
		t.Fatal(err)
	}
	if i.Position != 2 || i.Alt.Get() != "" || i.StoreMediaUUID != nil {
		t.Errorf("got %+v", i)
	}
}

func TestImageSizeURL(t *testing.T) {
	const src = "https://cdn.example/p/red-5c1f-1024-1024.jpg"
	for _, test := range []struct {
		src  string
		size int
		want string
	}{
		{src, 50, "https://cdn.example/p/red-5c1f-50-0.jpg"},
		{src, 640, "https://cdn.example/p/red-5c1f-640-0.jpg"},
		{src, 1024, src},
		{src + "?v=1.2", 480, "https://cdn.example/p/red-5c1f-480-0.jpg?v=1.2"},
		{"//cdn.example/red-1024-1024", 100, "//cdn.example/red-100-0"},
		{"//cdn.example/red-1024-1024?v=1", 240, "//cdn.example/red-240-0?v=1"},
		{"https://cdn.example/RED-1024-1024.JPG", 320, "https://cdn.example/RED-320-0.JPG"},
		{"https://cdn.example/red-1024-1024.png?file=a/b.webp", 100, "https://cdn.example/red-100-0.png?file=a/b.webp"},
		{"https://cdn.example/red-1024-1024.jpg#a.b", 100, "https://cdn.example/red-100-0.jpg#a.b"},
		{"https://cdn.example/red-1024-1024.webp", 1024, "https://cdn.example/red-1024-1024.webp"},
		{"https://cdn.example/red-1024-1024.WEBP?v=1", 1024, "https://cdn.example/red-1024-1024.WEBP?v=1"},
	} {
		i := Image{Src: test.src}
		if got, err := i.SizeURL(test.size); err != nil || got != test.want {
			t.Errorf("SizeURL(%d) of %s = %s, %v, want %s", test.size, test.src, got, err, test.want)
		}
	}
	_, err := (&Image{Src: src}).SizeURL(51)
	refusal(t, err, `size: "51": must be one of [50 100 240 320 480 640 1024]`)
	// These had URLs, with nothing there.
	for _, src := range []string{"https://cdn.example/red-1024-1024.webp", "//cdn.example/red-1024-1024.WebP?v=1.jpg", "/red-1024-1024.webp#.png"} {
		got, err := (&Image{Src: src}).SizeURL(640)
		refusal(t, err, `size: "640": `)
		if got != "" || !strings.Contains(err.Error(), "1024, the only size of a webp image") {
			t.Errorf("got %s, %v of %s", got, err, src)
		}
	}
	_, err = (&Image{}).SizeURL(1024)
	refusal(t, err, `src: "":`)
	_, err = (&Image{Src: "https://cdn.example/red.jpg"}).SizeURL(50)
	refusal(t, err, `src: "red.jpg": must be a URL that ends in -1024-1024`)
}

func TestImageInputSendsOnlyWhatIsGiven(t *testing.T) {
	for _, test := range []struct {
		in   ImageInput
		want string
	}{
		{ImageInput{}, `{}`},
		{ImageInput{Src: "https://i.example/1.png", Position: 1, Alt: Text{"es": "Taza"}}, `{"src":"https://i.example/1.png","position":1,"alt":{"es":"Taza"}}`},
		{ImageInput{Attachment: png, Filename: "a.png"}, `{"attachment":"iVBORw0KGgo=","filename":"a.png"}`},
		{ImageInput{StoreMediaUUID: uuid.MustParse("6f9619ff-8b86-4d01-b42d-00cf4fc964ff")}, `{"store_media_uuid":"6f9619ff-8b86-4d01-b42d-00cf4fc964ff"}`},
	} {
		if got, err := wire.Marshal(test.in); err != nil || string(got) != test.want {
			t.Errorf("got %s, %v, want %s", got, err, test.want)
		}
	}
}

func TestImageInputIsChecked(t *testing.T) {
	media := uuid.MustParse("6f9619ff-8b86-4d01-b42d-00cf4fc964ff")
	for _, test := range []struct {
		name     string
		creating bool
		in       ImageInput
		want     string
	}{
		{"nothing to create", true, ImageInput{}, `src: "0": must be exactly one of`},
		{"nothing to update", false, ImageInput{Alt: Plain("Mug")}, ""},
		{"src", true, ImageInput{Src: "https://i.example/1.png"}, ""},
		{"two sources", false, ImageInput{Src: "https://i.example/1.png", StoreMediaUUID: media}, `src: "2": must be exactly one of`},
		{"attachment", true, ImageInput{Attachment: png, Filename: "A.PNG"}, ""},
		{"attachment without name", true, ImageInput{Attachment: png}, `filename: "": must be a name that ends in`},
		// An update names the file only if it wants to: this was refused once.
		{"attachment without name to update", false, ImageInput{Attachment: png}, ""},
		{"attachment of another format to update", false, ImageInput{Attachment: png, Filename: "a.svg"}, `filename: "a.svg": must be a name that ends in`},
		{"attachment of another format", true, ImageInput{Attachment: png, Filename: "a.svg"}, `filename: "a.svg": must be a name that ends in`},
		{"attachment that is no image", true, ImageInput{Attachment: []byte("<html>"), Filename: "a.png"}, `attachment: "text/html; charset=utf-8": must be a gif`},
		{"attachment of 10 MB", true, ImageInput{Attachment: make([]byte, 10<<20), Filename: "a.png"}, `attachment: "10485760": must be less than 10485760 bytes`},
		{"negative position", false, ImageInput{Position: -1}, `position: "-1": must be 1 or more`},
	} {
		t.Run(test.name, func(t *testing.T) { refusal(t, test.in.check(VersionUnstable, test.creating), test.want) })
	}
	for _, v := range []Version{VersionV1, Version202503} {
		if err := (ImageInput{StoreMediaUUID: media}).check(v, true); !errors.Is(err, ErrNotInVersion) {
			t.Errorf("store media in %s: got %v, want ErrNotInVersion", v, err)
		}
	}
}

func TestImageFrom(t *testing.T) {
	in, err := ImageFrom(bytes.NewReader(png), "a.png")
	if err != nil || !bytes.Equal(in.Attachment, png) || in.Filename != "a.png" {
		t.Errorf("ImageFrom = %+v, %v", in, err)
	}
	_, err = ImageFrom(strings.NewReader(string(png)+strings.Repeat("x", 11<<20)), "a.png")
	refusal(t, err, `attachment: "10485760": must be less than`)
}

func TestImageServiceRequests(t *testing.T) {
	ctx := t.Context()
	requests(t, VersionV1, as[ImageService], []request[ImageService]{
		{"GET /v1/123/products/42/images per_page=1&position=2&since_id=5&src=u", `[]`, func(s *ImageService) error {
			_, err := s.List(42, ImageFilter{Paging: Paging{PerPage: 1}, SinceID: 5, Src: "u", Position: 2}).Page(ctx)
			return err
		}},
		{"GET /v1/123/products/42/images/7 fields=id", `{"id":7}`, func(s *ImageService) error { _, err := s.Get(ctx, 42, 7, "id"); return err }},
	})
	v, seen := answering(t, VersionV1, `{}`)
	_, err := (*ImageService)(v).Create(ctx, 42, ImageInput{})
	refusal(t, err, "src: ")
	_, err = (*ImageService)(v).Update(ctx, 42, 7, ImageInput{Position: -1})
	refusal(t, err, "position: ")
	if len(*seen) > 0 {
		t.Errorf("asked %v, want nothing", *seen)
	}
}
