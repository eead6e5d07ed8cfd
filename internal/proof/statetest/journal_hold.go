package statetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
)

// openIn returns what a journal has open that nobody works on.
func openIn(t *testing.T, j *sqljournal.Journal[client.Category]) (all []client.Intent) {
	t.Helper()
	for in, err := range j.Open(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, in)
	}
	return all
}

func holdsOne(t *testing.T, w *journalWorld) {
	j, other := w.journal("imports"), w.journal("imports")
	in := begun(t, j, "7")
	if _, _, err := other.Hold(t.Context(), in, false); !errors.Is(err, sqljournal.ErrHeld) {
		t.Errorf("after Begin: got %v, want ErrHeld", err)
	}
	ctx, release, err := j.Hold(t.Context(), in, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := other.Hold(t.Context(), in, false); !errors.Is(err, sqljournal.ErrHeld) {
		t.Errorf("a second one: got %v, want ErrHeld", err)
	}
	if err := other.End(t.Context(), in, nil); !errors.Is(err, sqljournal.ErrHeld) {
		t.Errorf("a second one ends it: got %v, want ErrHeld", err)
	}
	if err := j.End(ctx, in, record(55)); err != nil {
		t.Fatal(err)
	}
	release()
	_, _, err = other.Hold(t.Context(), in, false)
	taken, ok := errors.AsType[*sqljournal.TakenError](err)
	if !ok || !errors.Is(err, sqljournal.ErrHeld) || taken.Record != "55" {
		t.Errorf("ended: got %v, want ErrHeld with the record", err)
	}
	if _, _, err := other.Hold(t.Context(), intent("7"), false); !errors.Is(err, sqljournal.ErrHeld) {
		t.Errorf("not in the journal: got %v, want ErrHeld", err)
	}
}

func releases(t *testing.T, w *journalWorld) {
	j := w.journal("imports")
	in := begun(t, j, "7")
	_, release, err := j.Hold(t.Context(), in, true)
	if err != nil {
		t.Fatal(err)
	}
	release()
	if all := openIn(t, j); len(all) != 0 {
		t.Errorf("%d can be resumed by anybody, want a rest of Term first", len(all))
	}
	again, release, err := j.Hold(t.Context(), in, false)
	if err != nil {
		t.Fatalf("the caller resumes it: %v", err)
	}
	if err := j.End(again, in, nil); err != nil { // its own claim does not keep it
		t.Error(err)
	}
	release()
	has[string](t, w.DB, allOpen)
}

// holdIsLost: another process took the intent while this one slept.
func holdIsLost(t *testing.T, w *journalWorld) {
	j, other := w.journal("imports"), w.journal("imports")
	j.Term = 10 * time.Second // renews after 2.5
	in := begun(t, j, "7")
	ctx, release, err := j.Hold(t.Context(), in, true)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	w.expire(t)
	_, theirs, err := other.Hold(t.Context(), in, false)
	if err != nil {
		t.Fatal(err)
	}
	defer theirs()
	<-ctx.Done()
	if cause := context.Cause(ctx); errors.Is(cause, context.Canceled) {
		t.Errorf("got %v, want that the claim was lost", cause)
	}
	ctx = context.WithoutCancel(ctx)
	if err := j.End(ctx, in, nil); !errors.Is(err, sqljournal.ErrHeld) {
		t.Errorf("End without a record: got %v, want ErrHeld", err)
	}
	if err := j.End(ctx, in, record(55)); err != nil {
		t.Errorf("the record is there, whoever works on it: %v", err)
	}
}

func holdIsRenewed(t *testing.T, w *journalWorld) {
	j := w.journal("imports")
	j.Term = 20 * time.Second
	in := begun(t, j, "7")
	ctx, release, err := j.Hold(t.Context(), in, true)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	w.expire(t)
	for len(openIn(t, j)) > 0 {
		select {
		case <-ctx.Done():
			t.Fatal(context.Cause(ctx))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func opensPages(t *testing.T, w *journalWorld) {
	j := w.journal("imports")
	const many = 1003
	for n := range many {
		begun(t, j, fmt.Sprint(n))
	}
	if all := openIn(t, j); len(all) != 0 {
		t.Errorf("%d, want none that somebody may work on", len(all))
	}
	w.expire(t)
	seen := map[string]bool{}
	for _, in := range openIn(t, j) {
		seen[in.Key] = true
	}
	if len(seen) != many {
		t.Errorf("%d of %d", len(seen), many)
	}
	for range j.Open(t.Context()) {
		break
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range j.Open(ended) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the end of the context", err)
		}
	}
}

func resumesAll(t *testing.T, w *journalWorld) {
	j := w.journal("imports")
	held := begun(t, j, "held")
	for _, key := range []string{"a", "b", "c"} {
		begun(t, j, key)
	}
	w.expire(t)
	_, release, err := j.Hold(t.Context(), held, false)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	broken, keys := errors.New("no disk"), ""
	err = j.ResumeAll(t.Context(), func(ctx context.Context, in client.Intent) error {
		keys += in.Key
		switch in.Key {
		case "a":
			return fmt.Errorf("hold: %w", sqljournal.ErrHeld)
		case "b":
			return broken
		}
		return j.End(ctx, in, record(1))
	})
	if keys != "abc" || !errors.Is(err, broken) || errors.Is(err, sqljournal.ErrHeld) {
		t.Errorf("resumed %q: %v", keys, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	keys = ""
	err = j.ResumeAll(ctx, func(ctx context.Context, in client.Intent) error {
		keys += in.Key
		cancel()
		return ctx.Err()
	})
	if keys != "a" || !errors.Is(err, context.Canceled) {
		t.Errorf("resumed %q after the end of the context: %v", keys, err)
	}
}
