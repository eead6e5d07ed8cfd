package shipping

import (
	"bytes"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
)

// platformKey is the key as the contract lists it, of the document itself: carrier id, origin
// fields, destination fields, and for each item an MD5 of six members joined with colons.
func platformKey(t testing.TB, doc map[string]any) string {
	t.Helper()
	text := func(v any) string {
		if v == nil {
			return ""
		}
		return fmt.Sprint(v)
	}
	number := func(v any) string {
		if v == nil {
			return ""
		}
		f, err := strconv.ParseFloat(fmt.Sprint(v), 64)
		if err != nil {
			t.Fatal(err)
		}
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	parts := []string{text(doc["carrier"].(map[string]any)["id"])}
	origin, destination := doc["origin"].(map[string]any), doc["destination"].(map[string]any)
	for _, name := range []string{"name", "location_id", "address", "number", "floor", "locality", "city", "province", "country", "postal_code", "phone"} {
		parts = append(parts, text(origin[name]))
		if name != "location_id" {
			parts = append(parts, text(destination[name]))
		}
	}
	for _, raw := range doc["items"].([]any) {
		item := raw.(map[string]any)
		size, _ := item["dimensions"].(map[string]any)
		sum := md5.Sum([]byte(fmt.Sprintf("%s:%s:%s:%s:%s:%s", number(item["id"]), number(item["quantity"]), number(item["grams"]),
			number(size["width"]), number(size["height"]), number(size["depth"]))))
		parts = append(parts, string(sum[:]))
	}
	return fmt.Sprintf("%q", parts)
}

// generated is a random request whose members are often equal to those of another.
func generated(r *rand.Rand) map[string]any {
	pick := func(all ...any) any { return all[r.IntN(len(all))] }
	set := func(m map[string]any, name string, v any) {
		if v != "absent" {
			m[name] = v
		}
	}
	place := func() map[string]any {
		m := map[string]any{}
		for _, name := range []string{"name", "address", "number", "floor", "locality", "city", "province", "country", "postal_code", "phone"} {
			set(m, name, "a")
			if r.IntN(12) == 0 {
				set(m, name, pick("absent", nil, "", "b", "a:", json.Number("1"), "1", "ab", "\u0000", "ñ"))
			}
		}
		return m
	}
	number := func() any {
		if r.IntN(6) > 0 {
			return json.Number("12")
		}
		return pick(json.Number("12.0"), json.Number("1.2e1"), "12.00", json.Number("12.5"), json.Number("0"), json.Number("0.0"), json.Number("121"), nil, "absent")
	}
	item := func(id int) map[string]any {
		size := map[string]any{}
		for _, name := range []string{"width", "height", "depth"} {
			set(size, name, number())
		}
		m := map[string]any{
			"id": id, "product_id": r.IntN(2), "name": pick("x", "y", nil), "sku": pick(nil, "s"), "quantity": pick(1, 1, 1, "1", 2), "free_shipping": r.IntN(2) == 0,
			"grams": pick(350, 350, 350, "350", 35), "price": json.Number("20.00"), "cost": pick(nil, json.Number("1.5")), "dimensions": size,
		}
		if r.IntN(20) == 0 {
			m["id"] = strconv.Itoa(id)
		}
		return m
	}
	origin := place()
	set(origin, "location_id", pick("L", "L", "L", "M", nil, "absent", ""))
	items := []any{item(1)}
	if r.IntN(2) == 0 {
		items = append(items, item(2))
	}
	if len(items) > 1 && r.IntN(8) == 0 {
		items[0], items[1] = items[1], items[0]
	}
	return map[string]any{
		"cart_id": pick(nil, "1", "2"), "store_id": 123, "currency": pick("ARS", "BRL"), "language": pick("es", "pt"), "total_price": r.IntN(3),
		"origin": origin, "destination": place(), "items": items,
		"carrier": map[string]any{"id": pick("7", "7", "7", json.Number("7"), "8"), "name": pick("C", "D"), "options": pick([]any{}, nil)},
		"newer":   r.IntN(3),
	}
}

// alike is a copy of a request in which some members differ.
func alike(t testing.TB, r *rand.Rand, text []byte) map[string]any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var twin map[string]any
	if err := dec.Decode(&twin); err != nil {
		t.Fatal(err)
	}
	other := generated(r)
	for range r.IntN(3) {
		switch r.IntN(8) {
		case 0:
			twin["origin"] = other["origin"]
		case 1:
			twin["destination"] = other["destination"]
		case 2:
			twin["carrier"] = other["carrier"]
		case 3:
			twin["items"] = other["items"]
		case 4: // the end of a member moves to the next
			p := twin["destination"].(map[string]any)
			p["city"], p["province"] = fmt.Sprint(p["city"], "x"), "y"
		case 5:
			p := twin["destination"].(map[string]any)
			p["city"], p["province"] = fmt.Sprint(p["city"]), "xy"
		default:
			for _, name := range []string{"cart_id", "currency", "language", "total_price", "newer"} {
				twin[name] = other[name]
			}
		}
	}
	return twin
}

func encode(t testing.TB, doc map[string]any) []byte {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Two requests have equal keys here if and only if they have at the platform.
func TestKeysAreEqualWhereThePlatformsAre(t *testing.T) {
	seed := seeded(t)
	r := rand.New(rand.NewPCG(seed, 6))
	equal, different := 0, 0
	for n := range keyPairs {
		a := generated(r)
		text := encode(t, a)
		b := alike(t, r, text)
		var keys [2]Key
		for i, text := range [][]byte{text, encode(t, b)} {
			req, err := ReadRequest(text)
			if err != nil {
				t.Fatalf("seed %d, run %d: %s: %v", seed, n, text, err)
			}
			keys[i] = req.Key()
		}
		want := platformKey(t, a) == platformKey(t, b)
		if want {
			equal++
		} else {
			different++
		}
		if got := keys[0] == keys[1]; got != want {
			t.Fatalf("seed %d, run %d: equal here %v, at the platform %v\n%v\n%v", seed, n, got, want, a, b)
		}
	}
	if equal < keyPairs/10 || different < keyPairs/10 {
		t.Errorf("seed %d: %d equal, %d different: too few of one", seed, equal, different)
	}
	t.Logf("seed %d: %d pairs equal, %d different, none otherwise at the platform", seed, equal, different)
}

// The item's part is the contract's MD5, byte for byte.
func TestItemIsJoinedWithColons(t *testing.T) {
	req := read(t, document(t, "rate_request"))
	if got := string(req.Items[0].identity(nil)); got != "1479416655:2:350:12:10:10.5" {
		t.Errorf("got %s", got)
	}
	if got := string(req.Items[1].identity(nil)); got != "1479416656:1:1000:20:11:" {
		t.Errorf("got %s", got)
	}
}

func TestKeyIsAStableText(t *testing.T) {
	if got, want := read(t, document(t, "rate_request")).Key().String(), "9ab97711c3be061a5aaa2288b20f5e73"; got != want {
		t.Errorf("got %s, want %s: keys that were logged or stored before do not match any more", got, want)
	}
}

func TestKeyDoesNotAllocate(t *testing.T) {
	req := read(t, document(t, "rate_request"))
	var k Key
	if n := testing.AllocsPerRun(100, func() { k = req.Key() }); n > 0 {
		t.Errorf("%v allocations for %s", n, k)
	}
}
