package res_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"github.com/commerceplatform/commerce-go/internal/refserver/document"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

var observe = flag.Bool("observe", false, "add the forms of bodies to those that package document has stored")

// bodies are the forms of all accepted calls of the package.
var bodies = struct {
	sync.Mutex
	document.Observed
}{Observed: document.Observed{}}

// observe notes the bodies of an accepted call. The log has its operation. Proofs send other bodies in each run.
func (f *shop) observe(r *http.Request, request []byte, w *httptest.ResponseRecorder) {
	if w.Code < 200 || w.Code > 299 || strings.HasPrefix(f.Name(), "TestProof") {
		return
	}
	log := f.Requests()
	at := slices.IndexFunc(log, func(q traffic.Request) bool { return q.Method == r.Method && q.Path == r.URL.RequestURI() })
	bodies.Lock()
	defer bodies.Unlock()
	if r.URL.Query().Get("fields") == "" && at >= 0 {
		bodies.Note(log[at].Op, request, w.Body.Bytes())
	}
}

// undescribed returns the forms that the documents lack. With the flag, it adds them.
func undescribed() ([]string, error) {
	const root = "../../.."
	stored, err := document.ReadObserved(root)
	if err != nil {
		return nil, err
	}
	if *observe {
		stored.Add(bodies.Observed)
		return nil, stored.Write(root)
	}
	var out []string
	for _, what := range stored.Lacks(bodies.Observed) {
		out = append(out, fmt.Sprintf("%s: not in the documents: run go test ./internal/refserver/res -observe, then go test ./internal/refserver/document -update", what))
	}
	return out, nil
}
