package discountstest

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
// Replay compares the status and the commands: the amounts by promotion and line, as a set, with 10.00 equal to 10.
// It does not compare the texts for customers, because a recording does not contain them.
func Replay(ctx context.Context, from io.Reader, to Sender, each func(r Result) error) error {
	err := to.sender().Replay(ctx, from, kinds(), func(r recording.Result) error {
		return each(Result{
			Record: recordOf(r.Record),
			Status: r.Answer.Status, Answer: r.Answer.Body, Took: r.Answer.Took, Err: r.Err, Changes: r.Changes,
		})
	})
	if err != nil {
		return fmt.Errorf("discountstest: %w", err)
	}
	return nil
}

func recordOf(r recording.Record) Record {
	return Record{
		At: r.At, Target: r.Target,
		Body: r.Body, Status: r.Status, Took: r.Took, Answer: r.Answer,
	}
}
