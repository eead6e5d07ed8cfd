package hostile

import (
	"bytes"
	"fmt"
	"iter"
	"runtime/debug"
	"testing"
)

// Reader is what documents are played against.
type Reader struct {
	// Read reports whether the document was accepted: decoded without an error, or handed to the function of an app.
	Read func(body []byte) (accepted bool)
	// Lax is for a reader that may accept what is Unsafe.
	Lax bool
	// Bytes is what one document may have allocated. 0 means 32 MiB.
	Bytes uint64
}

// Tally is what became of documents.
type Tally struct {
	Documents, Accepted, Panics int
	Greatest                    Spent // by one of them
}

// String gives all of it in a line.
func (t Tally) String() string {
	return fmt.Sprintf("%d documents, %d accepted, %d panics, at most %.1f MiB and %v for one", t.Documents, t.Accepted, t.Panics, float64(t.Greatest.Bytes)/(1<<20), t.Greatest.Time)
}

// Add returns both.
func (t Tally) Add(other Tally) Tally {
	return Tally{t.Documents + other.Documents, t.Accepted + other.Accepted, t.Panics + other.Panics, t.Greatest.Max(other.Greatest)}
}

// Play reads each document. The test fails if one makes the reader panic, costs more than it may, or is accepted
// although it must be refused.
func (r Reader) Play(t testing.TB, documents iter.Seq[Document]) Tally {
	t.Helper()
	most := r.Bytes
	if most == 0 {
		most = 32 << 20
	}
	// Large documents in a small heap would have the collector run for every few of them.
	defer debug.SetGCPercent(debug.SetGCPercent(1000))
	var all Tally
	for d := range documents {
		accepted, spent, panicked := r.try(d.Body)
		all = all.Add(Tally{Documents: 1, Greatest: spent})
		if accepted {
			all.Accepted++
		}
		if panicked != nil {
			all.Panics++
			t.Errorf("%s: panic: %v", d.Name, panicked)
		}
		marked := r.Lax && bytes.HasPrefix(d.Body, []byte("\ufeff")) // answers of the platform may begin with a byte order mark
		if accepted && (d.Fault == Broken && !marked || d.Fault == Unsafe && !r.Lax) {
			t.Errorf("%s: accepted: %.200q", d.Name, d.Body)
		}
		if spent.Bytes > most {
			t.Errorf("%s: cost %v, want %d bytes at most", d.Name, spent, most)
		}
	}
	return all
}

func (r Reader) try(body []byte) (accepted bool, spent Spent, panicked any) {
	spent = Cost(func() {
		defer func() { panicked = recover() }()
		accepted = r.Read(body)
	})
	return accepted, spent, panicked
}
