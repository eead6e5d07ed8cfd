package discountstest

import (
	"io"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/recording"
)

// Recorder writes the carts that arrive at a handler to Out, with the answers, a line of JSON for each. It passes
// everything on byte by byte. Handler and Out must be set. It is safe for concurrent use and must not be copied.
//
// A recording has no signature, no secret and no personal data: properties of products, parameters of campaigns that
// can hold anything, the texts of answers, and all texts and numbers that the contract does not name are replaced by
// others of the same form. Equal values have equal replacements in what one Recorder writes. What decides a discount
// stays: country, city, postal code, ids, amounts, quantities, choices of variants, coupons.
//
// Calls that are no carts, a body that is no JSON or has more than 4 MiB, an answer of more than 1 MiB, and a body
// that the handler does not read to its end are passed on and not recorded.
type Recorder struct {
	Handler http.Handler
	Out     io.Writer
	// Keep are paths of members that stay as they are, with all that is in them, such as "products.properties.size";
	// "?v" is a parameter of the query. It must name nothing personal.
	Keep []string

	rec recording.Recorder
}

// ServeHTTP implements http.Handler.
func (r *Recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	kindOf := func(c recording.Call) (recording.Kind, string) { return c.Among(kinds()) }
	r.rec.Serve(w, req, recording.Setup{Handler: r.Handler, Out: r.Out, Keep: r.Keep, KindOf: kindOf})
}

// Err returns the first error of Out, after which nothing is recorded any more.
func (r *Recorder) Err() error { return r.rec.Err() }

// kinds are the calls of this package.
func kinds() []recording.Kind { return []recording.Kind{recording.Carts} }

// Record is one line of a recording.
type Record struct {
	At time.Time // when the call arrived
	// Target is the path with the query. A segment that could be a token is replaced.
	Target string
	Body   string        // of the call
	Status int           // of the answer
	Took   time.Duration // until the answer
	Answer string        // its body; empty if it was no JSON
}
