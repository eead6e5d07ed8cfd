package table

import (
	"strings"
	"sync"
	"sync/atomic"
)

// texts are the texts of many rows of a table, such as statuses and names of cities. Rows have their numbers. The
// zero value is empty and ready.
type texts struct {
	mu     sync.Mutex
	number map[string]int
	// seen are some texts that were written once.
	seen map[string]bool
	list atomic.Pointer[[]string] // by number; never changed in place
}

// Bounds of texts, so that they take little memory in a table where no text repeats.
const (
	mostTexts = 1024
	mostSeen  = 1024
	longText  = 64
)

// find returns the number of a text that is written again.
func (t *texts) find(s string) (int, bool) {
	if len(s) > longText {
		return 0, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if n, ok := t.number[s]; ok {
		return n, true
	}
	if !t.seen[s] || len(t.number) == mostTexts {
		if t.seen == nil || len(t.seen) == mostSeen {
			t.seen = make(map[string]bool)
		}
		t.seen[strings.Clone(s)] = true
		return 0, false
	}
	if t.number == nil {
		t.number = make(map[string]int)
	}
	s = strings.Clone(s)
	list := append(append([]string(nil), t.all()...), s)
	t.number[s] = len(list) - 1
	t.list.Store(&list)
	return len(list) - 1, true
}

// all are the texts by number.
func (t *texts) all() []string {
	if list := t.list.Load(); list != nil {
		return *list
	}
	return nil
}
