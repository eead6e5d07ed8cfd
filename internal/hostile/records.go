package hostile

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Records plays the good document of each record, given as a pointer by the name of the document, against
// wire.Unmarshal. See [RecordsBy].
func Records(t testing.TB, records map[string]any, document func(name string) []byte) {
	t.Helper()
	RecordsBy(t, records, document, everywhere, func(body []byte, record any) error { return wire.Unmarshal(body, record) })
}

// RecordsBy plays the good document of each record, given as a pointer by the name of the document, against a reader.
// The documents are spoiled at each byte and member, or at some of them, and have great ids. Shapes are played against
// it too. A record that was read must be readable again after it was written. The records are read with EmptyTexts and
// LastWins as well.
func RecordsBy(t testing.TB, records map[string]any, document func(name string) []byte, everywhere bool, by func(body []byte, record any) error) {
	t.Helper()
	some, shapes := ofRecord/10, slices.Collect(smallShapes)
	if everywhere {
		some, shapes = ofRecord, slices.Collect(Shapes())
	}
	var all Tally
	great, twice := 0, 0
	for _, name := range slices.Sorted(maps.Keys(records)) {
		kind, good := reflect.TypeOf(records[name]).Elem(), document(name)
		read := func(body []byte) (any, error) {
			v := reflect.New(kind).Interface()
			return v, by(body, v)
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
		all = all.Add(reader.Play(t, spoiled(some, good, everywhere))).Add(once.Play(t, slices.Values(shapes)))
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

// ofRecord is how many documents RecordsBy makes of one at least, if they are spoiled everywhere.
const ofRecord = 2000

// smallShapes are the Shapes that do not take the race detector long.
func smallShapes(yield func(Document) bool) {
	for d := range Shapes() {
		if len(d.Body) < 1000 && !yield(d) {
			return
		}
	}
}
