package webhooktest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/recording"
)

// Recorder writes what arrives at a handler to Out, a line of JSON for each delivery, and passes it on byte by byte.
// Handler and Out must be set. It is safe for concurrent use and must not be copied.
//
// A recording has no signature, no secret and no personal data: e-mail addresses, telephone numbers, documents, and
// all texts and numbers that the contract does not name are replaced by others of the same form. Equal values have
// equal replacements in what one Recorder writes. Ids, times and statuses stay, so keep recordings from people who
// should not know them.
//
// A body that is no JSON, that has more than 4 MiB, or that the handler does not read to its end is passed on and not
// recorded.
type Recorder struct {
	Handler http.Handler
	Out     io.Writer
	// Keep are paths of members that stay as they are, with all that is in them: "customer.group", "plan". It must
	// name nothing personal.
	Keep []string

	rec recording.Recorder
}

// Record is one line of a recording.
type Record struct {
	At     time.Time // when it arrived
	Target string    // the path with the query; empty in a recording of an older release
	Status int       // that the handler answered
	// Body is the body if it is text, else Bytes has it. Only recordings of older releases have Bytes.
	Body  string
	Bytes []byte
}

// ServeHTTP implements http.Handler.
func (r *Recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.rec.Serve(w, req, recording.Setup{Handler: r.Handler, Out: r.Out, Keep: r.Keep, KindOf: kindOf})
}

// kindOf takes every call for a delivery, since that of another sender than the platform is a delivery to its handler
// too.
func kindOf(c recording.Call) (recording.Kind, string) {
	if c.Method != http.MethodPost {
		return "", ""
	}
	return recording.Deliveries, ""
}

// Err returns the first error of Out, after which nothing is recorded any more.
func (r *Recorder) Err() error { return r.rec.Err() }

// Replay delivers a recording in its order, signed again with the secret of the sender, and calls each with every
// record and the status that it was answered now. It passes over other calls than deliveries, which the command record
// of internal/cmd/refserver records too. It ends at the first error: of the recording, which names the line, of a
// delivery, or of each.
func Replay(ctx context.Context, from io.Reader, to Sender, each func(r Record, status int) error) error {
	for r, err := range recording.Read(from) {
		if err != nil {
			return fmt.Errorf("webhooktest: %w", err)
		}
		if r.Kind != "" && r.Kind != recording.Deliveries {
			continue
		}
		status, err := to.Deliver(ctx, r.Raw())
		if err != nil {
			return fmt.Errorf("webhooktest: recording, line %d: %w", r.Line, err)
		}
		if err := each(Record{r.At, r.Target, r.Status, r.Body, r.Bytes}, status); err != nil {
			return err
		}
	}
	return nil
}
