package res_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// form is a body of parts: texts by name, in no order.
type form object

// encode returns the body and its Content-Type.
func (f form) encode() (raw, media string) {
	var b strings.Builder
	for name, value := range f {
		text, ok := value.(string)
		if !ok {
			data, _ := json.Marshal(value)
			text = string(data)
		}
		fmt.Fprintf(&b, "--B\r\nContent-Disposition: form-data; name=%q\r\n\r\n%s\r\n", name, text)
	}
	return b.String() + "--B--\r\n", "multipart/form-data; boundary=B"
}

const (
	blogID  = "5d0f6f0c-3f0b-4c55-9a3d-0c9f4f6c1a01"
	otherID = "5d0f6f0c-3f0b-4c55-9a3d-0c9f4f6c1a99"
	blogs   = "/blogs/" + blogID + "/posts"
)

// blog gives the store a blog.
func (f *shop) blog() {
	f.Helper()
	err := f.World().Update(0, f.store.ID, func(tx *world.Tx) error {
		return tx.Blogs.Put(blogID, world.Blog{ID: blogID, OwnerID: "7"})
	})
	if err != nil {
		f.Fatal(err)
	}
}

// none plays a call that answers 204.
func (f *shop) none(call string, body any) {
	f.Helper()
	if w := f.send(f.token, call, body); w.Code != http.StatusNoContent || w.Body.Len() > 0 {
		f.Errorf("%s: %d %s", call, w.Code, w.Body)
	}
}

func TestBlog(t *testing.T) {
	f := open(t)
	f.wantStatus(http.StatusNotFound, "2025-03 GET /blogs", nil)
	f.blog()
	f.want(f.object("unstable GET /blogs", nil), object{"blog_id": blogID, "owner": object{"id": "7"}})
	f.want(f.object("2025-03 GET "+blogs, nil), object{"posts": object{"data": array{},
		"meta": object{"page": 1, "take": 20, "itemCount": 0, "pageCount": 0, "previousPage": nil, "nextPage": nil}}})

	made := f.object("2025-03 POST "+blogs, form{"metadata": object{"language": "es", "title": "Té Verde"}})
	call := blogs + "/" + fmt.Sprint(made["post_id"])
	f.want(f.object("2025-03 GET "+call, nil), object{"published_at": nil, "thumbnail": nil, "data": array{object{
		"language": "es", "title": "Té Verde", "handle": "te-verde", "summary": "", "seo_title": "", "seo_description": "", "content": "",
	}}})
	f.none("2025-03 PUT "+call, form{"metadata": object{"language": "pt", "title": "Chá", "handle": "Cha"}, "content": "<p>x</p>",
		"published": "true", "thumbnail": "https://cdn.example/t.png"})
	f.none("2025-03 PUT "+call, form{"metadata": object{"language": "es", "title": "Té"}})
	f.want(f.object("2025-03 GET "+call, nil), object{"published_at": "2025-01-01T12:00:00+0000", "thumbnail": "https://cdn.example/t.png",
		"data.0.title": "Té", "data.0.handle": "te-verde", "data.1.handle": "Cha", "data.1.content": "<p>x</p>"})
	f.none("2025-03 PATCH "+call+"/unpublish", nil)
	f.none("2025-03 PUT "+call, form{"metadata": object{"language": "es", "title": "Té"}, "thumbnail": ""})
	f.want(f.object("2025-03 GET "+call, nil), object{"published_at": nil, "thumbnail": nil})
	f.none("2025-03 PATCH "+call+"/publish", nil)
	f.want(f.object("2025-03 GET "+call, nil), object{"published_at": "2025-01-01T12:00:00+0000"})

	second := f.object("2025-03 POST "+blogs, form{"metadata": object{"language": "pt", "title": "Outro", "handle": "Cha"}})
	f.want(f.object(fmt.Sprintf("2025-03 GET %s/%s", blogs, second["post_id"]), nil), object{"data.0.handle": "Cha-1"})
	for range 20 {
		f.object("2025-03 POST "+blogs, form{"metadata": object{"language": "en", "title": "T"}})
	}
	f.want(f.object("2025-03 GET "+blogs+"?page=2&per_page=5", nil), object{"posts.meta": object{
		"page": 2, "take": 20, "itemCount": 22, "pageCount": 2, "previousPage": 1, "nextPage": nil}})
	f.want(f.object("2025-03 GET "+blogs+"?page=1", nil), object{"posts.meta.nextPage": 2, "posts.data.0.post_id": made["post_id"]})
	f.want(f.object("2025-03 GET "+blogs+"?page=3", nil), object{"posts.data": array{}})
	f.none("2025-03 DELETE "+call, nil)
	f.wantStatus(http.StatusNotFound, "2025-03 GET "+call, nil)
	f.wantStatus(http.StatusNotFound, "v1 GET /blogs", nil)
	f.wantEvents()
}

