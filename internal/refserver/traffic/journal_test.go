package traffic

import (
	"math"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// all keeps every entry.
func all(*Entry) bool { return true }

func TestJournal(t *testing.T) {
	j := NewJournal(3)
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		j.Add(Entry{Kind: KindCart, Name: name})
	}
	if totals := j.Totals(); totals.Entries != 5 || totals.Kept != 3 || totals.Kinds[KindCart] != 5 {
		t.Errorf("got %+v", totals)
	}
	for id, there := range map[int64]bool{0: false, 2: false, 3: true, 5: true, 6: false, -1: false} {
		if e, ok := j.Find(id); ok != there || ok && e.ID != id {
			t.Errorf("%d: got %v, %v", id, e.ID, ok)
		}
	}
	for _, c := range []struct {
		part work.Part
		want string
	}{
		{work.Part{Most: 9}, "cde"},
		{work.Part{After: 3, Most: 1}, "d"},
		{work.Part{After: 5, Most: 9}, ""},
		{work.Part{After: math.MaxInt64, Newest: true, Most: 2}, "ed"},
		{work.Part{After: 4, Newest: true, Most: 9}, "c"},
	} {
		some, looked, last := j.Part(c.part, all)
		got := ""
		for _, e := range some {
			got += e.Name
		}
		if got != c.want || looked != len(some) || looked > 0 && last != some[looked-1].ID {
			t.Errorf("%+v: got %q, %d, %d, want %q", c.part, got, looked, last, c.want)
		}
	}
}

// A follower sees each entry once in its last form, however often it has changed, and also changes of old entries.
func TestJournalFollows(t *testing.T) {
	j := NewJournal(100)
	for range 100 {
		j.Add(Entry{State: StateWaiting})
	}
	begun := j.Mark()
	for range 5000 { // more than are remembered
		j.Change(7, func(e *Entry) { e.Tries++ })
	}
	j.Change(3, func(e *Entry) { e.State = StateDelivered })
	j.Change(1000, func(*Entry) { t.Error("an entry that there is none of was changed") })
	got := j.Since(begun, 10)
	if len(got) != 2 || got[0].ID != 7 || got[0].Tries != 5000 || got[1].ID != 3 || got[1].State != StateDelivered {
		t.Errorf("got %+v", got)
	}
	if n := len(j.Since(0, 1000)); n != 100 {
		t.Errorf("%d entries in all, want 100", n)
	}
	if n := len(j.changes.Since(0)); n > 300 {
		t.Errorf("%d changes are remembered", n)
	}
	if some, _, _ := j.Part(work.Part{Most: 9}, func(e *Entry) bool { return e.Has("delivered") }); len(some) != 1 {
		t.Errorf("got %+v", some)
	}
}

// A span has the entries made within it, and earlier entries for which an app was called then.
func TestSpans(t *testing.T) {
	j := NewJournal(10)
	before := j.Add(Entry{Begun: j.Mark()})
	from := j.Mark()
	within := j.Add(Entry{Begun: j.Mark()})
	call := Span{From: j.Mark(), To: j.Mark()}
	j.Change(before, func(e *Entry) { e.Spans = append(e.Spans, call) })
	span := Span{From: from, To: j.Mark()}
	after := j.Add(Entry{Begun: j.Mark()})
	for id, want := range map[int64][2]bool{before: {false, true}, within: {true, false}, after: {false, false}} {
		e, _ := j.Find(id)
		if got := [2]bool{span.Made(&e), span.Called(&e)}; got != want {
			t.Errorf("%d: made and called %v, want %v", id, got, want)
		}
	}
}

// The bodies of the oldest requests are dropped when there are too many bytes.
func TestBodiesAreBounded(t *testing.T) {
	l := NewLog(20)
	for range 50 {
		l.Add(Request{Body: make([]byte, mostBodies/20), Answer: make([]byte, mostBodies/20), Header: http.Header{"A": {"b"}}})
	}
	for i, r := range l.Entries() {
		if kept := i >= 10; r.Stripped == kept || kept != (len(r.Body) > 0) || kept != (r.Header != nil) || r.Seq != int64(31+i) {
			t.Errorf("%d: request %d has %d bytes, stripped %v", i, r.Seq, len(r.Body), r.Stripped)
		}
	}
	if l.bodies > mostBodies {
		t.Errorf("%d bytes are counted", l.bodies)
	}
}
