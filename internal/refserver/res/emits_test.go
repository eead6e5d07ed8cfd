package res_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// ledger notes which events the operations caused, by "operation event".
type ledger struct {
	mu   sync.Mutex
	seen map[string]bool
}

// caused is filled by all tests of the package together.
var caused = ledger{seen: make(map[string]bool)}

// declared refuses events that the operation of the last call does not declare, and
// notes the others.
func (f *shop) declared(call string, events []world.Event) {
	f.Helper()
	if len(events) == 0 {
		return
	}
	log := f.Requests()
	id := log[len(log)-1].Op
	at := slices.IndexFunc(f.ops, func(op api.Op) bool { return op.ID == id })
	caused.mu.Lock()
	defer caused.mu.Unlock()
	for _, e := range events {
		if at < 0 || !slices.Contains(f.ops[at].Emits, e.Name) {
			f.Errorf("%s: %q emits %s, which it does not declare", call, id, e.Name)
		}
		caused.seen[id+" "+e.Name] = true
	}
}

// missing are the events that operations declare and no test has seen.
func (l *ledger) missing() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for _, op := range res.Ops() {
		for _, name := range op.Emits {
			if pair := op.ID + " " + name; !l.seen[pair] {
				out = append(out, pair)
			}
		}
	}
	return out
}

// everyEvent runs the tests, and wants them to have seen every declared event unless
// only some of them were run. The documents must describe each body.
type everyEvent struct{ *testing.M }

func (e everyEvent) Run() int {
	code := e.M.Run()
	unknown, err := undescribed()
	if err != nil {
		unknown = append(unknown, err.Error())
	}
	for _, one := range unknown {
		fmt.Fprintln(os.Stderr, one)
		code = max(code, 1)
	}
	for _, name := range []string{"test.run", "test.skip", "test.list"} {
		if flag.Lookup(name).Value.String() != "" {
			return code
		}
	}
	missing := caused.missing()
	for _, pair := range missing {
		fmt.Fprintln(os.Stderr, "declared, and emitted in no test:", pair)
	}
	if code == 0 && len(missing) > 0 {
		return 1
	}
	return code
}

// TestDeclaredEventsAreKnown: each is an event of the table, and stands once in its row.
func TestDeclaredEventsAreKnown(t *testing.T) {
	known := map[string]bool{}
	for _, e := range res.Events() {
		known[e.Name] = true
	}
	rows := map[string]bool{}
	for _, op := range res.Ops() {
		for i, name := range op.Emits {
			if !known[name] || slices.Contains(op.Emits[:i], name) {
				t.Errorf("%s declares %s, which is unknown or said twice", op.ID, name)
			}
			rows[name] = true
		}
		if !op.Writes() && len(op.Emits) > 0 {
			t.Errorf("%s declares %v and only reads", op.ID, op.Emits)
		}
	}
	maps.DeleteFunc(known, func(name string, _ bool) bool { return rows[name] })
	got := slices.Sorted(maps.Keys(known))
	// What no operation causes: the platform or the merchant does.
	want := []string{"app/resumed", "app/suspended", "app/uninstalled", "charge/failed", "charge/paid", "domain/updated", "order/in_preparation"}
	if !slices.Equal(got, want) {
		t.Errorf("no operation declares %v, want that of %v", got, want)
	}
}
