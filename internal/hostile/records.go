package hostile

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Records plays the good document of each record, given as a pointer by the name of the document, against its decoder: spoiled, and
// with great ids. What is read must be read again after it was written.
func Records(t testing.TB, records map[string]any, document func(name string) []byte) {
	t.Helper()
	var all Tally
	great := 0
	for _, name := range slices.Sorted(maps.Keys(records)) {
		kind, good := reflect.TypeOf(records[name]).Elem(), document(name)
		read := func(body []byte) (any, error) {
			v := reflect.New(kind).Interface()
			return v, wire.Unmarshal(body, v)
		}
		reader := Reader{Lax: true, Bytes: 4 << 20, Read: func(body []byte) bool {
			v, err := read(body)
			if err != nil {
				if len(err.Error()) > 1000 {
					t.Errorf("%s: said in %d bytes: %.200v", name, len(err.Error()), err)
				}
				return false
			}
			if back, err := wire.Marshal(v); err == nil {
				if _, err := read(back); err != nil {
					t.Errorf("%s of %.200q: written as %.200s: %v", name, body, back, err)
				}
			}
			return true
		}}
		if !reader.Read(good) {
			t.Errorf("%s: refused as it is", name)
		}
		all = all.Add(reader.Play(t, Spoiled(ofRecord, good)))
		great += GreatIDs(t, good, func(body []byte) ([]byte, error) {
			v, err := read(body)
			if err != nil {
				return nil, err
			}
			return wire.Marshal(v)
		})
	}
	t.Logf("%d records: %v; %d great ids", len(records), all, great)
}
