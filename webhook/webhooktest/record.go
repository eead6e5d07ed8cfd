package webhooktest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/recording"
)

// Recorder writes the deliveries of a handler to Out, one line of JSON each, and passes them on unchanged. Handler and
// Out must be set. It is safe for concurrent use and must not be copied.
//
// A recording has no signature, no secret and no personal data. E-mail addresses, telephone numbers, documents, and all
// texts and numbers that the contract does not name are replaced by others of the same form. Equal values have equal
// replacements within one Recorder. Ids, times and statuses stay, so give recordings only to people who may know them.
//
// A delivery is passed on but not recorded if its body is not JSON, has more than 4 MiB, or is not read to its end by
// the handler.
type Recorder struct {
	Handler http.Handler
	Out     io.Writer
	// Keep are paths of members that stay unchanged, with all members in them: "customer.group", "plan". It must not
	// name personal data.
	Keep []string

	rec recording.Recorder
}

// Record is one line of a recording.
type Record struct {
	At     time.Time // when it arrived
	Target string    // path and query
	Status int       // the answer of the handler
	Body   string    // of the delivery
}

// ServeHTTP implements http.Handler.
func (r *Recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.rec.Serve(w, req, recording.Setup{Handler: r.Handler, Out: r.Out, Keep: r.Keep, KindOf: kindOf})
}

// kindOf classifies every call as a delivery, because the handler gets calls of other senders as deliveries too.
func kindOf(c recording.Call) (recording.Kind, string) {
	if c.Method != http.MethodPost {
		return "", ""
	}
	return recording.Deliveries, ""
}

// Err returns the first error of Out. After it, no delivery is recorded.
func (r *Recorder) Err() error { return r.rec.Err() }

// Replay delivers a recording in its order, signed with the secret of the sender. It calls each with every record and
// the status of its new answer. It skips calls that are not deliveries, which the command record of
// internal/cmd/refserver records too. It ends at the first error of the recording (which names the line), of a
// delivery, or of each. A recording without a delivery is an error too, because nothing was checked.
func Replay(ctx context.Context, from io.Reader, to Sender, each func(r Record, status int) error) error {
	for r, err := range recording.Calls(from, recording.Deliveries) {
		if err != nil {
			return fmt.Errorf("webhooktest: %w", err)
		}
		status, err := to.Deliver(ctx, []byte(r.Body))
		if err != nil {
			return fmt.Errorf("webhooktest: recording, line %d: %w", r.Line, err)
		}
		if err := each(Record{r.At, r.Target, r.Status, r.Body}, status); err != nil {
			return err
		}
	}
	return nil
}
