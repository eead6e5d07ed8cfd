package paymentstest

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/commerceplatform/commerce-go/internal/recording"
)

// Result is the result of a replayed call.
type Result struct {
	Record Record        // with the ids of Sender.Map replaced in the bodies
	Status int           // 0 if there was no answer
	Answer []byte        // its body
	Took   time.Duration // until the answer
	Err    error         // why there was no answer; otherwise nil
	// Changes describes the differences in meaning from the recorded answer; empty if there are none.
	Changes []string
}

// Replay repeats the calls of a recording in their order, and calls each with each result. It skips other calls that
// the command record of internal/cmd/refserver records. It stops at the first error of the recording (which names the
// line), of each, or of ctx. A failure of the handler is not an error: see Result.
//
// Replay compares the status, the error_code of a rejected refund, and the number of transactions in a status answer.
func Replay(ctx context.Context, from io.Reader, to Sender, each func(r Result) error) error {
	err := to.sender().Replay(ctx, from, kinds(), func(r recording.Result) error {
		return each(Result{
			Record: recordOf(r.Record),
			Status: r.Answer.Status, Answer: r.Answer.Body, Took: r.Answer.Took, Err: r.Err, Changes: r.Changes,
		})
	})
	if err != nil {
		return fmt.Errorf("paymentstest: %w", err)
	}
	return nil
}

func recordOf(r recording.Record) Record {
	return Record{
		At: r.At, Operation: r.Operation, Target: r.Target,
		Body: r.Body, Status: r.Status, Took: r.Took, Answer: r.Answer,
	}
}
