package client

import (
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

var (
	blogID = uuid.MustParse("5d0f6f0c-3f0b-4c55-9a3d-0c9f4f6c1a01")
	postID = uuid.MustParse("7a1e0f3e-0000-4000-8000-000000000001")
)

// partsOf returns the parts of a form as name=content, a file as name/filename/type=content.
func partsOf(t *testing.T, r *http.Request) (parts []string) {
	t.Helper()
	form, err := r.MultipartReader()
	if err != nil {
		t.Fatal(err)
	}
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return parts
		}
		if err != nil {
			t.Fatal(err)
		}
		content, _ := io.ReadAll(part)
		name := part.FormName()
		if part.FileName() != "" {
			name += "/" + part.FileName() + "/" + part.Header.Get("Content-Type")
		}
		parts = append(parts, name+"="+string(content))
	}
}

// blogOn returns a service whose requests are answered by transport.
func blogOn(t *testing.T, transport hostile.RoundTripper) *BlogService {
	t.Helper()
	c, err := New(Config{
		BaseURL: "https://api.example.com", StoreID: 123, Token: StaticToken("t"), UserAgent: "Tests (tests@app.example)",
		HTTPClient: &http.Client{Transport: transport},
	})
	if err != nil {
		t.Fatal(err)
	}
	return (*BlogService)(engine.At(c.core(), string(Version202503)))
}

const picture = "\x89PNG\r\n\x1a\n and more"

// A form that was not processed is sent again, whole, with the length that it has.
func TestBlogForms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen [][]string
		s := blogOn(t, func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			if err != nil || int64(len(body)) != r.ContentLength {
				t.Errorf("%d bytes, Content-Length %d, %v", len(body), r.ContentLength, err)
			}
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			seen = append(seen, append([]string{r.Method + " " + r.URL.Path}, partsOf(t, r)...))
			if len(seen)%2 == 1 {
				return hostile.Refuses(429)(r)
			}
			const answer = `{"post_id":"7a1e0f3e-0000-4000-8000-000000000001","media_url":"m","thumbnail_url":"t"}`
			return hostile.Status(200, answer, "Content-Type", "application/json")(r)
		})
		ctx := t.Context()
		in := BlogPostInput{Language: "es", Title: "T", SEOTitle: Set(""), Content: Set("<p>x</p>"), Published: Set(true), Thumbnail: Set("")}
		if id, err := s.CreatePost(ctx, blogID, in); err != nil || id != postID {
			t.Errorf("got %v, %v", id, err)
		}
		if err := s.UpdatePost(ctx, blogID, postID, BlogPostInput{Language: "es", Title: "T"}); err != nil {
			t.Error(err)
		}
		path := t.TempDir() + "/p.png"
		if err := os.WriteFile(path, []byte("skipped"+picture), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }()
		_, _ = io.CopyN(io.Discard, file, int64(len("skipped")))
		streamed, err := UploadFrom(file, file.Name())
		if err != nil || streamed.Size != int64(len(picture)) {
			t.Fatalf("%+v, %v", streamed, err)
		}
		if url, err := s.UploadMedia(ctx, blogID, streamed); err != nil || url != "m" {
			t.Errorf("got %q, %v", url, err)
		}
		read, err := UploadFrom(io.MultiReader(strings.NewReader(picture)), `C:\\a "b".png`)
		if err != nil {
			t.Fatal(err)
		}
		if url, err := s.UploadThumbnail(ctx, blogID, read); err != nil || url != "t" {
			t.Errorf("got %q, %v", url, err)
		}
		const posts = " /2025-03/123/blogs/5d0f6f0c-3f0b-4c55-9a3d-0c9f4f6c1a01/posts"
		for i, want := range [][]string{
			{"POST" + posts, `metadata={"language":"es","title":"T","seo_title":""}`, "content=<p>x</p>", "published=true", "thumbnail="},
			{"PUT" + posts + "/7a1e0f3e-0000-4000-8000-000000000001", `metadata={"language":"es","title":"T"}`},
			{"POST" + posts + "/media", "media/p.png/image/png=" + picture},
			{"POST" + posts + "/thumbnail", "image/a %22b%22.png/image/png=" + picture},
		} {
			if len(seen) != 8 || !slices.Equal(seen[2*i], want) || !slices.Equal(seen[2*i+1], want) {
				t.Errorf("sent %q, want twice %q", seen[min(2*i, len(seen)):min(2*i+2, len(seen))], want)
			}
		}
	})
}

