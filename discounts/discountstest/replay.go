package discountstest

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
// The status and the commands are compared: which promotion takes how much off which line, as a set, with 10.00 equal
// to 10. The texts that customers read are not compared, since a recording does not have them.
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
