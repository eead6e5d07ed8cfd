package paymentstest

import (
	"io"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/recording"
)

// Recorder records the platform's calls that a payment app receives. It writes each call with its answer to Out, as a
// line of JSON. Requests and answers are passed on unchanged. Handler and Out must be set. It is safe for concurrent
// use and must not be copied.
//
// A recording contains no signature, no secret and no personal data. Card data, customers, addresses, and all strings
// and numbers that the contract does not name are replaced by others of the same form. Within one Recorder, equal
// values have equal replacements. Ids, amounts and payment methods are preserved. A refresh of credentials is never
// recorded.
//
// The following are passed on but not recorded:
//
//   - other calls
//   - a body that is not JSON or larger than 4 MiB
//   - an answer larger than 1 MiB
//   - a body that the handler does not read to its end
type Recorder struct {
	Handler http.Handler
	Out     io.Writer
	// Keep lists paths of members to preserve with everything in them, such as "order.channel". "?v" is a query
	// parameter. Keep must not name personal data.
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
func kinds() []recording.Kind { return []recording.Kind{recording.Payments} }

// Record is one line of a recording.
type Record struct {
	At time.Time // when the call arrived
	// Operation is refund, process, cancel or status.
	Operation string
	// Target is the path with the query. A segment that could be a token is replaced.
	Target string
	Body   string        // of the call
	Status int           // of the answer
	Took   time.Duration // until the answer
	Answer string        // its body; empty if it was not JSON
}