func TestBlogRequests(t *testing.T) {
	ctx := t.Context()
	const blog, post = "/2025-03/123/blogs/5d0f6f0c-3f0b-4c55-9a3d-0c9f4f6c1a01/posts", "/7a1e0f3e-0000-4000-8000-000000000001"
	requests(t, Version202503, as[BlogService], []request[BlogService]{
		{"GET /2025-03/123/blogs", `{"blog_id":"5d0f6f0c-3f0b-4c55-9a3d-0c9f4f6c1a01","owner":{"id":"1"}}`, func(s *BlogService) error {
			b, err := s.Get(ctx)
			if err == nil && (b.ID != blogID || b.Owner.ID != "1") {
				t.Errorf("got %+v", b)
			}
			return err
		}},
		// No size is asked for, and the total in meta ends the list.
		{"GET " + blog, `{"posts":{"data":[{"post_id":"7a1e0f3e-0000-4000-8000-000000000001"}],"meta":{"page":1,"itemCount":1}}}`, func(s *BlogService) error {
			all, err := s.Posts(blogID, 0).Collect(ctx)
			if err == nil && (len(all) != 1 || all[0].ID != postID) {
				t.Errorf("got %+v", all)
			}
			return err
		}},
		{"GET " + blog + " page=2", `{"posts":{"data":[],"meta":{"itemCount":21}}}`, func(s *BlogService) error {
			_, err := s.Posts(blogID, 2).Page(ctx)
			return err
		}},
		{"DELETE " + blog + post, ``, func(s *BlogService) error { return s.DeletePost(ctx, blogID, postID) }},
		{"PATCH " + blog + post + "/publish", ``, func(s *BlogService) error { return s.PublishPost(ctx, blogID, postID) }},
		{"PATCH " + blog + post + "/unpublish", ``, func(s *BlogService) error { return s.UnpublishPost(ctx, blogID, postID) }},
		{"GET " + blog + post, `{"post_id":"7a1e0f3e-0000-4000-8000-000000000001","data":[{"language":"es","title":"T"}]}`, func(s *BlogService) error {
			p, err := s.GetPost(ctx, blogID, postID)
			if err != nil {
				return err
			}
			if text, ok := p.In("es"); !ok || text.Title != "T" {
				t.Errorf("got %+v", p)
			}
			return nil
		}},
	})
	create := func(in BlogPostInput) func(*BlogService) error {
		return func(s *BlogService) error { _, err := s.CreatePost(ctx, blogID, in); return err }
	}
	upload := func(u Upload) func(*BlogService) error {
		return func(s *BlogService) error { _, err := s.UploadMedia(ctx, blogID, u); return err }
	}
	refused(t, Version202503, as[BlogService], map[string]func(*BlogService) error{
		"language: ":  create(BlogPostInput{Title: "T"}),
		"title: ":     create(BlogPostInput{Language: "es"}),
		"content: \"": create(BlogPostInput{Language: "es", Title: "T", Content: Null[string]()}),
		"published: ": create(BlogPostInput{Language: "es", Title: "T", Published: Null[bool]()}),
		"filename: ":  upload(Upload{Content: strings.NewReader("x"), Size: 1}),
		"size: ":      upload(Upload{Filename: "a.png", Content: strings.NewReader("")}),
	})
}

