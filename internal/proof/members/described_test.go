package members_test

import (
	"flag"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proof/contract"
	"github.com/commerceplatform/commerce-go/internal/refserver/document"
)

var observe = flag.Bool("observe", false, "add the forms of bodies to those that package document has stored")

// described compares the calls of a shop with the files of the contract.
type described struct {
	checker *contract.Checker
	mu      sync.Mutex
	wrong   map[string]bool
	seen    document.Observed
}

// newDescribed reports at the end of the test what the files do not describe.
func newDescribed(t *testing.T) *described {
	t.Helper()
	checker, err := contract.New()
	must(t, err)
	d := &described{checker: checker, wrong: map[string]bool{}, seen: document.Observed{}}
	t.Cleanup(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if *observe {
			const root = "../../.."
			stored, err := document.ReadObserved(root)
			must(t, err)
			stored.Add(d.seen)
			must(t, stored.Write(root))
			return
		}
		for _, one := range slices.Sorted(maps.Keys(d.wrong)) {
			t.Errorf("the files of client/contract: %s", one)
		}
	})
	return d
}

// api compares a call of the API.
func (d *described) api(q *http.Request, request []byte, status int, answer []byte) {
	if q.URL.Query().Has("fields") {
		return
	}
	d.note(d.checker.API(q.Method, q.URL.Path, request, status, answer))
	if _, op := d.checker.Operation(q.Method, q.URL.Path); status < 300 && op != "" {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.seen.Note(op, request, answer)
	}
}

func (d *described) note(err error) {
	if err == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wrong[err.Error()] = true
}

// callNames are the calls of the platform by the paths of a partner.
var callNames = map[string]string{
	"/carts": "cart", "/rates": "rates", "/labels/generate": "labels_generate", "/labels/cancel": "labels_cancel",
	"/labels/suspension": "labels_suspension", "/labels/reactivate": "labels_reactivate", "/process": "payments_process",
	"/cancel": "payments_cancel", "/status": "payments_status", "/refunds": "payments_refund", "/refresh": "payments_refresh",
	"/hooks/store/redact": "store/redact", "/hooks/customers/redact": "customers/redact", "/hooks/customers/data_request": "customers/data_request",
}

// call compares a call of the platform. A webhook names its event in the body.
func (d *described) call(path, method string, request []byte, status int, answer []byte) {
	name := callNames[path]
	if _, rest, ok := strings.Cut(string(request), `"event":"`); ok && path == "/hooks" {
		name, _, _ = strings.Cut(rest, `"`)
	}
	d.note(d.checker.Call(name, method, request, status, answer))
}
