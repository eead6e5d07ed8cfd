package discountstest

import (
	"io"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/recording"
)

// Recorder records the carts that a handler receives. It writes each cart with its answer to Out, as a line of JSON.
// Requests and answers are passed on unchanged. Handler and Out must be set. It is safe for concurrent use and must
// not be copied.
//
// A recording contains no signature, no secret and no personal data. Properties of products, campaign parameters with
// free text, the texts of answers, and all strings and numbers that the contract does not name are replaced by others
// of the same form. Within one Recorder, equal values have equal replacements. Values that determine a discount are
// preserved: country, city, postal code, ids, amounts, quantities, choices of variants and coupons.
//
// The following are passed on but not recorded:
//
//   - calls that are not carts
//   - a body that is not JSON or larger than 4 MiB
//   - an answer larger than 1 MiB
//   - a body that the handler does not read to its end
type Recorder struct {
	Handler http.Handler
	Out     io.Writer
	// Keep lists paths of members to preserve with everything in them, such as "products.properties.size". "?v" is a
	// query parameter. Keep must not name personal data.
	Keep []string

	rec recording.Recorder
}

// ServeHTTP implements http.Handler.
func (r *Recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	kindOf := func(c recording.Call) (recording.Kind, string) { return c.Among(kinds()) }
	r.rec.Serve(w, req, recording.Setup{Handler: r.Handler, Out: r.Out, Keep: r.Keep, KindOf: kindOf})
}

// Err returns the first error of writing to Out. After it, nothing more is recorded.
func (r *Recorder) Err() error { return r.rec.Err() }

// kinds returns the kinds of calls of this package.
func kinds() []recording.Kind { return []recording.Kind{recording.Carts} }

// Record is one line of a recording.
type Record struct {
	At time.Time // when the call arrived
	// Target is the path with the query. A segment that could be a token is replaced.
	Target string
	Body   string        // of the call
	Status int           // of the answer
	Took   time.Duration // until the answer
	Answer string        // its body; empty if it was not JSON
}
