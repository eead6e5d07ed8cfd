package members_test

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// filler makes values in which no field is zero.
type filler struct {
	// without has paths of fields that stay zero, "ProductInput.Variants[].Price", and texts of others,
	// "Update.Status=won".
	without []string
	other   string   // the path of a field that has another value than usual
	paths   []string // of the fields without fields of their own, in order
	types   map[reflect.Type]bool
}

func newFiller(without []string) *filler {
	return &filler{without: without, types: map[reflect.Type]bool{}}
}

// value returns a value of t that is filled, field by field.
func (f *filler) value(t reflect.Type, path string) reflect.Value {
	v := reflect.New(t).Elem()
	if slices.Contains(f.without, path) {
		return v
	}
	if two, ok := wholes[path]; ok {
		return f.whole(two, path)
	}
	if two, ok := fixed[t]; ok {
		f.types[t] = true
		return f.whole(two, path)
	}
	if t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Opt[") {
		f.optional(v, path)
		return v
	}
	switch t.Kind() {
	case reflect.Struct:
		f.types[t] = true
		for i := range t.NumField() {
			field := t.Field(i)
			if field.IsExported() && field.Type != reflect.TypeFor[client.Extra]() && field.Tag.Get("json") != "-" {
				at := path + "." + field.Name
				if field.Anonymous {
					at = path
				}
				v.Field(i).Set(f.value(field.Type, at))
			}
		}
	case reflect.Slice:
		v.Set(reflect.Append(v, f.value(t.Elem(), path+"[]")))
	case reflect.Func: // an iter.Seq
		one := f.value(t.In(0).In(0), path+"[]")
		v.Set(reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
			args[0].Call([]reflect.Value{one})
			return nil
		}))
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(f.key(t.Key(), path), f.value(t.Elem(), path+"[]"))
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(f.value(t.Elem(), path))
	default:
		f.leaf(path)
		f.scalar(v, path)
	}
	return v
}

// whole is a field that is not filled by its own fields: one of two values.
func (f *filler) whole(two [2]any, path string) reflect.Value {
	f.leaf(path)
	if path == f.other {
		return reflect.ValueOf(two[1])
	}
	return reflect.ValueOf(two[0])
}

func (f *filler) leaf(path string) { f.paths = append(f.paths, path) }

func (f *filler) scalar(v reflect.Value, path string) {
	n := 0
	if path == f.other {
		n = 1
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(textsOf(v.Type(), path)[n])
		for _, text := range f.without {
			if of, text, ok := strings.Cut(text, "="); ok && of == path && n == 0 {
				v.SetString(text)
			}
		}
	case reflect.Bool:
		v.SetBool(n == 0)
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(int64(1 + n))
	case reflect.Float64:
		v.SetFloat(1.5 + float64(n))
	case reflect.Interface:
		if v.Type() == reflect.TypeFor[io.ReaderAt]() { // the picture of an upload
			v.Set(reflect.ValueOf(strings.NewReader([]string{"\x89PNG\r\n\x1a\n", "\xff\xd8\xff"}[min(n, 1)])))
			return
		}
		v.Set(reflect.ValueOf(map[string]any{"key": n}))
	default:
		panic(fmt.Sprintf("%s: a %s cannot be filled", path, v.Type()))
	}
}

// textsOf returns two texts for a field: those of its path, of its type, or of the ending of its name.
func textsOf(t reflect.Type, path string) [2]string {
	for _, name := range []string{path, t.String()} {
		if two, ok := texts[name]; ok {
			return two
		}
	}
	for ending, two := range byEnding {
		if strings.HasSuffix(path, ending) {
			return two
		}
	}
	return [2]string{"text", "other text"}
}

func (f *filler) key(t reflect.Type, path string) reflect.Value {
	key := reflect.New(t).Elem()
	f.scalar(key, path+"{}")
	return key
}

// optional fills a client.Opt through its JSON, because its fields are not exported.
func (f *filler) optional(v reflect.Value, path string) {
	get, _ := v.Type().MethodByName("Get")
	raw, err := wire.Marshal(f.value(get.Type.Out(0), path).Interface())
	if err == nil {
		err = json.Unmarshal(raw, v.Addr().Interface())
	}
	if err != nil {
		panic(fmt.Sprintf("%s: %v", path, err))
	}
}
