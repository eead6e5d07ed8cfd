package res

import (
	"slices"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func blogOps() []api.Op {
	const all, one = "/blogs/{blog_id}/posts", "/blogs/{blog_id}/posts/{post_id}"
	read, write := []string{"read_content"}, []string{"write_content"}
	since := []string{api.V202503, api.Unstable}
	blog := []api.ErrCase{{Status: 400, Text: blogNoUUID}, {Status: 404, Text: noSuchBlog}}
	post := append(slices.Clone(blog), api.ErrCase{Status: 400, Text: postNoUUID}, api.ErrCase{Status: 404, Text: noSuchPost})
	return []api.Op{
		{ID: "blogs.get", Method: "GET", Path: "/blogs", Scopes: read, Versions: since, Provenance: api.Supplement,
			Errors: []api.ErrCase{{Status: 404, Text: noSuchBlog}}, Handler: getBlog},
		{ID: "blogs.listPosts", Method: "GET", Path: all, Scopes: read, Versions: since, Provenance: api.Assumed,
			Paging: api.Paging{Default: 20, Fixed: true, EmptyOK: true, Envelope: blogPage},
			Errors: blog, Handler: api.Collection(findPosts, showPost)},
		{ID: "blogs.getPost", Method: "GET", Path: one, Scopes: read, Versions: since, Provenance: api.Supplement,
			Errors: post, Handler: api.Record(findPost, showPost)},
		{ID: "blogs.createPost", Method: "POST", Path: all, Scopes: write, Versions: since, Provenance: api.Assumed,
			ContentType: body.Multipart, Success: 201, Errors: append(postFaults(), blog...), Handler: createPost},
		{ID: "blogs.updatePost", Method: "PUT", Path: one, Scopes: write, Versions: since, Provenance: api.Supplement,
			ContentType: body.Multipart, Success: 204, Errors: append(postFaults(), post...), Handler: updatePost},
		{ID: "blogs.deletePost", Method: "DELETE", Path: one, Scopes: write, Versions: since, Provenance: api.Supplement,
			NoBody: true, Success: 204, Errors: post, Handler: deletePost},
		{ID: "blogs.publishPost", Method: "PATCH", Path: one + "/publish", Scopes: write, Versions: since,
			NoBody: true, Provenance: api.Supplement, Success: 204, Errors: post, Handler: publishPost},
		{ID: "blogs.unpublishPost", Method: "PATCH", Path: one + "/unpublish", Scopes: write, Versions: since,
			NoBody: true, Provenance: api.Supplement, Success: 204, Errors: post, Handler: unpublishPost},
		{ID: "blogs.uploadMedia", Method: "POST", Path: all + "/media", Scopes: write, Versions: since,
			ContentType: body.Multipart, Provenance: api.Assumed, Success: 201, Errors: append(uploadFaults("media"), blog...),
			Handler: uploadPicture("media", "media_url")},
		{ID: "blogs.uploadThumbnail", Method: "POST", Path: all + "/thumbnail", Scopes: write, Versions: since,
			ContentType: body.Multipart, Provenance: api.Assumed, Success: 201, Errors: append(uploadFaults("image"), blog...),
			Handler: uploadPicture("image", "thumbnail_url")},
	}
}

// Texts about blogs, in the common shape, which is assumed.
const (
	blogNoUUID = "Blog ID must be a UUID"
	postNoUUID = "Post ID must be a UUID"
	noSuchBlog = "Blog not found"
	noSuchPost = "Post not found"
)

type blogJSON struct {
	BlogID string        `json:"blog_id"`
	Owner  blogOwnerJSON `json:"owner"`
}

type blogOwnerJSON struct {
	ID string `json:"id"`
}

type postJSON struct {
	BlogID      string         `json:"blog_id"`
	PostID      string         `json:"post_id"`
	CreatedAt   string         `json:"created_at"`
	UpdatedAt   string         `json:"updated_at"`
	PublishedAt any            `json:"published_at"`
	Thumbnail   *string        `json:"thumbnail"`
	Data        []postTextJSON `json:"data"`
	Author      postAuthorJSON `json:"author"`
}

type postTextJSON struct {
	Language       string `json:"language"`
	Title          string `json:"title"`
	Handle         string `json:"handle"`
	Summary        string `json:"summary"`
	SEOTitle       string `json:"seo_title"`
	SEODescription string `json:"seo_description"`
	Content        string `json:"content"`
}

type postAuthorJSON struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func blogPage(p api.Page) any {
	type meta struct {
		Page      int  `json:"page"`
		Take      int  `json:"take"`
		ItemCount int  `json:"itemCount"`
		PageCount int  `json:"pageCount"`
		Previous  *int `json:"previousPage"`
		Next      *int `json:"nextPage"`
	}
	type posts struct {
		Data []any `json:"data"`
		Meta meta  `json:"meta"`
	}
	m := meta{Page: p.Number, Take: p.Size, ItemCount: p.Total, PageCount: p.Last}
	if p.Number > 1 {
		m.Previous = new(p.Number - 1)
	}
	if p.Number < p.Last {
		m.Next = new(p.Number + 1)
	}
	return struct {
		Posts posts `json:"posts"`
	}{posts{p.Items, m}}
}

func showPost(_ *world.Tx, _ *api.In, p world.BlogPost) any {
	out := postJSON{
		BlogID: p.BlogID, PostID: p.ID, CreatedAt: api.Stamp(p.CreatedAt), UpdatedAt: api.Stamp(p.UpdatedAt),
		PublishedAt: api.StampOrNil(p.PublishedAt), Thumbnail: api.TextOrNil(p.Thumbnail), Data: []postTextJSON{},
		Author: postAuthorJSON{ID: p.AuthorID, Name: p.AuthorName},
	}
	for _, t := range p.Texts {
		out.Data = append(out.Data, postTextJSON(t))
	}
	return out
}

func getBlog(tx *world.Tx, _ *api.In) (any, error) {
	for _, b := range tx.Blogs.Values() {
		return blogJSON{BlogID: b.ID, Owner: blogOwnerJSON{ID: b.OwnerID}}, nil
	}
	return nil, assumed(api.NotFound(noSuchBlog))
}

// blog is that of the path.
func blog(tx *world.Tx, in *api.In) (world.Blog, error) {
	if !isUUID(in.Var("blog_id")) {
		return world.Blog{}, assumed(api.Coded(400, blogNoUUID))
	}
	b, ok := tx.Blogs.Get(in.Var("blog_id"))
	if !ok {
		return b, assumed(api.NotFound(noSuchBlog))
	}
	return b, nil
}

// findPost is that of the path. Both ids are looked at before anything is looked for.
func findPost(tx *world.Tx, in *api.In) (world.BlogPost, error) {
	if isUUID(in.Var("blog_id")) && !isUUID(in.Var("post_id")) {
		return world.BlogPost{}, assumed(api.Coded(400, postNoUUID))
	}
	b, err := blog(tx, in)
	if err != nil {
		return world.BlogPost{}, err
	}
	p, ok := tx.BlogPosts.Get(in.Var("post_id"))
	if !ok || p.BlogID != b.ID {
		return p, assumed(api.NotFound(noSuchPost))
	}
	return p, nil
}

func isUUID(text string) bool { return len(text) == 36 && uuid.Validate(text) == nil }

// findPosts lists drafts too, the oldest first.
func findPosts(tx *world.Tx, in *api.In) ([]world.BlogPost, error) {
	b, err := blog(tx, in)
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(slices.Clone(tx.BlogPosts.Values()), func(p world.BlogPost) bool { return p.BlogID != b.ID })
	slices.SortStableFunc(all, func(p, q world.BlogPost) int { return p.CreatedAt.Compare(q.CreatedAt) })
	return all, nil
}

// createPost makes a draft unless published is true.
func createPost(tx *world.Tx, in *api.In) (any, error) {
	b, err := blog(tx, in)
	if err != nil {
		return nil, err
	}
	p := world.BlogPost{
		ID: tx.NewUUID(), BlogID: b.ID, AuthorID: b.OwnerID, AuthorName: tx.Store().MainText(tx.Store().Name),
		CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	if p, err = writePost(tx, in, p); err != nil {
		return nil, assumed(err)
	}
	return struct {
		PostID string `json:"post_id"`
	}{p.ID}, tx.BlogPosts.Put(p.ID, p)
}

func updatePost(tx *world.Tx, in *api.In) (any, error) {
	before, err := findPost(tx, in)
	if err != nil {
		return nil, err
	}
	p, err := writePost(tx, in, before)
	if err != nil {
		return nil, assumed(err)
	}
	return nil, putPost(tx, before, p)
}

// putPost stores a post that was changed.
func putPost(tx *world.Tx, before, p world.BlogPost) error {
	if same(before, p) {
		return nil
	}
	p.UpdatedAt = tx.Now()
	return tx.BlogPosts.Put(p.ID, p)
}

func deletePost(tx *world.Tx, in *api.In) (any, error) {
	p, err := findPost(tx, in)
	if err != nil {
		return nil, err
	}
	tx.BlogPosts.Delete(p.ID)
	return nil, nil
}

// publishPost leaves the time of one that is published.
func publishPost(tx *world.Tx, in *api.In) (any, error) {
	p, err := findPost(tx, in)
	if err != nil {
		return nil, err
	}
	return nil, putPost(tx, p, published(tx, p, true))
}

func unpublishPost(tx *world.Tx, in *api.In) (any, error) {
	p, err := findPost(tx, in)
	if err != nil {
		return nil, err
	}
	return nil, putPost(tx, p, published(tx, p, false))
}
