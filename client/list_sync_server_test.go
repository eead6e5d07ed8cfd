package client_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// TestSyncByTheServersClock: a change during a sync comes with the next one, and what did
// not change does not, however far this machine's clock is from the server's.
func TestSyncByTheServersClock(t *testing.T) {
	for _, ahead := range []time.Duration{0, time.Hour, -time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv, err := startServer(clienttest.Options{Limits: clienttest.Limits{OrdersPerQuery: 2}})
				if err != nil {
					t.Fatal(err)
				}
				defer srv.Close()
				time.Sleep(time.Until(srv.Clock().Now().Add(ahead)))
				c := srv.Client()
				var variant client.ID
				synced(t, srv, func() client.ID {
					p := must[*client.Product](t)(v202503.Products(c).Create(t.Context(), client.ProductInput{Name: client.Plain("Mug"), Variants: []client.VariantInput{{Price: client.Set(client.Cents(500))}}}))
					variant = p.Variants[0].ID
					return p.ID
				}, func(id client.ID) {
					brand := srv.Clock().Now().String()
					must[*client.Product](t)(v202503.Products(c).Update(t.Context(), id, client.ProductInput{Brand: client.Set(brand)}))
				}, v202503.Products(c).List(client.ProductFilter{}).UpdatedSince, func(p *client.Product) client.ID { return p.ID })
				synced(t, srv, func() client.ID {
					return must[*client.Order](t)(v202503.Orders(c).Create(t.Context(), bought(variant))).ID
				}, func(id client.ID) {
					note := srv.Clock().Now().String()
					must[*client.Order](t)(v202503.Orders(c).Update(t.Context(), id, client.OrderUpdate{OwnerNote: client.Set(note)}))
				}, func(mark time.Time) *client.Sync[client.Order] {
					return v202503.Orders(c).UpdatedSince(client.OrderFilter{}, mark)
				}, func(o *client.Order) client.ID { return o.ID })
			})
		})
	}
}

func synced[T any](t *testing.T, srv *clienttest.Server, create func() client.ID, touch func(client.ID), since func(time.Time) *client.Sync[T], id func(*T) client.ID) {
	t.Helper()
	var made []client.ID
	for range 4 {
		made = append(made, create())
		srv.Clock().Advance(10 * time.Minute)
	}
	var mark time.Time
	// pull reads up to most records and calls during with each.
	pull := func(most int, during func(client.ID)) (got []client.ID) {
		sync := since(mark)
		for record, err := range sync.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, id(record))
			if during(id(record)); len(got) == most {
				break
			}
		}
		mark = sync.Mark()
		return got
	}
	quiet := func(client.ID) {}
	if got := pull(2, quiet); len(got) != 2 || !mark.IsZero() {
		t.Errorf("broken off: %v, mark %v; want no mark", got, mark)
	}
	got := pull(0, func(id client.ID) {
		if id == made[3] {
			srv.Clock().Advance(10 * time.Minute) // it takes long
			touch(made[0])
		}
	})
	if !slices.Equal(got, made) || mark.IsZero() || mark.After(srv.Clock().Now()) {
		t.Errorf("first: %v, mark %v; want %v", got, mark, made)
	}
	srv.Clock().Advance(10 * time.Minute)
	if got := pull(1, quiet); !slices.Equal(got, made[:1]) {
		t.Errorf("broken off: %v, want the one that changed during the first", got)
	}
	if got := pull(0, quiet); !slices.Equal(got, made[:1]) {
		t.Errorf("after that: %v, want the same", got)
	}
	srv.Clock().Advance(10 * time.Minute)
	if got := pull(0, quiet); len(got) != 0 {
		t.Errorf("nothing changed: %v", got)
	}
}
