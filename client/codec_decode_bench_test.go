package client_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench"
)

// BenchmarkDecode reads full pages of the two large lists. The floor is encoding/json, see floorType.
func BenchmarkDecode(b *testing.B) {
	b.Run("products", decode[client.Product]("/products"))
	b.Run("orders", decode[client.Order]("/orders"))
}

func decode[T any](path string) func(*testing.B) {
	return func(b *testing.B) {
		page := bench.Page(b, path, client.MaxPerPage)
		c := benched(b, client.Config{})
		b.Run("ours", func(b *testing.B) {
			b.SetBytes(int64(len(page)))
			for b.Loop() {
				if items, err := client.DecodeList[T](b.Context(), c, page); err != nil || len(items) != client.MaxPerPage {
					b.Fatal(len(items), err)
				}
			}
		})
		b.Run("v1", func(b *testing.B) {
			records := reflect.SliceOf(floorType(reflect.TypeFor[T]()))
			b.SetBytes(int64(len(page)))
			for b.Loop() {
				items := reflect.New(records)
				if err := json.Unmarshal(page, items.Interface()); err != nil || items.Elem().Len() != client.MaxPerPage {
					b.Fatal(items.Elem().Len(), err)
				}
			}
		})
	}
}

// BenchmarkDecodeSize reads pages of 1, 10 and 100 times the same size.
func BenchmarkDecodeSize(b *testing.B) {
	c := benched(b, client.Config{})
	for _, size := range []int{2, 20, 200} {
		page := bench.Page(b, "/products", size)
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			for b.Loop() {
				if _, err := client.DecodeList[client.Product](b.Context(), c, page); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// floorType is what a program would declare that reads the record with encoding/json alone: the same fields in plain
// Go types, so that the library is compared and not our methods, which encoding/json would call. Amounts and times go
// to types with the least UnmarshalJSON that gives our values; what has no fixed form stays raw, and what we collect
// as unknown members is dropped.
func floorType(t reflect.Type) reflect.Type {
	switch t {
	case reflect.TypeFor[client.ID](), reflect.TypeFor[client.Int]():
		return reflect.TypeFor[int64]()
	case reflect.TypeFor[client.Money]():
		return reflect.TypeFor[floorMoney]()
	case reflect.TypeFor[client.Time](), reflect.TypeFor[client.CompletedAt]():
		return reflect.TypeFor[floorTime]()
	case reflect.TypeFor[client.Code](), reflect.TypeFor[client.Measure](), reflect.TypeFor[client.Decimal](), reflect.TypeFor[client.FulfillmentRef]():
		return reflect.TypeFor[string]()
	case reflect.TypeFor[client.Text]():
		return reflect.TypeFor[map[string]string]()
	case reflect.TypeFor[client.Object](), reflect.TypeFor[client.PickupDetails]():
		return reflect.TypeFor[json.RawMessage]()
	case reflect.TypeFor[uuid.UUID]():
		return t
	}
	switch t.Kind() {
	case reflect.Pointer:
		return reflect.PointerTo(floorType(t.Elem()))
	case reflect.Slice:
		return reflect.SliceOf(floorType(t.Elem()))
	case reflect.Struct:
		if object, ok := t.FieldByName("V"); ok { // of a Nullable
			return reflect.PointerTo(floorType(object.Type))
		}
		return reflect.StructOf(floorFields(t))
	}
	return t
}

// floorFields leaves to json.Number what comes as a number in one place and as a string in another, and to a string
// the texts that come in one language.
func floorFields(t reflect.Type) []reflect.StructField {
	var fields []reflect.StructField
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			fields = append(fields, floorFields(f.Type)...)
		case name == "" || !f.IsExported():
		case slices.Contains([]string{"store_id", "order_id", "variant_id", "quantity"}, name):
			fields = append(fields, reflect.StructField{Name: f.Name, Type: reflect.TypeFor[json.Number](), Tag: f.Tag})
		case strings.HasPrefix(name, "seo_"):
			fields = append(fields, reflect.StructField{Name: f.Name, Type: reflect.TypeFor[string](), Tag: f.Tag})
		default:
			fields = append(fields, reflect.StructField{Name: f.Name, Type: floorType(f.Type), Tag: f.Tag})
		}
	}
	return fields
}

type floorMoney struct{ client.Money }

func (m *floorMoney) UnmarshalJSON(data []byte) (err error) {
	m.Money, err = client.ParseMoney(strings.Trim(string(data), `"`))
	return err
}

type floorTime struct{ client.Time }

func (t *floorTime) UnmarshalJSON(data []byte) (err error) {
	switch data[0] {
	case '"':
		t.Time, err = client.ParseTime(string(data[1 : len(data)-1]))
	case '{':
		var object struct {
			Date string `json:"date"`
		}
		if err = json.Unmarshal(data, &object); err == nil {
			t.Time, err = client.ParseTime(object.Date)
		}
	}
	return err
}
