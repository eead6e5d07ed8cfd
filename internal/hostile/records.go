package hostile

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Records plays documents against the decoder of each record, given as a pointer by the name of its good document. The
// documents are Shapes, and the good one spoiled and with great ids. A record that was read must be readable again
// after it was written. The records are read with EmptyTexts and LastWins as well.
func Records(t testing.TB, records map[string]any, document func(name string) []byte) {
	t.Helper()
	var all Tally
	great, twice, shapes := 0, 0, slices.Collect(shapesOfRecord)
	for _, name := range slices.Sorted(maps.Keys(records)) {
		kind, good := reflect.TypeOf(records[name]).Elem(), document(name)
		read := func(body []byte) (any, error) {
			v := reflect.New(kind).Interface()
			return v, wire.Unmarshal(body, v)
		}
		readable := func(body []byte) (v any, ok bool) {
			v, err := read(body)
			if err != nil && len(err.Error()) > 1000 {
				t.Errorf("%s: said in %d bytes: %.200v", name, len(err.Error()), err)
			}
			return v, err == nil
		}
		reader := Reader{Lax: true, Bytes: 4 << 20, Read: func(body []byte) bool {
			v, ok := readable(body)
			if !ok {
				return false
			}
			if back, err := wire.Marshal(v); err == nil {
				if _, err := read(back); err != nil {
					t.Errorf("%s of %.200q: written as %.200s: %v", name, body, back, err)
				}
			}
			return true
		}}
		// Shapes are up to a mebibyte, and cost what reading them once does.
		once := Reader{Lax: true, Read: func(body []byte) bool {
			_, ok := readable(body)
			return ok
		}}
		if !reader.Read(good) {
			t.Errorf("%s: refused as it is", name)
		}
		all = all.Add(reader.Play(t, Spoiled(ofRecord, good))).Add(once.Play(t, slices.Values(shapes)))
		twice += LastWins(t, kind, good)
		great += GreatIDs(t, good, func(body []byte) ([]byte, error) {
			v, err := read(body)
			if err != nil {
				return nil, err
			}
			return wire.Marshal(v)
		})
	}
	t.Logf("%d records: %v; %d great ids; %d members twice; %d pointers", len(records), all, great, twice, EmptyTexts(t, records))
}

// shapesOfRecord are Shapes, the large ones only where they do not take ten times as long.
func shapesOfRecord(yield func(Document) bool) {
	for d := range Shapes() {
		if (everywhere || len(d.Body) < 1000) && !yield(d) {
			return
		}
	}
}
