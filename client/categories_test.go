package client

import (
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

func TestCategoryReadsTolerantly(t *testing.T) {
	var c Category
	if err := wire.Unmarshal([]byte(`{"id":1,"parent":null,"subcategories":[],"visibility":"secret","feed_shopping_category":"","description":[]}`), &c); err != nil {
		t.Fatal(err)
	}
	if c.Parent != nil || c.Visibility != "secret" || c.Visibility.Known() || *c.FeedShoppingCategory != "" {
		t.Errorf("got %+v", c)
	}
}

func TestCategoryInputSendsAbsentNullAndValue(t *testing.T) {
	for _, test := range []struct {
		in   CategoryInput
		want string
	}{
		{CategoryInput{}, `{}`},
		{CategoryInput{Parent: Null[ID](), FeedShoppingCategory: Null[string]()}, `{"parent":null,"feed_shopping_category":null}`},
		{CategoryInput{Name: Text{"es": "Tazas"}, Parent: Set(ID(7)), Visibility: VisibilityHidden}, `{"name":{"es":"Tazas"},"parent":7,"visibility":"hidden"}`},
		{CategoryInput{Description: Plain(""), Handle: Plain("mugs")}, `{"description":"","handle":"mugs"}`},
	} {
		if got, err := wire.Marshal(test.in); err != nil || string(got) != test.want {
			t.Errorf("got %s, %v, want %s", got, err, test.want)
		}
	}
}

func TestCategoryInputIsChecked(t *testing.T) {
	for _, test := range []struct {
		name     string
		creating bool
		in       CategoryInput
		want     string
	}{
		{"no name to update", false, CategoryInput{}, ""},
		{"no name to create", true, CategoryInput{}, `name: "": must be a text`},
		{"parent 0", false, CategoryInput{Parent: Set(ID(0))}, `parent: "0": must be the id of a category, or null`},
		{"no parent", false, CategoryInput{Parent: Null[ID]()}, ""},
		{"hidden", false, CategoryInput{Visibility: VisibilityHidden}, ""},
		{"soft-hidden", false, CategoryInput{Visibility: VisibilitySoftHidden}, `visibility: "soft-hidden": must be visible or hidden`},
		{"description of 65535", false, CategoryInput{Description: Plain(strings.Repeat("é", 65535))}, ""},
		{"description of 65536", false, CategoryInput{Description: Text{"pt": strings.Repeat("é", 65536)}}, `description.pt: "éé`},
	} {
		t.Run(test.name, func(t *testing.T) { refusal(t, test.in.check(test.creating), test.want) })
	}
}

func TestCategoryFilterBecomesParameters(t *testing.T) {
	q := CategoryFilter{Paging: Paging{PerPage: 10}, SinceID: 5, Language: "es", Handle: "tazas", ParentID: 7}.query()
	if got, want := q.values.Encode(), "handle=tazas&language=es&parent_id=7&per_page=10&since_id=5"; q.err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, q.err, want)
	}
	refusal(t, CategoryFilter{Handle: "tazas"}.query().err, `language: "": must be the language of the handle`)
}

func TestCategoryServiceRequests(t *testing.T) {
	ctx := t.Context()
	requests(t, VersionV1, as[CategoryService], []request[CategoryService]{
		{"GET /v1/123/categories parent_id=7", `[]`, func(s *CategoryService) error { _, err := s.List(CategoryFilter{ParentID: 7}).Page(ctx); return err }},
		{"GET /v1/123/categories/7 fields=id", `{"id":7}`, func(s *CategoryService) error { _, err := s.Get(ctx, 7, "id"); return err }},
	})
	v, seen := answering(t, VersionV1, `{}`)
	_, err := (*CategoryService)(v).Create(ctx, CategoryInput{})
	refusal(t, err, "name: ")
	_, err = (*CategoryService)(v).Update(ctx, 7, CategoryInput{Visibility: VisibilitySoftHidden})
	refusal(t, err, "visibility: ")
	if len(*seen) > 0 {
		t.Errorf("asked %v, want nothing", *seen)
	}
}
