package res

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Refusals of what posts are made of. All are assumed.
const (
	notFlag    = "published must be true or false"
	notPicture = " must be a JPEG or PNG file"
)

func postFaults() []api.ErrCase {
	faults := refusals(http.StatusBadRequest, []string{
		body.BrokenForm, "metadata " + body.BeObject, "metadata.language " + body.NotEmpty, "metadata.title " + body.NotEmpty,
		"metadata.summary " + body.BeString, notFlag,
	})
	return append(faults, notMultipart)
}

var notMultipart = api.ErrCase{Status: http.StatusUnsupportedMediaType, Text: "Content-Type should be " + body.Multipart}

func uploadFaults(part string) []api.ErrCase {
	return append(refusals(http.StatusBadRequest, []string{body.BrokenForm, part + notPicture}), notMultipart)
}

// writePost returns the post with what the body has. It is about one language, which is added if the post lacks it.
func writePost(tx *world.Tx, in *api.In, p world.BlogPost) (world.BlogPost, error) {
	form, err := body.ReadForm(in)
	if err != nil {
		return p, err
	}
	metadata, err := form.JSON("metadata")
	if err != nil {
		return p, err
	}
	var language, handle string
	metadata.Need("language", &language)
	at := slices.IndexFunc(p.Texts, func(t world.BlogText) bool { return t.Language == language })
	p.Texts = slices.Clone(p.Texts)
	if at < 0 {
		at = len(p.Texts)
		p.Texts = append(p.Texts, world.BlogText{Language: language})
	}
	t := &p.Texts[at]
	metadata.Need("title", &t.Title)
	metadata.Text("summary", &t.Summary)
	metadata.Text("seo_title", &t.SEOTitle)
	metadata.Text("seo_description", &t.SEODescription)
	metadata.Text("handle", &handle)
	if err := metadata.Done(in).Coded(); err != nil {
		return p, err
	}
	form.Text("content", &t.Content)
	form.Text("thumbnail", &p.Thumbnail)
	if flag, ok := form.Part("published"); ok {
		switch strings.ToLower(string(flag)) {
		case "true":
			p = published(tx, p, true)
		case "false":
			p = published(tx, p, false)
		default:
			return p, api.Coded(http.StatusBadRequest, notFlag)
		}
	}
	form.Done(in)
	if handle != "" && handle != t.Handle || t.Handle == "" {
		t.Handle = free(cmp.Or(handle, slug(t.Title), "post"), func(h string) bool {
			other, taken := tx.BlogPosts.Find("handle", language+"/"+h)
			return taken && other.ID != p.ID
		})
	}
	return p, nil
}

func published(tx *world.Tx, p world.BlogPost, is bool) world.BlogPost {
	switch {
	case !is:
		p.PublishedAt = time.Time{}
	case p.PublishedAt.IsZero():
		p.PublishedAt = tx.Now()
	}
	return p
}

// uploadPicture makes the operation that takes a picture in a part of a form. The picture itself is not kept.
func uploadPicture(part, member string) api.Handler {
	return func(tx *world.Tx, in *api.In) (any, error) {
		if _, err := blog(tx, in); err != nil {
			return nil, err
		}
		form, err := body.ReadForm(in)
		if err != nil {
			return nil, err
		}
		picture, _ := form.Part(part)
		form.Done(in)
		ending, ok := map[string]string{"image/jpeg": ".jpg", "image/png": ".png"}[http.DetectContentType(picture)]
		if !ok {
			return nil, api.Coded(http.StatusBadRequest, part+notPicture)
		}
		return map[string]string{member: "https://cdn." + tx.Store().OriginalDomain + "/blog/" + tx.NewUUID() + ending}, nil
	}
}