// A file that is shorter than its size is the app's fault: nothing was done, and nothing is sent again.
func TestUploadThatEndsEarly(t *testing.T) {
	sent := 0
	s := blogOn(t, func(r *http.Request) (*http.Response, error) {
		sent++
		_, err := io.ReadAll(r.Body)
		return nil, err
	})
	short := Upload{Filename: "a.png", Content: strings.NewReader(strings.Repeat("x", 600)), Size: 700}
	_, err := s.UploadMedia(t.Context(), blogID, short)
	if !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, ErrOutcomeUnknown) || sent != 1 {
		t.Errorf("got %v after %d requests", err, sent)
	}
	short.Size = 601
	short.Content = strings.NewReader("x")
	if _, err := s.UploadMedia(t.Context(), blogID, short); !errors.Is(err, io.ErrUnexpectedEOF) || sent != 1 {
		t.Errorf("got %v after %d requests", err, sent)
	}
	if _, err := UploadFrom(io.MultiReader(strings.NewReader(strings.Repeat("x", MaxImageBytes+1))), "a.png"); err == nil {
		t.Error("a stream of more than MaxImageBytes was read")
	}
}

// A create whose answer names no post has an unknown outcome.
func TestBlogAnswersWithoutID(t *testing.T) {
	for _, answer := range []string{`{}`, `{"post_id":null}`, `{"media_url":""}`, `{"message":"ok"}`} {
		s := blogOn(t, hostile.Status(200, answer, "Content-Type", "application/json"))
		_, err := s.CreatePost(t.Context(), blogID, BlogPostInput{Language: "es", Title: "T"})
		_, failed := s.UploadMedia(t.Context(), blogID, Upload{Filename: "a.png", Content: strings.NewReader(picture), Size: 8})
		if !errors.Is(err, ErrOutcomeUnknown) || !errors.Is(failed, ErrOutcomeUnknown) {
			t.Errorf("%s: got %v and %v", answer, err, failed)
		}
	}
}

// A name that would break its header, and a text that would be stored otherwise, are not sent. Other strange ones
// arrive as they are.
func TestBlogStrangeTexts(t *testing.T) {
	sent := 0
	var parts []string
	s := blogOn(t, func(r *http.Request) (*http.Response, error) {
		sent++
		parts = partsOf(t, r)
		return hostile.Status(201, `{"post_id":"7a1e0f3e-0000-4000-8000-000000000001","media_url":"m"}`, "Content-Type", "application/json")(r)
	})
	upload := func(name string) error {
		_, err := s.UploadMedia(t.Context(), blogID, Upload{Filename: name, Content: strings.NewReader(picture), Size: int64(len(picture))})
		return err
	}
	create := func(content, thumbnail string) error {
		_, err := s.CreatePost(t.Context(), blogID, BlogPostInput{Language: "es", Title: "T", Content: Set(content), Thumbnail: Set(thumbnail)})
		return err
	}
	for name, err := range map[string]error{
		"NUL": upload("a\x00.png"), "line break": upload("a\r\nX: y.png"), "DEL": upload("a\x7f.png"), "C1": upload("a\u0085.png"), "no UTF-8": upload("\xff.png"),
		"content": create("<p>\xff</p>", ""), "thumbnail": create("", "https://cdn.example/\xff"), "long": create(strings.Repeat("\xff", 1<<20), ""),
	} {
		if !errors.Is(err, ErrValidation) || len(err.Error()) > 1000 {
			t.Errorf("%s: got %.1000v, want %v", name, err, ErrValidation)
		}
	}
	if sent != 0 {
		t.Errorf("%d requests", sent)
	}
	const content = "--B\r\nContent-Disposition: form-data; name=\"published\"\r\n\r\ntrue\x00\u202e"
	if err := create(content, ""); err != nil || len(parts) != 3 || parts[1] != "content="+content {
		t.Errorf("got %q, %v", parts, err)
	}
	if err := upload(`..\"; name="published".png`); err != nil || len(parts) != 1 {
		t.Errorf("got %q, %v", parts, err)
	}
}
