package client_test

import (
	"errors"
	"maps"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// guide is a script of the demo app that is not installed automatically.
const guide = 3001

func TestScriptsAgainstTheServer(t *testing.T) {
	srv := newServer(t, clienttest.Options{Demo: true})
	c, ctx := srv.Client(), t.Context()
	before := must[[]client.Script](t)(v202503.Scripts(c).List(client.ScriptFilter{}).Collect(ctx))
	s := must[*client.Script](t)(v202503.Scripts(c).Associate(ctx, client.ScriptInput{ScriptID: guide, QueryParams: map[string]any{"size": "M"}}))
	var param string
	if ok, err := s.Params.Decode("size", &param); !ok || err != nil || param != "M" || s.IsAutoInstall || !s.CurrentVersion.Valid || !s.Event.Known() || !s.Location.Known() || len(s.Extra) > 0 {
		t.Errorf("associated %+v", s)
	}
	s = must[*client.Script](t)(v202503.Scripts(c).Update(ctx, guide, client.ScriptInput{ScriptID: guide}))
	if len(s.Params.Members) > 0 {
		t.Errorf("updated to %+v, want no parameters", s)
	}
	after := must[[]client.Script](t)(v202503.Scripts(c).List(client.ScriptFilter{PerPage: 1}).Collect(ctx))
	if len(after) != len(before)+1 {
		t.Errorf("%d scripts, want one more than %d", len(after), len(before))
	}
	if err := v202503.Scripts(c).Delete(ctx, guide); err != nil {
		t.Error(err)
	}
	if _, err := v202503.Scripts(c).Associate(ctx, client.ScriptInput{ScriptID: 999999}); err == nil {
		t.Error("a script that does not exist was associated")
	}
	allRead(t, srv)
}

func TestPagesAgainstTheServer(t *testing.T) {
	srv := newServer(t)
	c, ctx := srv.Client(), t.Context()
	about := must[*client.ContentPage](t)(v202503.Pages(c).Create(ctx, client.ContentPageInput{Publish: true, Texts: map[string]client.ContentPageText{
		"es_AR": {Title: "Nosotros", Content: client.Set("<p>Somos</p>"), SEOHandle: client.Set("nosotros"), SEOTitle: client.Set("Nosotros"), SEODescription: client.Set("Quiénes")},
	}}))
	if !about.Published || about.Name.Get("es_AR", "es") != "Nosotros" || len(about.Extra) > 0 {
		t.Errorf("created %+v", about)
	}
	must[*client.ContentPage](t)(v202503.Pages(c).Update(ctx, about.ID, client.ContentPageText{Title: "Quiénes somos"}))
	if got := must[*client.ContentPage](t)(v202503.Pages(c).Get(ctx, about.ID)); got.ID != about.ID {
		t.Errorf("got %+v", got)
	}
	for range 2 {
		must[*client.ContentPage](t)(v202503.Pages(c).Create(ctx, client.ContentPageInput{Texts: map[string]client.ContentPageText{"es_AR": {Title: "Más"}}}))
	}
	page := must[*client.Page[client.ContentPage]](t)(v202503.Pages(c).List(client.ContentPageFilter{PerPage: 2}).Page(ctx))
	if len(page.Items) != 2 || page.Total != 3 || !page.Next() {
		t.Errorf("a page: %+v, want 2 of 3", page)
	}
	if all := must[[]client.ContentPage](t)(v202503.Pages(c).List(client.ContentPageFilter{PerPage: 2}).Collect(ctx)); len(all) != 3 {
		t.Errorf("%d pages, want 3", len(all))
	}
	if err := v202503.Pages(c).Delete(ctx, about.ID); err != nil {
		t.Error(err)
	}
	if _, err := v202503.Pages(c).Get(ctx, about.ID); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("deleted: got %v, want ErrNotFound", err)
	}
	allRead(t, srv)
}

// The texts of an update have no language: the comment said the store's main one, and translations were lost.
func TestPageUpdateIsForAllLanguages(t *testing.T) {
	srv := newServer(t)
	c, ctx := srv.Client(), t.Context()
	about := must[*client.ContentPage](t)(v202503.Pages(c).Create(ctx, client.ContentPageInput{Texts: map[string]client.ContentPageText{
		"es_AR": {Title: "Nosotros", Content: client.Set("<p>Somos</p>")}, "pt_BR": {Title: "Quem somos", Content: client.Set("<p>Somos</p>")},
	}}))
	got := must[*client.ContentPage](t)(v202503.Pages(c).Update(ctx, about.ID, client.ContentPageText{Title: "About us"}))
	if want := (client.Text{"es": "About us", "pt": "About us"}); !maps.Equal(got.Name, want) || got.Content["pt"] != "<p>Somos</p>" {
		t.Errorf("got %v and %v, want the title %v and the content as it was", map[string]string(got.Name), map[string]string(got.Content), map[string]string(want))
	}
}

func TestKitsAgainstTheServer(t *testing.T) {
	srv := newServer(t, clienttest.Options{Demo: true})
	c, ctx := srv.Client(), t.Context()
	found := must[[]client.Product](t)(v202503.Products(c).List(client.ProductFilter{Query: "Camping set"}).Collect(ctx))
	kit := must[*client.Kit](t)(v202503.Kits(c).Get(ctx, found[0].ID))
	if kit.ID != found[0].ID || len(kit.Components) != 2 || kit.Components[0].Quantity != 2 || kit.Components[0].Name.Get("default") == "" || kit.KitStock == nil || len(kit.Extra) > 0 {
		t.Errorf("got %+v", kit)
	}
	for _, c := range kit.Components {
		if c.Price == nil || len(c.Extra) > 0 {
			t.Errorf("component: got %+v", c)
		}
	}
	if _, err := v202503.Kits(c).Get(ctx, 999999); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("no such kit: got %v, want ErrNotFound", err)
	}
	allRead(t, srv)
}

func TestCartsAgainstTheServer(t *testing.T) {
	srv := newServer(t, clienttest.Options{Demo: true})
	c, ctx := srv.Client(), t.Context()
	checkouts := must[[]client.Checkout](t)(v202503.Checkouts(c).List(client.CheckoutFilter{}).Collect(ctx))
	if len(checkouts) == 0 {
		t.Fatal("the demo store has no checkouts")
	}
	open := checkouts[0]
	cart := must[*client.Cart](t)(v202503.Carts(c).Get(ctx, open.ID))
	if id, err := cart.ID.ID(); err != nil || id != open.ID {
		t.Errorf("got %+v, want cart %d", cart, open.ID)
	}
	if discounts := must[[]client.CartDiscount](t)(v202503.Carts(c).Discounts(ctx, open.ID)); len(discounts) > 0 {
		t.Errorf("discounts %+v, want none", discounts)
	}
	line := open.Products[0].ID
	if err := v1.Carts(srv.Client()).RemoveLineItem(ctx, open.ID, line); err != nil {
		t.Error(err)
	}
	if err := v202503.Carts(c).RemoveLineItem(ctx, open.ID, line); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("the same line again: got %v, want ErrNotFound", err)
	}
	if err := v202503.Carts(c).RemoveCoupon(ctx, open.ID, 999999); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("no such coupon: got %v, want ErrNotFound", err)
	}
	allRead(t, srv)
}
