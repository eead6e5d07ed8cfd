package res_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// gallery lists the images of a product by name and wants their positions dense.
func (f *shop) gallery(path string) []string {
	f.Helper()
	var out []string
	w := f.send(f.token, "GET "+path, nil)
	if w.Code == http.StatusNotFound {
		return nil
	}
	list, _ := f.do("GET "+path, nil).([]any)
	for n, i := range list {
		f.want(i, object{"position": n + 1})
		alt, _ := at(i, "alt.en").(string)
		out = append(out, alt)
	}
	return out
}

func TestImagePositions(t *testing.T) {
	f := open(t)
	p := f.sized("P", "S")
	path := fmt.Sprintf("/products/%d/images", id(p))
	ids := map[string]int64{}
	add := func(name string, position any) func() {
		return func() {
			ids[name] = id(f.object("POST "+path, object{"src": "https://img.example/" + name + ".png", "alt": name, "position": position}))
		}
	}
	move := func(name string, position int) func() {
		return func() { f.do(fmt.Sprintf("PUT %s/%d", path, ids[name]), object{"position": position}) }
	}
	remove := func(name string) func() {
		return func() { f.do(fmt.Sprintf("DELETE %s/%d", path, ids[name]), nil) }
	}
	for _, step := range []struct {
		do   func()
		want string
	}{
		{add("a", nil), "a"}, {add("b", nil), "ab"}, {add("c", 1), "cab"}, {add("d", 99), "cabd"}, {add("e", "2"), "ceabd"},
		{move("d", 1), "dceab"}, {move("d", 5), "ceabd"}, {move("c", 3), "eacbd"}, {move("e", 500), "acbde"}, {move("e", 5), "acbde"},
		{remove("b"), "acde"}, {remove("a"), "cde"}, {remove("e"), "cd"}, {remove("c"), "d"}, {remove("d"), ""},
	} {
		f.events()
		before := f.gallery(path)
		step.do()
		got := f.gallery(path)
		if strings.Join(got, "") != step.want {
			t.Fatalf("got %v, want %s", got, step.want)
		}
		if slices.Equal(before, got) {
			f.wantEvents()
		} else {
			f.wantEvents(fmt.Sprint("product/updated ", id(p)))
		}
	}
}

// TestImagePositionsOfANewProduct: images that moved one another out of the positions they asked for, once.
func TestImagePositionsOfANewProduct(t *testing.T) {
	f := open(t)
	for _, tc := range []struct {
		positions array
		want      string
	}{
		{array{nil, nil, nil}, "abc"}, {array{1, 2, 3}, "abc"}, {array{3, 2, 1}, "cba"}, {array{2, 3, 1}, "cab"}, {array{3, 1, 2}, "bca"},
		{array{nil, "2", nil, 1}, "dbac"}, {array{2, nil, nil}, "bac"}, {array{5, 9, 2}, "cab"},
	} {
		var images array
		for n, position := range tc.positions {
			name := string(rune('a' + n))
			images = append(images, object{"src": "https://img.example/" + name + ".png", "alt": name, "position": position})
		}
		p := f.object("POST /products", object{"name": "P", "images": images})
		if got := strings.Join(f.gallery(fmt.Sprintf("/products/%d/images", id(p))), ""); got != tc.want {
			t.Errorf("positions %v: got %s, want %s", tc.positions, got, tc.want)
		}
	}
}

func TestImageSources(t *testing.T) {
	f := open(t)
	p := f.object("POST /products", object{"name": "P"})
	path := fmt.Sprintf("/products/%d/images", id(p))
	encode := func(content string) string { return base64.StdEncoding.EncodeToString([]byte(content)) }
	final := regexp.MustCompile(`^https://[^/]+/images/products/[a-z0-9-]+-1024-1024\.(gif|jpg|png)$`)
	for name, tc := range map[string]struct {
		body   object
		format string
	}{
		"gif":              {object{"src": "https://img.example/x.GIF?size=2"}, "gif"},
		"jpeg":             {object{"src": "http://img.example/x.jpeg"}, "jpg"},
		"png":              {object{"src": "https://img.example/my pic.png"}, "png"},
		"webp becomes jpg": {object{"src": "https://img.example/x.webp"}, "jpg"},
		"no ending":        {object{"src": "https://img.example/x"}, "jpg"},
		// Endings that say nothing, and URLs without a scheme, were refused once.
		"ending of a page":    {object{"src": "https://img.example/picture.php?id=5"}, "jpg"},
		"ending of a version": {object{"src": "https://img.example/photo.v2"}, "jpg"},
		"jpg of a size":       {object{"src": "https://img.example/x.jpg:large"}, "jpg"},
		"no path":             {object{"src": "https://img.example"}, "jpg"},
		"no scheme":           {object{"src": "//img.example/x.png"}, "png"},
		"attached gif":        {object{"attachment": encode("GIF89a"), "filename": "Foto 1.gif"}, "gif"},
		"attached png":        {object{"attachment": encode("\x89PNG\x0D\x0A\x1A\x0A"), "filename": "x.jpg"}, "png"},
		"attached jpg":        {object{"attachment": encode("\xFF\xD8\xFF"), "filename": "x"}, "jpg"},
		"attached webp":       {object{"attachment": encode("RIFF\x00\x00\x00\x00WEBPVP"), "filename": "x.webp"}, "jpg"},
	} {
		t.Run(name, func(t *testing.T) {
			i := f.object("POST "+path, tc.body)
			src, _ := i["src"].(string)
			if m := final.FindStringSubmatch(src); m == nil || m[1] != tc.format {
				t.Errorf("src %q, want the size of 1024 as %s", src, tc.format)
			}
			f.want(i, object{"alt": array{}, "store_media_uuid": nil, "product_id": id(p)})
			again := f.object(fmt.Sprintf("PUT %s/%d", path, id(i)), object{"src": "https://img.example/other.png"})
			f.want(again, object{"id": id(i), "position": i["position"], "created_at": i["created_at"]})
			if again["src"] == src {
				t.Error("another picture has the same URL")
			}
		})
	}
	// Only unstable reads store_media_uuid; elsewhere there is no source then.
	w := f.send(f.token, "2025-03 POST "+path, object{"store_media_uuid": "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"})
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), `"src"`) {
		t.Errorf("store media in 2025-03: %d %s", w.Code, w.Body)
	}
}

func TestDeletedImageLeavesVariants(t *testing.T) {
	f := open(t)
	p := f.sized("P", "S")
	path := fmt.Sprintf("/products/%d", id(p))
	i := id(f.object("POST "+path+"/images", object{"src": "https://img.example/a.png"}))
	variant := fmt.Sprintf("%s/variants/%d", path, id(p, "variants.0"))
	f.want(f.object("PUT "+variant, object{"image_id": i}), object{"image_id": i})
	f.do(fmt.Sprintf("DELETE %s/images/%d", path, i), nil)
	f.want(f.object("GET "+variant, nil), object{"image_id": nil})
}
