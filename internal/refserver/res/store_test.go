package res_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func TestStore(t *testing.T) {
	f := open(t)
	f.want(f.object("GET /store", nil), object{
		"id": f.store.ID, "logo": nil, "blog": nil, "email": nil, "customer_accounts": "optional", "main_currency": "USD",
		"languages.es": object{"currency": "USD", "active": true}, "features": array{"inventory-levels"},
		"domains.0": f.store.OriginalDomain, "created_at": "2025-01-01T12:00:00+0000",
	})
	for _, version := range []string{"", "2025-03 ", "unstable "} {
		f.want(f.object(version+"GET /store", nil), object{"url_with_protocol": "https://" + f.store.OriginalDomain})
	}
	if err := f.World().Update(0, f.store.ID, func(tx *world.Tx) error {
		s := tx.Store()
		s.Logo, s.Blog, s.WhatsappPhoneNumber, s.CustomerAccounts = "//cdn.example/logo.png", "https://blog.example", "+1", "mandatory"
		tx.SetStore(s)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	f.want(f.object("GET /store?fields=logo,blog,whatsapp_phone_number,customer_accounts", nil), object{
		"logo": "//cdn.example/logo.png", "blog": "https://blog.example", "whatsapp_phone_number": "+1", "customer_accounts": "mandatory", "id": "absent",
	})
}

// Every store has a location from the start, which stock without one belongs to.
func TestFirstLocation(t *testing.T) {
	f := open(t)
	first, second := f.second()
	got := f.do("GET /locations", nil)
	f.want(object{"l": got}, object{"l.0.id": first, "l.0.is_default": true, "l.0.priority": 0, "l.1.id": second, "l.1.is_default": false, "l.2": "absent"})
	f.want(f.object("GET /locations/"+first, nil), object{"id": first, "tags": array{"online", "offline"}, "address.verified_at": nil})
}
