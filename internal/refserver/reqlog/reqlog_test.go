package reqlog

import "testing"

func TestKeepsTheLast(t *testing.T) {
	l := New(3)
	for range 5 {
		l.Add(Entry{ID: l.NextID()})
	}
	got := l.Entries()
	if len(got) != 3 || got[0].ID != 3 || got[2].ID != 5 {
		t.Errorf("got %v, want the entries 3 to 5", got)
	}
}