func TestBlogUploads(t *testing.T) {
	f := open(t)
	f.blog()
	for picture, ending := range map[string]string{"\x89PNG\r\n\x1a\n": ".png", "\xff\xd8\xff\xe0": ".jpg"} {
		for path, part := range map[string][2]string{"/media": {"media", "media_url"}, "/thumbnail": {"image", "thumbnail_url"}} {
			got := fmt.Sprint(f.object("2025-03 POST "+blogs+path, form{part[0]: picture})[part[1]])
			if !strings.HasPrefix(got, "https://") || !strings.HasSuffix(got, ending) {
				t.Errorf("%s: got %q", path, got)
			}
		}
	}
}

func blogRefusals(f *shop) []refusal {
	f.blog()
	post := blogs + "/" + fmt.Sprint(f.object("2025-03 POST "+blogs, form{"metadata": object{"language": "en", "title": "T"}})["post_id"])
	text := form{"metadata": object{"language": "en", "title": "T"}}
	out := []refusal{{op: "blogs.get", status: 404, text: "Blog not found", call: "2025-03 GET /blogs", alter: func(tx *world.Tx) { tx.Blogs.Delete(blogID) }}}
	add := func(op string, status int, text, call string, body any) {
		out = append(out, refusal{op: "blogs." + op, status: status, text: text, call: "2025-03 " + call, body: body})
	}
	for op, c := range map[string]struct {
		method, end string
		body        any
	}{
		"listPosts": {"GET", "", nil}, "createPost": {"POST", "", text}, "uploadMedia": {"POST", "/media", text}, "uploadThumbnail": {"POST", "/thumbnail", text},
		"getPost": {"GET", "/" + otherID, nil}, "updatePost": {"PUT", "/" + otherID, text}, "deletePost": {"DELETE", "/" + otherID, nil},
		"publishPost": {"PATCH", "/" + otherID + "/publish", nil}, "unpublishPost": {"PATCH", "/" + otherID + "/unpublish", nil},
	} {
		add(op, 400, "Blog ID must be a UUID", c.method+" /blogs/17/posts"+c.end, c.body)
		add(op, 404, "Blog not found", c.method+" /blogs/"+otherID+"/posts"+c.end, c.body)
		if strings.Contains(c.end, otherID) {
			add(op, 400, "Post ID must be a UUID", c.method+" "+blogs+strings.Replace(c.end, otherID, "urn:uuid:"+otherID, 1), c.body)
			add(op, 404, "Post not found", c.method+" "+blogs+c.end, c.body)
		}
	}
	const type415 = "Content-Type should be multipart/form-data"
	for op, call := range map[string]string{"createPost": "POST " + blogs, "updatePost": "PUT " + post} {
		add(op, 415, type415, call, object{"metadata": object{"language": "en", "title": "T"}})
		add(op, 415, type415, call, nil)
		add(op, 400, "Problems parsing the form", call, broken("--B\r\nContent-Disposition: form-data; name=\"metadata\"\r\n\r\n{}"))
		add(op, 400, "metadata must be an object", call, form{"content": "x"})
		add(op, 400, "metadata must be an object", call, form{"metadata": array{}})
		add(op, 400, "metadata.language should not be empty", call, form{"metadata": object{"title": "T"}})
		add(op, 400, "metadata.title should not be empty", call, form{"metadata": object{"language": "en", "title": ""}})
		add(op, 400, "metadata.summary must be a string", call, form{"metadata": object{"language": "en", "title": "T", "summary": 1}})
		add(op, 400, "published must be true or false", call, form{"metadata": object{"language": "en", "title": "T"}, "published": "yes"})
	}
	for op, c := range map[string][2]string{"uploadMedia": {"/media", "media"}, "uploadThumbnail": {"/thumbnail", "image"}} {
		add(op, 415, type415, "POST "+blogs+c[0], object{c[1]: "x"})
		add(op, 400, "Problems parsing the form", "POST "+blogs+c[0], broken("--B\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\nx"))
		add(op, 400, c[1]+" must be a JPEG or PNG file", "POST "+blogs+c[0], form{c[1]: "GIF89a"})
		add(op, 400, c[1]+" must be a JPEG or PNG file", "POST "+blogs+c[0], form{"other": "\x89PNG\r\n\x1a\n"})
	}
	return out
}

// broken is a body that says it is a form.
type broken string

// A post is published by its word alone, and a draft stays one.
func TestBlogDrafts(t *testing.T) {
	f := open(t)
	f.blog()
	text := object{"language": "es", "title": "Té"}
	for published, want := range map[string]any{"false": nil, "true": "2025-01-01T12:00:00+0000", "FALSE": nil} {
		made := f.object("2025-03 POST "+blogs, form{"metadata": text, "published": published})
		call := fmt.Sprint(blogs, "/", made["post_id"])
		f.want(f.object("2025-03 GET "+call, nil), object{"published_at": want})
		f.none("2025-03 PUT "+call, form{"metadata": text, "content": "<p>x</p>"}) // which says nothing of it
		f.want(f.object("2025-03 GET "+call, nil), object{"published_at": want, "data.0.content": "<p>x</p>"})
		f.none("2025-03 PUT "+call, form{"metadata": text, "published": "false"})
		f.want(f.object("2025-03 GET "+call, nil), object{"published_at": nil})
	}
}
