package client

import (
	"context"
	"net/http"
	"strconv"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Blog is the blog of a store. A store has at most one.
type Blog struct {
	ID    uuid.UUID `json:"blog_id"` // for the calls about posts
	Owner BlogOwner `json:"owner"`   // the owner of the blog
	Extra Extra     `json:",embed"`
}

// BlogOwner names the owner of a blog.
type BlogOwner struct {
	ID    Code  `json:"id"` // of the owner; the contract does not say of what kind
	Extra Extra `json:",embed"`
}

// BlogPost is a post of a blog, in one or more languages.
type BlogPost struct {
	BlogID    uuid.UUID `json:"blog_id"` // the blog that contains the post
	ID        uuid.UUID `json:"post_id"` // of the post
	CreatedAt Time      `json:"created_at"`
	UpdatedAt Time      `json:"updated_at"`
	// PublishedAt is zero for a draft.
	PublishedAt Time `json:"published_at"`
	// Thumbnail is the URL of the picture that is shown with the title; nil if there is none.
	Thumbnail *string    `json:"thumbnail"`
	Texts     []BlogText `json:"data"`   // one for each language
	Author    BlogAuthor `json:"author"` // who wrote it
	Extra     Extra      `json:",embed"`
}

// In returns the text in a language; false if the post has no text in that language.
func (p *BlogPost) In(language string) (BlogText, bool) {
	for _, text := range p.Texts {
		if text.Language == language {
			return text, true
		}
	}
	return BlogText{}, false
}

// BlogText is a post in one language.
type BlogText struct {
	Language       string `json:"language"`        // code such as es
	Title          string `json:"title"`           // of the post
	Handle         string `json:"handle"`          // the last part of the URL in the storefront
	Summary        string `json:"summary"`         // shown in lists of posts
	SEOTitle       string `json:"seo_title"`       // for search engines
	SEODescription string `json:"seo_description"` // for search engines
	Content        string `json:"content"`         // HTML
	Extra          Extra  `json:",embed"`
}

// BlogAuthor is the author of a post.
type BlogAuthor struct {
	ID    Code   `json:"id"`   // of the author; the contract does not say of what kind
	Name  string `json:"name"` // shown with the post
	Extra Extra  `json:",embed"`
}

// BlogPostInput is the body of CreatePost and UpdatePost. One call writes one language; UpdatePost with another
// language adds it. The contract does not say whether an update retains absent members. The reference server retains
// them.
type BlogPostInput struct {
	Language       string      `json:"language"`                 // required, such as es
	Title          string      `json:"title"`                    // required
	Summary        Opt[string] `json:"summary,omitzero"`         // shown in lists of posts
	SEOTitle       Opt[string] `json:"seo_title,omitzero"`       // for search engines
	SEODescription Opt[string] `json:"seo_description,omitzero"` // for search engines
	Handle         Opt[string] `json:"handle,omitzero"`          // the last part of the URL in the storefront
	// Content is HTML.
	Content Opt[string] `json:"-"`
	// Published shows the post to visitors. CreatePost without it makes a draft.
	Published Opt[bool] `json:"-"`
	// Thumbnail is the URL of the picture that is shown with the title, such as UploadThumbnail returns. An empty text
	// removes it.
	Thumbnail Opt[string] `json:"-"`
}

// form returns the body in parts. Parts cannot be null, so null values are rejected.
func (in BlogPostInput) form() (*engine.Form, error) {
	if in.Language == "" {
		return nil, engine.Invalid("language", in.Language, "the language of the text, such as es")
	}
	if in.Title == "" {
		return nil, engine.Invalid("title", in.Title, "a title")
	}
	metadata, err := wire.Marshal(in)
	if err != nil {
		return nil, err
	}
	form := &engine.Form{}
	form.Add("metadata", string(metadata))
	published := Opt[string]{}
	if v, ok := in.Published.Get(); ok {
		published = Set(strconv.FormatBool(v))
	} else if in.Published.IsNull() {
		published = Null[string]()
	}
	for _, part := range []struct {
		name string
		text Opt[string]
	}{{"content", in.Content}, {"published", published}, {"thumbnail", in.Thumbnail}} {
		if part.text.IsNull() {
			return nil, engine.Invalid(part.name, nil, "a text, which may be empty, or unset")
		}
		if text, ok := part.text.Get(); ok {
			if !utf8.ValidString(text) { // metadata rejects it too; the platform would store another text
				return nil, engine.Invalid(part.name, text, "text in UTF-8")
			}
			form.Add(part.name, text)
		}
	}
	return form, nil
}

// BlogService reads the blog of the store and its posts with the scope read_content and writes them with write_content.
// Versions 2025-03 and unstable have it. The blog itself cannot be created.
type BlogService engine.Service

// Get returns the blog of the store; ErrNotFound if it has none.
//
//api:endpoint GET /blogs
func (s *BlogService) Get(ctx context.Context) (*Blog, error) {
	return engine.Get[Blog](ctx, s, "/blogs", nil)
}

// Posts selects the posts of a blog, including drafts, starting at a page; 0 is the first one. The platform chooses the
// size of the pages.
//
//api:endpoint GET /blogs/{blog_id}/posts
func (s *BlogService) Posts(blogID uuid.UUID, page int) List[BlogPost] {
	return listOf[BlogPost](s, newQuery().paging(Paging{Page: page}), engine.ListSpec{
		Path: "/blogs/{blog_id}/posts", Args: []any{blogID}, Envelope: []string{"posts", "data"}, Total: "meta.itemCount", FixedSize: true,
	})
}

// GetPost returns a post.
//
//api:endpoint GET /blogs/{blog_id}/posts/{post_id}
func (s *BlogService) GetPost(ctx context.Context, blogID, id uuid.UUID) (*BlogPost, error) {
	return engine.Get[BlogPost](ctx, s, "/blogs/{blog_id}/posts/{post_id}", nil, blogID, id)
}

// CreatePost adds a post in one language and returns its id. It is not retried after a failure that may have come after
// the post was made. On ErrOutcomeUnknown search for the post with Posts before you repeat it.
//
//api:endpoint POST /blogs/{blog_id}/posts
func (s *BlogService) CreatePost(ctx context.Context, blogID uuid.UUID, in BlogPostInput) (uuid.UUID, error) {
	form, err := in.form()
	if err != nil {
		return uuid.Nil, err
	}
	type created struct {
		ID    uuid.UUID `json:"post_id"`
		Extra Extra     `json:",embed"`
	}
	r := engine.Request{Method: http.MethodPost, Path: "/blogs/{blog_id}/posts", Args: []any{blogID}, Body: form}
	answer, err := engine.Result[created](ctx, s, r)
	if err != nil {
		return uuid.Nil, err
	}
	return answer.ID, present(r, "post_id", answer.ID)
}

// UpdatePost writes one language of a post, and adds the language if the post lacks it. It is idempotent and may be
// repeated after any failure.
//
//api:endpoint PUT /blogs/{blog_id}/posts/{post_id}
func (s *BlogService) UpdatePost(ctx context.Context, blogID, id uuid.UUID, in BlogPostInput) error {
	form, err := in.form()
	if err != nil {
		return err
	}
	r := engine.Request{Method: http.MethodPut, Path: "/blogs/{blog_id}/posts/{post_id}", Args: []any{blogID, id}, Body: form}
	return engine.Do(ctx, s, r, nil)
}

// DeletePost removes a post.
//
//api:endpoint DELETE /blogs/{blog_id}/posts/{post_id}
func (s *BlogService) DeletePost(ctx context.Context, blogID, id uuid.UUID) error {
	return engine.Delete(ctx, s, "/blogs/{blog_id}/posts/{post_id}", blogID, id)
}

// PublishPost shows a post to visitors.
//
//api:endpoint PATCH /blogs/{blog_id}/posts/{post_id}/publish
func (s *BlogService) PublishPost(ctx context.Context, blogID, id uuid.UUID) error {
	r := engine.Request{Method: http.MethodPatch, Path: "/blogs/{blog_id}/posts/{post_id}/publish", Args: []any{blogID, id}}
	return engine.Do(ctx, s, r, nil)
}

// UnpublishPost makes a post a draft.
//
//api:endpoint PATCH /blogs/{blog_id}/posts/{post_id}/unpublish
func (s *BlogService) UnpublishPost(ctx context.Context, blogID, id uuid.UUID) error {
	r := engine.Request{Method: http.MethodPatch, Path: "/blogs/{blog_id}/posts/{post_id}/unpublish", Args: []any{blogID, id}}
	return engine.Do(ctx, s, r, nil)
}

// UploadMedia uploads a picture for the content of a post and returns its URL. It changes no post. The platform accepts
// JPEG and PNG, and recommends at most 500 KB.
//
//api:endpoint POST /blogs/{blog_id}/posts/media
func (s *BlogService) UploadMedia(ctx context.Context, blogID uuid.UUID, file Upload) (string, error) {
	type uploaded struct {
		URL   string `json:"media_url"`
		Extra Extra  `json:",embed"`
	}
	r, err := file.request("/blogs/{blog_id}/posts/media", "media", blogID)
	if err != nil {
		return "", err
	}
	answer, err := engine.Result[uploaded](ctx, s, r)
	if err != nil {
		return "", err
	}
	return answer.URL, present(r, "media_url", answer.URL)
}

// UploadThumbnail uploads a picture for BlogPostInput.Thumbnail and returns its URL. It changes no post. The platform
// accepts JPEG and PNG. It recommends at most 500 KB and at most 1024 by 1024 or 1024 by 1800 pixels.
//
//api:endpoint POST /blogs/{blog_id}/posts/thumbnail
func (s *BlogService) UploadThumbnail(ctx context.Context, blogID uuid.UUID, file Upload) (string, error) {
	type uploaded struct {
		URL   string `json:"thumbnail_url"`
		Extra Extra  `json:",embed"`
	}
	r, err := file.request("/blogs/{blog_id}/posts/thumbnail", "image", blogID)
	if err != nil {
		return "", err
	}
	answer, err := engine.Result[uploaded](ctx, s, r)
	if err != nil {
		return "", err
	}
	return answer.URL, present(r, "thumbnail_url", answer.URL)
}
