package shippingtest

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/commerceplatform/commerce-go/internal/recording"
)

// Result is what became of a recorded call that was made again.
type Result struct {
	Record Record        // with the ids of Sender.Map in the bodies
	Status int           // 0 if there was no answer
	Answer []byte        // its body
	Took   time.Duration // until the answer
	Err    error         // why there was no answer
	// Changes are what the answer means otherwise than the recorded one, in words; nothing if it means the same.
	Changes []string
}

// Replay makes the calls of a recording again, in their order, and calls each with what became of them. It passes over
// the other calls that the command record of internal/cmd/refserver records. It ends at the first error: of the
// recording, which names the line, of each, or of ctx. What the handler does is no error: see Result.
//
// The status is compared and, of rates, by type and code, the prices, the currency, and what the customer must give or
// may do. The order of rates, their texts and their dates are not compared. Of answers 207 about labels, the status
// and the code of each label are compared.
func Replay(ctx context.Context, from io.Reader, to Sender, each func(r Result) error) error {
	err := to.sender().Replay(ctx, from, kinds(), func(r recording.Result) error {
		return each(Result{
			Record: recordOf(r.Record),
			Status: r.Answer.Status, Answer: r.Answer.Body, Took: r.Answer.Took, Err: r.Err, Changes: r.Changes,
		})
	})
	if err != nil {
		return fmt.Errorf("shippingtest: %w", err)
	}
	return nil
}

// operation names a request for rates, which has no operation.
func operation(r recording.Record) string {
	if r.Kind == recording.Rates {
		return string(r.Kind)
	}
	return r.Operation
}

func recordOf(r recording.Record) Record {
	return Record{
		At: r.At, Operation: operation(r), Target: r.Target,
		Body: r.Body, Status: r.Status, Took: r.Took, Answer: r.Answer,
	}
}
