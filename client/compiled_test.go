package client

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// A program that sees a Client compiles every generic type again that a field leads to, with all of its methods. Those
// of the API itself cannot be avoided.
func TestFieldsAreNotGeneric(t *testing.T) {
	seen, ours := map[reflect.Type]bool{}, map[string]bool{reflect.TypeFor[Client]().PkgPath(): true, reflect.TypeFor[engine.Core]().PkgPath(): true}
	var walk func(path string, typ reflect.Type)
	walk = func(path string, typ reflect.Type) {
		if seen[typ] {
			return
		}
		seen[typ] = true
		if strings.Contains(typ.Name(), "[") || typ == reflect.TypeFor[sync.Map]() {
			t.Errorf("%s is a %s", path, typ)
		}
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
			walk(path, typ.Elem())
		case reflect.Map:
			walk(path, typ.Key())
			walk(path, typ.Elem())
		case reflect.Struct:
			if !ours[typ.PkgPath()] {
				return
			}
			for field := range typ.Fields() {
				walk(path+"."+field.Name, field.Type)
			}
		}
	}
	walk("Client", reflect.TypeFor[Client]())
	walk("List", reflect.TypeFor[engine.Listing]())
	walk("Sync", reflect.TypeFor[syncing]())
	if !slices.ContainsFunc(slices.Collect(maps.Keys(seen)), func(typ reflect.Type) bool { return typ.Name() == "failing" }) {
		t.Error("the breaker was not walked")
	}
}
