package world

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Blog is the blog of a store. No operation makes one.
type Blog struct {
	ID      string
	OwnerID string
}

// BlogPost is a post in one or more languages.
type BlogPost struct {
	ID, BlogID string
	// Thumbnail is empty if there is none.
	Thumbnail string
	// Texts are in the order in which the languages were added.
	Texts       []BlogText
	AuthorID    string
	AuthorName  string
	CreatedAt   time.Time
	UpdatedAt   time.Time
	PublishedAt time.Time // zero of a draft
}

// BlogText is a post in one language.
type BlogText struct {
	Language, Title, Handle, Summary, SEOTitle, SEODescription, Content string
}

// Indexes find a post by its handles, as language/handle.
func (p BlogPost) Indexes() []table.Entry {
	by := map[string]string{}
	for _, t := range p.Texts {
		by[t.Language] = t.Handle
	}
	return handles(by)
}
