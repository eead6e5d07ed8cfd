package traffic

import (
	"math"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

func TestKeepsTheLast(t *testing.T) {
	l := NewLog(3)
	for range 5 {
		l.Add(Request{ID: l.NextID()})
	}
	got := l.Entries()
	if len(got) != 3 || got[0].ID != 3 || got[2].ID != 5 {
		t.Errorf("got %v, want the entries 3 to 5", got)
	}
	newest := l.Part(work.Part{After: math.MaxInt64, Newest: true, Most: 2})
	if len(newest) != 2 || newest[0].Seq != 5 || newest[1].Seq != 4 {
		t.Errorf("got %v, want the entries 5 and 4", newest)
	}
	if later := l.Part(work.Part{After: 1, Most: 9}); len(later) != 3 || later[0].Seq != 3 || l.Last() != 5 {
		t.Errorf("got %v, want the entries 3 to 5", later)
	}
}
