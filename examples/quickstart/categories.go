package main

import (
	"context"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// branch is one category of the tree that the file describes.
type branch struct {
	id     client.ID
	parent *branch // nil at the top
	name   client.Text
}

func (b *branch) String() string {
	if b.parent == nil {
		return b.name.Get("en")
	}
	return b.parent.String() + " > " + b.name.Get("en")
}

// below reports whether b is under other.
func (b *branch) below(other *branch) bool {
	return b.parent != nil && (b.parent == other || b.parent.below(other))
}

// place identifies a category: its parent's id and its name in one language.
type place struct {
	parent client.ID
	name   string
}

// growTree creates the categories of all products, parents first, and assigns each product its category. It uses
// categories that the store already has.
func (s *session) growTree(ctx context.Context) error {
	language := s.catalog.languages[0]
	there := map[place]*branch{}
	for c, err := range v202503.Categories(s.client).List(client.CategoryFilter{}).All(ctx) {
		if err != nil {
			return err
		}
		at := place{name: c.Name.Get(language)}
		if c.Parent != nil {
			at.parent = *c.Parent
		}
		there[at] = &branch{id: c.ID}
	}
	grown := map[*branch]bool{}
	for _, p := range s.catalog.products {
		var leaf *branch
		for _, name := range p.path {
			b, err := s.grow(ctx, there, leaf, name, language)
			if err != nil {
				return fmt.Errorf("line %d, category %q: %w", p.line, name.Get(language), err)
			}
			if leaf = b; !grown[b] {
				grown[b] = true
				s.tree = append(s.tree, b)
			}
		}
		if leaf != nil {
			p.input.Categories = client.Set([]client.ID{leaf.id})
		}
	}
	return nil
}

// grow returns the category with the name under parent, and creates it if necessary.
func (s *session) grow(ctx context.Context, there map[place]*branch, parent *branch, name client.Text, language string) (*branch, error) {
	at, in := place{name: name.Get(language)}, client.CategoryInput{Name: name}
	if parent != nil {
		at.parent, in.Parent = parent.id, client.Set(parent.id)
	}
	b := there[at]
	if b == nil {
		c, err := v202503.Categories(s.client).Create(ctx, in)
		if err != nil {
			return nil, err
		}
		s.inbox.expect(webhook.CategoryCreated, c.ID)
		b = &branch{id: c.ID}
		there[at] = b
	}
	if b.name == nil {
		b.parent, b.name = parent, name
	}
	return b, nil
}

// hideCategory hides the largest part of the tree. Categories below it become soft-hidden. Then hideCategory shows it
// again.
func (s *session) hideCategory(ctx context.Context) error {
	top, below := s.largestBranch()
	if below == 0 {
		s.t.note("skipped: no category has another below it")
		return nil
	}
	for _, visibility := range []client.Visibility{client.VisibilityHidden, client.VisibilityVisible} {
		c, err := v202503.Categories(s.client).Update(ctx, top.id, client.CategoryInput{Visibility: visibility})
		if err != nil {
			return err
		}
		s.expectUpdates(top)
		s.t.check(c.Visibility == visibility, "%q is set to %s", top, c.Visibility)
		if err := s.checkVisibility(ctx, top, visibility); err != nil {
			return err
		}
	}
	return nil
}

// expectUpdates expects the webhook of the category. The contract does not state whether a platform also sends webhooks
// of the categories below; the reference server does.
func (s *session) expectUpdates(top *branch) {
	for _, b := range s.tree {
		if b == top || s.demo != nil && b.below(top) {
			s.inbox.expect(webhook.CategoryUpdated, b.id)
		}
	}
}

// largestBranch returns the category with the most others below it.
func (s *session) largestBranch() (top *branch, below int) {
	for _, b := range s.tree {
		n := 0
		for _, other := range s.tree {
			if other.below(b) {
				n++
			}
		}
		if n > below {
			top, below = b, n
		}
	}
	return top, below
}

// checkVisibility checks every category of the file. Categories below top must follow it, and the others must stay
// visible.
func (s *session) checkVisibility(ctx context.Context, top *branch, visibility client.Visibility) error {
	shown, err := s.visibilities(ctx)
	if err != nil {
		return err
	}
	follows := client.VisibilityVisible
	if visibility == client.VisibilityHidden {
		follows = client.VisibilitySoftHidden
	}
	below, others, wrong := 0, 0, []string{}
	for _, b := range s.tree {
		want := client.VisibilityVisible
		switch {
		case b == top:
			want = visibility
		case b.below(top):
			want = follows
			below++
		default:
			others++
		}
		if got := shown[b.id]; got != want {
			wrong = append(wrong, fmt.Sprintf("%s: is %q, must be %q", b, got, want))
		}
	}
	s.t.check(len(wrong) == 0, "%s below it %s, %s visible", count(below, "category", "categories"), follows, count(others, "other", "others"))
	s.t.list(wrong)
	return nil
}

func (s *session) visibilities(ctx context.Context) (map[client.ID]client.Visibility, error) {
	shown := map[client.ID]client.Visibility{}
	for c, err := range v202503.Categories(s.client).List(client.CategoryFilter{}).All(ctx) {
		if err != nil {
			return nil, err
		}
		shown[c.ID] = c.Visibility
	}
	return shown, nil
}
