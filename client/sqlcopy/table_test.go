package sqlcopy

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

// A table that lacks a field says which.
func TestTableRequires(t *testing.T) {
	full := func() *Table[client.Product] {
		return &Table[client.Product]{
			DB: new(sql.DB), Name: "product",
			List: func(context.Context, client.ID) (client.List[client.Product], error) {
				return client.List[client.Product]{}, nil
			},
			Put: func(context.Context, *sql.Tx, client.ID, *client.Product) error { return nil },
		}
	}
	if err := full().Mirror(1).check(); err != nil {
		t.Errorf("with all fields: %v", err)
	}
	for want, change := range map[string]func(*Table[client.Product]){
		"Mirror.DB: must be set":        func(b *Table[client.Product]) { b.DB = nil },
		"Table.Name: must be set":       func(b *Table[client.Product]) { b.Name = "" },
		"Mirror.Put: must be set":       func(b *Table[client.Product]) { b.Put = nil },
		`Mirror.Table "a; b": must be`:  func(b *Table[client.Product]) { b.Name = "a; b" },
		"Table.List: must be set":       func(b *Table[client.Product]) { b.List = nil },
		"Mirror.StoreID 0: must be set": func(*Table[client.Product]) {},
	} {
		b, store := full(), client.ID(1)
		change(b)
		if strings.Contains(want, "StoreID") {
			store = 0
		}
		_, err := b.Copy(t.Context(), store)
		if err == nil {
			err = b.Forget(t.Context(), store)
		}
		if !errors.Is(err, client.ErrValidation) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want ErrValidation with %q", err, want)
		}
	}
}
