package wire

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// shelf is a record with all that shares memory with other records of a document.
type shelf struct {
	ID    int64     `json:"id"`
	Name  string    `json:"name"`
	Label *string   `json:"label"`
	Size  *digits   `json:"size"`
	Open  *bool     `json:"open"`
	Codes []digits  `json:"codes"`
	Boxes []box     `json:"boxes"`
	Below *shelf    `json:"below"`
	Wide  *[64]byte `json:"wide"` // too large for slabs
}

type box struct {
	Label *string  `json:"label"`
	Inner []box    `json:"inner"`
	Codes []digits `json:"codes"`
}

func shelfForms() *Forms {
	return NewForms(Lists[digits](), Lists[box](), Reads(func(r *Reader, d *digits) bool {
		text, ok := r.Scalar()
		*d = digits(r.Keep(text))
		return ok
	}))
}

// shelves is a document of n records, of which each has texts that no other one has.
func shelves(n int) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,{"id":%[1]d,"name":"shelf %[1]d","label":"%[2]s %[1]d",`, i, strings.Repeat("x", i%300))
		fmt.Fprintf(&b, `"size":"%d","open":%v,"codes":[%s],`, i, i%2 == 0, codes(i, i%7))
		fmt.Fprintf(&b, `"boxes":[{"label":"box %[1]d","inner":[{"label":"in %[1]d","codes":[%[1]d]},{}],"codes":[]},`, i)
		fmt.Fprintf(&b, `{"label":"red","codes":[%s]}],`, codes(i, 2))
		fmt.Fprintf(&b, `"below":{"id":1,"name":"below %d","label":"red"},"more":"shared"}`, i)
	}
	return []byte("[" + b.String()[1:] + "]")
}

func codes(from, n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint(from+i))
	}
	return strings.Join(all, ",")
}

func readShelves(t *testing.T, f *Forms, document []byte) []shelf {
	t.Helper()
	var all []shelf
	if !f.UnmarshalList(document, &all, 1<<20) {
		t.Fatal("refused")
	}
	return all
}

// TestRecordsShareNothing: values of several records are in one piece of memory, and a change of one does not show in
// the others.
func TestRecordsShareNothing(t *testing.T) {
	document := shelves(300)
	var want []shelf
	if err := Unmarshal(document, &want); err != nil {
		t.Fatal(err)
	}
	f := shelfForms()
	var all sync.WaitGroup
	for odd := range 2 { // two goroutines at a time: documents share no memory either
		all.Go(func() {
			got := readShelves(t, f, document)
			if !reflect.DeepEqual(got, want) {
				t.Error("the forms read another value")
				return
			}
			for i := range got {
				if i%2 == odd {
					spoil(&got[i])
				}
			}
			for i := range got {
				if i%2 != odd && !reflect.DeepEqual(got[i], want[i]) {
					t.Errorf("record %d changed with its neighbours:\n%+v, want\n%+v", i, got[i], want[i])
					return
				}
			}
		})
	}
	all.Wait()
}

func spoil(s *shelf) {
	label, size := "spoiled", digits("spoiled")
	*s.Label, *s.Size, *s.Open, s.Below.Name = label, size, !*s.Open, label
	*s.Below.Label = label
	*s.Boxes[0].Inner[0].Label = label
	for range 40 {
		s.Codes = append(s.Codes, size)
		s.Boxes[1].Codes = append(s.Boxes[1].Codes, size)
		s.Boxes[0].Codes = append(s.Boxes[0].Codes, size)
		s.Boxes[0].Inner = append(s.Boxes[0].Inner, box{Label: &label})
		s.Boxes = append(s.Boxes, box{Label: &label})
	}
	for i := range s.Codes {
		s.Codes[i] = size
	}
}

// TestListsHaveNoRoom: a list from a slab has the room of its items alone, so append never writes into the next one.
func TestListsHaveNoRoom(t *testing.T) {
	for i, s := range readShelves(t, shelfForms(), shelves(300)) {
		for _, b := range s.Boxes {
			if n := len(b.Codes); n > 0 && n < 3 && cap(b.Codes) > 2*n {
				t.Fatalf("record %d: %d codes with room for %d", i, n, cap(b.Codes))
			}
		}
	}
}

// inUse returns how many bytes more are in use while what keep returns is kept.
func inUse(keep func() any) int64 {
	least := int64(1 << 60)
	for range 3 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.GC() // empties pools
		runtime.ReadMemStats(&before)
		kept := keep()
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(kept)
		least = min(least, int64(after.HeapAlloc)-int64(before.HeapAlloc))
	}
	return least
}

// TestKeptValuesKeepLittle: a value keeps the block or the slab that it is in, and a record a few of them.
func TestKeptValuesKeepLittle(t *testing.T) {
	f, document := shelfForms(), shelves(600)
	readShelves(t, f, document)
	for name, tt := range map[string]struct {
		keep func(all []shelf) any
		most int64
	}{
		"nothing": {func([]shelf) any { return nil }, 1 << 10},
		"text":    {func(all []shelf) any { return all[300].Name }, 4 << 10},
		"pointer": {func(all []shelf) any { return all[300].Size }, 8 << 10},
		"list":    {func(all []shelf) any { return all[300].Codes }, 16 << 10},
		"record":  {func(all []shelf) any { return all[300] }, 12 << 10},
	} {
		got := inUse(func() any { return tt.keep(readShelves(t, f, document)) })
		if got > tt.most {
			t.Errorf("%s: %d bytes are kept, want %d at most", name, got, tt.most)
		}
		t.Logf("%s: %d bytes are kept", name, got)
	}
}

// TestSlabsFollowTheValues: what slabs and blocks have room for is a small multiple of what there is.
func TestSlabsFollowTheValues(t *testing.T) {
	f := shelfForms()
	pad := strings.Repeat(" ", longDocument)
	for _, tt := range []struct {
		name, document string
		most           int64
	}{
		{"one of each", `[{"label":"x","size":"1","open":true,"codes":[1],"boxes":[{"label":"x"}],"below":{}}]` + pad, 3 << 10},
		{
			"lists of one after a long one",
			`[{"codes":[` + codes(1000, 1000) + `]}` + strings.Repeat(`,{"codes":[1]}`, 100) + `]`, 100 << 10,
		},
	} {
		got := inUse(func() any {
			return readShelves(t, f, []byte(tt.document))
		})
		if got > tt.most {
			t.Errorf("%s: %d bytes are kept, want %d at most", tt.name, got, tt.most)
		}
	}
}

// TestSharedTextsKeepNoBlock: a text that was met in many records does not keep what stood around it in the first.
func TestSharedTextsKeepNoBlock(t *testing.T) {
	const n = 300
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"codes":[%d`, i)
		for j := range 10 {
			fmt.Fprintf(&b, `,"%s%d"`, strings.Repeat("x", 200), 10*i+j)
		}
		b.WriteString("]},")
	}
	document := []byte("[" + b.String() + `{"codes":[` + codes(0, n) + "]}]")
	f := shelfForms()
	readShelves(t, f, document)
	if got, most := inUse(func() any { return readShelves(t, f, document)[n].Codes }), int64(64<<10); got > most {
		t.Errorf("%d codes keep %d bytes, want %d at most", n, got, most)
	}
}

// TestListsThatMoveLeaveNothing: the memory that a list outgrew holds nothing of it, and is used again.
func TestListsThatMoveLeaveNothing(t *testing.T) {
	pad, long := strings.Repeat(" ", longDocument), strings.Repeat("x", 10_000)
	document := strings.Repeat(`{"codes":[1]},`, 7) + `{"codes":[1`
	for range 50 {
		document += `,"` + long + `"`
	}
	f := shelfForms()
	if got := inUse(func() any {
		return readShelves(t, f, []byte("["+document+`]},{"codes":[2]},{"codes":[2]}]`+pad))[9].Codes
	}); got > 16<<10 {
		t.Errorf("a code keeps %d bytes, want 16 KiB at most", got)
	}
}
