package client

import (
	"reflect"
	"strings"
	"sync"
	"testing"
)

// A program that sees a Client compiles every generic type again that a field leads to, with all of its methods. Those
// of the API itself cannot be avoided.
func TestFieldsAreNotGeneric(t *testing.T) {
	seen := map[reflect.Type]bool{}
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
			if typ.PkgPath() != reflect.TypeFor[Client]().PkgPath() {
				return
			}
			for field := range typ.Fields() {
				walk(path+"."+field.Name, field.Type)
			}
		}
	}
	walk("Client", reflect.TypeFor[Client]())
	walk("List", reflect.TypeFor[Listing]())
	walk("Sync", reflect.TypeFor[syncing]())
	if !seen[reflect.TypeFor[failing]()] {
		t.Error("the breaker was not walked")
	}
}
