package recording

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
)

// Result is what became of a recorded call that was made again.
type Result struct {
	Numbered // with the ids of this app in the bodies
	Answer   Answer
	// Err is why there is no answer. It wraps ErrNoAnswer.
	Err error
	// Changes are what the answer means otherwise; nothing if it means the same.
	Changes []string
}

// Again makes a recorded call again and compares the answer. It fails if the call cannot be made, not because of the
// app.
func (s Sender) Again(ctx context.Context, r Numbered) (Result, error) {
	mapped := s.Mapped(r.Record)
	out := Result{Numbered: Numbered{r.Line, mapped}}
	out.Target = r.Target // a segment may be mapped to a token
	var err error
	if out.Answer, err = s.Send(ctx, mapped); errors.Is(err, ErrNoAnswer) {
		out.Err, out.Changes = err, []string{err.Error()}
		return out, nil
	}
	if err != nil {
		return out, err
	}
	out.Changes = Differences(mapped, out.Answer.Status, out.Answer.Body)
	return out, nil
}

// ErrNoCalls is wrapped by the error of a recording that has no call of the kinds that are replayed: a replay that
// checked nothing must not pass.
var ErrNoCalls = errors.New("no call was replayed")

// NoCalls returns the error of a recording without calls of some kinds.
func NoCalls(kinds []Kind) error {
	return fmt.Errorf("%w: the recording has none of the kinds %q", ErrNoCalls, kinds)
}

// Calls returns the records of some kinds, and ends with the first error of the recording, or with ErrNoCalls.
func Calls(from io.Reader, kinds ...Kind) iter.Seq2[Numbered, error] {
	return func(yield func(Numbered, error) bool) {
		some := false
		for r, err := range Read(from) {
			if err == nil && !slices.Contains(kinds, r.Kind) {
				continue
			}
			if some = true; !yield(r, err) {
				return
			}
		}
		if !some {
			yield(Numbered{}, NoCalls(kinds))
		}
	}
}

// Replay makes the calls of some kinds again, in their order, and calls each with what became of them. It
// ends at the first error: of the recording, of a call that cannot be made, or of each.
func (s Sender) Replay(ctx context.Context, from io.Reader, kinds []Kind, each func(Result) error) error {
	for r, err := range Calls(from, kinds...) {
		if err != nil {
			return err
		}
		out, err := s.Again(ctx, r)
		if err != nil {
			return inLine(r.Line, err)
		}
		if err := each(out); err != nil {
			return err
		}
	}
	return nil
}
