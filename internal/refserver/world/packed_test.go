package world_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Records of the types with a packed form are read as they were put, whatever is in them.
func TestPackedRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		kept(t, r, func(o *world.Order) int64 { o.ID = 1; return 1 })
		kept(t, r, func(c *world.Customer) int64 { c.ID = 1; return 1 })
		kept(t, r, func(f *world.FulfillmentOrder) string { f.ID = "1"; return "1" })
	}
}

// kept puts a random record and reads it in each way.
func kept[K interface{ int64 | string }, V any](t *testing.T, r *rand.Rand, key func(*V) K) {
	t.Helper()
	var put V
	fill(r, reflect.ValueOf(&put).Elem())
	id := key(&put)
	var records, none table.Table[K, V]
	for range 2 { // the second row refers to texts of the first
		if err := records.Put(id, put); err != nil {
			t.Fatal(err)
		}
	}
	got, ok := records.Get(id)
	all := []V{got, records.At(0), records.Values()[0]}
	for _, v := range records.All() {
		all = append(all, v)
	}
	for _, c := range records.Since(none) {
		all = append(all, c.After)
	}
	for _, e := range any(put).(table.Indexed).Indexes() {
		found, _ := records.Find(e.Index, e.Value)
		all = append(all, found)
	}
	if different := slices.IndexFunc(all, func(v V) bool { return !reflect.DeepEqual(v, put) }); !ok || different >= 0 {
		t.Fatalf("reading %d: got\n%+v\nwant\n%+v", different, all[different], put)
	}
	if !records.Delete(id) || records.Len() != 0 {
		t.Fatal("not deleted")
	}
	for _, e := range any(put).(table.Indexed).Indexes() {
		if records.Count(e.Index, e.Value) > 0 {
			t.Fatalf("%v is left", e)
		}
	}
}

// fill fills a third of the members with random values.
func fill(r *rand.Rand, v reflect.Value) {
	texts := []string{"", "ARS", "Ñandú \xff\x00", "paid", string(make([]byte, 300))}
	switch v.Interface().(type) {
	case time.Time:
		at := time.Unix(r.Int64N(1<<40)-1<<39, r.Int64N(1e9))
		zones := []*time.Location{time.UTC, time.Local, time.FixedZone("", -3*60*60), time.FixedZone("ART", -3*60*60)}
		v.Set(reflect.ValueOf(at.In(zones[r.IntN(len(zones))])))
		return
	case decimal.Decimal:
		v.Set(reflect.ValueOf(decimal.New(r.Int64()-r.Int64(), r.Int32N(9)-4)))
		if r.IntN(9) == 0 {
			v.Set(reflect.ValueOf(decimal.RequireFromString("12345678901234567890.1234567890123456789")))
		}
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(texts[r.IntN(len(texts))])
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(r.Int64() - r.Int64())
	case reflect.Uint8:
		v.SetUint(uint64(r.IntN(256)))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(r, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(3), 3))
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(3) {
			key, element := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(r, key)
			fill(r, element)
			v.SetMapIndex(key, element)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if r.IntN(3) == 0 {
				fill(r, v.Field(i))
			}
		}
	}
}
