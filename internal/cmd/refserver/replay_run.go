package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/recording"
)

// The verdicts of a call.
const (
	same    = "same"
	changed = "changed"
	invalid = "invalid"
	unknown = "unknown" // its kind, so the call is not made
)

// replayed is the printed result of a call.
type replayed struct {
	Line      int            `json:"line"`
	Kind      recording.Kind `json:"kind"`
	Operation string         `json:"operation,omitempty"`
	Target    string         `json:"target"`
	Status    int            `json:"status"` // 0 if there was no answer
	Took      int64          `json:"took_ms"`
	Verdict   string         `json:"verdict"`
	Changes   []string       `json:"changes,omitempty"`
	Reason    string         `json:"reason,omitempty"` // why it is invalid
	Hint      string         `json:"hint,omitempty"`
}

// summary is the last line.
type summary struct {
	Calls   int `json:"calls"`
	Same    int `json:"same"`
	Changed int `json:"changed"`
	Invalid int `json:"invalid"`
	Unknown int `json:"unknown,omitempty"`
	// Slowest has the longest time of each kind.
	Slowest map[recording.Kind]int64 `json:"slowest_ms"`
}

func (r *replayer) run(ctx context.Context, e *env) error {
	if err := r.prepare(ctx, e); err != nil {
		return err
	}
	defer r.client.CloseIdleConnections()
	file, err := os.Open(e.args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	sum := summary{Slowest: map[recording.Kind]int64{}}
	err = r.each(ctx, file, func(one replayed) error {
		sum.add(one)
		return showValue(e, one, func(w io.Writer) { one.print(w) })
	})
	if errors.Is(err, recording.ErrCutOff) {
		e.progress("%v; it is skipped", err)
		err = nil
	}
	if err != nil {
		return err
	}
	if err := showValue(e, sum, func(w io.Writer) { sum.print(w) }); err != nil {
		return err
	}
	switch {
	case sum.Calls == 0:
		return recording.NoCalls(r.kinds)
	case sum.Same != sum.Calls || sum.Unknown > 0:
		return errFound
	}
	return nil
}

// unknownTo reports whether this version does not know the kind of a call, which a later version may have recorded.
// With --only, such calls were not asked for.
func (r *replayer) unknownTo(call recording.Record) bool {
	return r.only == "" && !slices.Contains(recording.Kinds(), call.Kind)
}

// each makes the calls, some at once, and calls show with their results, in the order of the file.
func (r *replayer) each(ctx context.Context, file io.Reader, show func(replayed) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type turn struct {
		one replayed
		err error
	}
	turns := make(chan chan turn, r.atOnce-1) // plus the one that is waited for
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	work.Go(func() {
		defer close(turns)
		for call, err := range recording.Read(file) {
			unknownTo := err == nil && r.unknownTo(call.Record)
			if err == nil && !unknownTo && !slices.Contains(r.kinds, call.Kind) {
				continue
			}
			mine := make(chan turn, 1)
			select {
			case turns <- mine:
			case <-ctx.Done():
				return
			}
			if err != nil {
				mine <- turn{err: err}
				return
			}
			if unknownTo {
				mine <- turn{one: replayed{Line: call.Line, Kind: call.Kind, Target: call.Target, Verdict: unknown,
					Reason: "this version does not know the kind, so the call was not made"}}
				continue
			}
			work.Go(func() {
				one, err := r.again(ctx, call)
				mine <- turn{one, err}
			})
		}
	})
	for next := range turns {
		t := <-next
		if t.err != nil {
			return t.err
		}
		if err := show(t.one); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// again makes a call and judges the answer.
func (r *replayer) again(ctx context.Context, call recording.Numbered) (replayed, error) {
	out, err := r.sender(call.Kind).Again(ctx, call)
	if err != nil {
		return replayed{}, fmt.Errorf("line %d: %w", call.Line, err)
	}
	one := replayed{
		Line: call.Line, Kind: call.Kind, Operation: call.Operation, Target: out.Target,
		Status: out.Answer.Status, Took: out.Answer.Took.Milliseconds(), Verdict: same, Changes: out.Changes,
	}
	if len(out.Changes) > 0 {
		one.Verdict = changed
	}
	wrong := out.Err
	if wrong == nil {
		wrong = judge(out)
	}
	if wrong != nil {
		one.Verdict, one.Reason = invalid, wrong.Error()
	}
	if out.Err != nil {
		one.Changes = nil // the reason is enough
	}
	if one.Verdict != same {
		one.Hint = r.hint(call.Target)
	}
	return one, nil
}

// hint says which segments of a path the app does not know, because the recording has others in their place.
func (r *replayer) hint(target string) string {
	for _, part := range recording.Replaced(target) {
		if _, mapped := r.changes[part]; !mapped {
			return fmt.Sprintf("the segment %s of the path was replaced when it was recorded: --map %s=SEGMENT sends the real one",
				plain(part), plain(part))
		}
	}
	return ""
}

func (s *summary) add(one replayed) {
	if one.Verdict == unknown {
		s.Unknown++
		return
	}
	s.Calls++
	switch one.Verdict {
	case same:
		s.Same++
	case changed:
		s.Changed++
	case invalid:
		s.Invalid++
	}
	s.Slowest[one.Kind] = max(s.Slowest[one.Kind], one.Took)
}

// print writes a call on a line, and its reason and changes on the lines below.
func (o replayed) print(w io.Writer) {
	what := plain(string(o.Kind))
	if o.Operation != "" {
		what += " " + plain(o.Operation)
	}
	fmt.Fprintf(w, "line %d: %s: %s\n", o.Line, what, o.Verdict)
	if o.Reason != "" {
		fmt.Fprintf(w, "    %s\n", plain(o.Reason))
	}
	for _, change := range o.Changes {
		fmt.Fprintf(w, "    %s\n", plain(change))
	}
	if o.Hint != "" {
		fmt.Fprintf(w, "    %s\n", o.Hint)
	}
}

func (s summary) print(w io.Writer) {
	calls := "calls"
	if s.Calls == 1 {
		calls = "call"
	}
	fmt.Fprintf(w, "%d %s: %d same, %d changed, %d invalid\n", s.Calls, calls, s.Same, s.Changed, s.Invalid)
	if s.Unknown > 0 {
		fmt.Fprintf(w, "%d more are of a kind that this version does not know\n", s.Unknown)
	}
	for _, kind := range recording.Kinds() {
		if ms, ok := s.Slowest[kind]; ok {
			fmt.Fprintf(w, "slowest of %s: %d ms of %s\n", kind, ms, deadline(kind).Round(time.Millisecond))
		}
	}
}
