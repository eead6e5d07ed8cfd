package webhook

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"time"

	"golang.org/x/time/rate"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/condition"
	"github.com/commerceplatform/commerce-go/internal/rounds"
)

// Defaults of Sweep.
const (
	DefaultEvery = time.Hour      // of Sweep.Every
	DefaultReach = 72 * time.Hour // of Sweep.Reach
	DefaultRate  = 200            // of Sweep.Rate, in records a second

	DefaultSweepConcurrency = 4 // of Sweep.Concurrency
)

// Sweep reads the changes of the stores from the API and puts them into the inbox, as if deliveries had arrived.
// Webhooks alone are never complete: the platform stops retrying a delivery after 48 hours, and sends no events while a
// store is suspended. A sweep closes both gaps. Changes are merged with pending deliveries of the same record, so a
// sweep costs little if nothing was lost.
//
// It cannot find deleted records. Compare all records from time to time if that matters.
//
// Inbox, Stores and Sources must be set. One Sweep at a time is enough for all replicas. The fields must not be changed
// after Run was called, and a Sweep must not be copied. Functions and hooks are called for several stores at a time.
type Sweep struct {
	Inbox Inbox
	// Marks stores how far each list was read. If nil, Inbox is used, which must then implement Marks, as the engines
	// of this module do.
	Marks Marks
	// Stores returns the stores that have the app installed.
	Stores func(ctx context.Context) ([]value.ID, error)
	// Sources are the lists to read: see Changed.
	Sources []Source

	// App and Registry are those of the Handler, for entries with the same keys and policies.
	App      string
	Registry *Registry

	// Every is the time between two sweeps of all stores. Zero means DefaultEvery.
	Every time.Duration
	// Reach is how far back a list without a mark is read. Zero means DefaultReach, which is longer than the platform
	// retries. Below 0 means everything. It is measured by the clock of this machine, so in a test it finds nothing of
	// a platform whose clock is fixed at another time.
	Reach time.Duration
	// Rate is the largest number of records read per second, over all stores. Zero means DefaultRate.
	Rate int
	// Concurrency is the number of stores swept at a time. The lists of a store are read one after the other. A store
	// that takes longer than a twentieth of Every gives its place to another one, and up to Concurrency such stores
	// continue. A list that hangs is a failure that wraps context.DeadlineExceeded. A store that is still being swept
	// is left out of the next sweep. A store that has failed three times in a row is left out of up to three sweeps.
	// Zero means DefaultSweepConcurrency.
	Concurrency int

	// OnStarted is called before a list of a store is read. Marks, Source.Since, Inbox and the hooks get the values of
	// the context that it returns, for example a trace. For the first three the context also ends with it, so it must
	// be derived from ctx. If it returns nil or panics, ctx is used.
	OnStarted func(ctx context.Context, store value.ID, event Name) context.Context
	// Trace returns the traceparent of an entry that the sweep found, from the context that OnStarted returned: see
	// Entry.Trace. It is called for each entry, so each may have its own trace. If it is nil or panics, entries have
	// none. A pending entry that is found again gets the trace of the sweep, just as it gets that of a later delivery.
	Trace func(ctx context.Context) string
	// OnFinished is called once for each call of OnStarted, whatever the result. Its context does not end. If nil, it
	// is not called.
	OnFinished func(ctx context.Context, s Swept)
	// OnSwept is called after each list that was read to its end, with the number of entries. If nil, it is not called.
	OnSwept func(ctx context.Context, store value.ID, event Name, entries int)
	// OnFailure is called with each failure. The next sweep reads the list again from the same mark, unless the failure
	// is client.ErrUnreadableItem. If nil, failures are logged to Logger.
	OnFailure func(ctx context.Context, f *Failure)
	Logger    *slog.Logger

	round rounds.Round[value.ID, struct{}]
}

// Swept is the result of reading a list.
type Swept struct {
	StoreID value.ID      // the store of the list
	Event   Name          // of the Source
	Entries int           // number put into the inbox, or to be put there when it failed
	Took    time.Duration // to read the list
	// Err is why the list was not read to its end, or ErrUnreadableItem of package client, and nil otherwise. OnFailure
	// is called with it too, unless the context of Run or Store has ended or the access to the store is suspended.
	Err error
}

// Source is a list of records, and the event of a change in one of them. The payload of the event must name a record by
// "id".
type Source struct {
	Event Name // a signal, such as OrderUpdated.Name
	// Since lists the ids of records that changed since a mark. After all were read, Changes.Mark is where to continue.
	Since func(ctx context.Context, store value.ID, mark time.Time) (Changes, error)
}

// Changes are the ids of records that changed. *client.Sync lists records, and
// Changed makes Changes of it.
type Changes interface {
	// All yields the ids. An error that wraps client.ErrUnreadableItem is about one record. It is reported, and the
	// mark moves nevertheless, because the record may never become readable.
	All(ctx context.Context) iter.Seq2[string, error]
	// Mark is where to continue after All came to its end without another error. It must not be later than the
	// beginning of All, by the clock that writes the times of change. A mark that is more than an hour later than both
	// this machine's clock and the previous mark is reported and not stored. A mark before the previous one does not
	// replace it.
	Mark() time.Time
}

// Check returns an error that describes an invalid configuration, or nil.
func (s *Sweep) Check() error {
	var wrong callback.Check
	wrong.Refuse(s.Inbox == nil, "no inbox")
	wrong.Refuse(s.Inbox != nil && s.marks() == nil, "no Marks: must be set, because Inbox (%T) does not implement webhook.Marks", s.Inbox)
	wrong.Refuse(s.Stores == nil, "no Stores")
	wrong.Refuse(len(s.Sources) == 0, "no Sources")
	wrong.Refuse(s.Every < 0, "Every is %v: must be 0 or more", s.Every)
	wrong.Refuse(s.Rate < 0, "Rate is %d: must be 0 or more", s.Rate)
	wrong.Refuse(s.Concurrency < 0, "Concurrency is %d: must be 0 or more", s.Concurrency)
	rows := s.Registry.reader("").rows
	for i, source := range s.Sources {
		wrong.Refuse(source.Since == nil, "source %d has no Since", i+1)
		p := rows[source.Event].policy.with(s.Registry.policy(source.Event))
		wrong.Refuse(p.Kind == KindFact, "source %d: event %s is a fact, which a sweep cannot find: must be a signal; Registry.Policy can make it one", i+1, quoted(source.Event))
		wrong.Refuse(s.Registry != nil && !s.Registry.handlesAny(source.Event), "source %d: event %s is not handled: must have a handler in Registry", i+1, quoted(source.Event))
	}
	return wrong.Err("webhook: sweep")
}

// marks returns Marks, or Inbox if it implements Marks, else nil.
func (s *Sweep) marks() Marks {
	if s.Marks != nil {
		return s.Marks
	}
	m, _ := s.Inbox.(Marks)
	return m
}

// pass reads a list of a store. It returns an error that the caller of Store must get.
func (s *Sweep) pass(ctx context.Context, store value.ID, source Source, limit *rate.Limiter) error {
	began := time.Now()
	with := s.started(ctx, store, source.Event)
	entries, err := 0, callback.ErrExit
	defer func() { // even if a function ends its goroutine
		callback.Answered(with, s.OnFinished, Swept{store, source.Event, entries, time.Since(began), err})
	}()
	err = guard(with, func(ctx context.Context) (err error) {
		entries, err = s.sweep(ctx, store, source, limit)
		return err
	})
	access, _ := AccessOf(err)
	switch {
	case access == AccessSuspended: // its mark stays, and the sweep after it is resumed continues there
		return rounds.ErrUndecided
	case err != nil && ctx.Err() == nil:
		s.tell(with, store, source.Event, fmt.Errorf("sweep: %w", err))
		return fmt.Errorf("sweep %s of store %d: %w", source.Event, store, err)
	case err == nil && s.OnSwept != nil:
		callback.Panics(func() { s.OnSwept(with, store, source.Event, entries) })
	}
	return nil
}

func (s *Sweep) started(ctx context.Context, store value.ID, event Name) context.Context {
	var with context.Context
	if s.OnStarted != nil {
		callback.Panics(func() { with = s.OnStarted(ctx, store, event) })
	}
	if with == nil {
		return ctx
	}
	return with
}

// sweep puts the changes of one list into the inbox, and moves its mark when all are there.
func (s *Sweep) sweep(ctx context.Context, store value.ID, source Source, limit *rate.Limiter) (int, error) {
	began := time.Now()
	name := keyText(s.App) + ":" + store.String() + ":" + keyText(string(source.Event))
	mark, err := s.marks().Mark(ctx, name)
	if err != nil {
		return 0, err
	}
	changes, err := source.Since(ctx, store, s.from(mark))
	if err != nil {
		return 0, err
	}
	entry := s.Registry.entries(s.App, "")
	found, err := s.feed(ctx, changes, func(id string) Entry {
		e := entry(source.body(store, id))
		e.Trace = s.trace(ctx)
		return e
	}, limit)
	if err != nil && !condition.OnlyUnreadable(err) {
		return found, err
	}
	next := changes.Mark()
	if bound := latest(began, mark).Add(maxLead); next.After(bound) {
		return found, fmt.Errorf("mark %s: must not be more than %v later than this machine's clock and the mark before, %s; it is not stored, so the list is read again",
			next.Format(time.RFC3339), maxLead, mark.Format(time.RFC3339))
	}
	return found, cmp.Or(s.marks().SetMark(ctx, name, latest(mark, next)), err)
}

// trace returns the trace of an entry.
func (s *Sweep) trace(ctx context.Context) (trace string) {
	if s.Trace != nil {
		callback.Panics(func() { trace = s.Trace(ctx) })
	}
	return Traceparent(trace)
}

// maxLead is how far a new mark may be later than both this machine's clock and the previous mark. Otherwise a source
// with a wrong clock would skip all changes up to its mark.
const maxLead = time.Hour

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// feed puts changes into the inbox. Errors do not stop it, and the first of the worst kind is returned. It wraps
// client.ErrUnreadableItem only if all others do.
func (s *Sweep) feed(ctx context.Context, changes Changes, entry func(id string) Entry, limit *rate.Limiter) (found int, err error) {
	const batch = 100
	entries := make([]Entry, 0, batch)
	flush := func() error {
		if len(entries) == 0 {
			return nil
		}
		_, err := s.Inbox.Accept(ctx, entries...)
		entries = entries[:0]
		rounds.Moved(ctx)
		return err
	}
	var failed, unread error
	for id, err := range changes.All(ctx) {
		switch {
		case condition.OnlyUnreadable(err):
			unread = cmp.Or(unread, err)
			continue
		case err != nil:
			failed = cmp.Or(failed, err)
			continue
		}
		if err := limit.Wait(ctx); err != nil {
			return found, err
		}
		found++
		if entries = append(entries, entry(id)); len(entries) < batch {
			continue
		}
		if err := flush(); err != nil {
			return found, err
		}
	}
	return found, cmp.Or(flush(), failed, ctx.Err(), unread)
}

// from returns the time from which a list is read.
func (s *Sweep) from(mark time.Time) time.Time {
	reach := cmp.Or(s.Reach, DefaultReach)
	if !mark.IsZero() || reach < 0 {
		return mark
	}
	return time.Now().Add(-reach)
}

func (s *Sweep) tell(ctx context.Context, store value.ID, event Name, err error) {
	reporter{s.OnFailure, s.Logger}.tell(context.WithoutCancel(ctx), &Failure{StoreID: store, Event: event, Err: err})
}

// body is the body of a delivery about a record. The platform writes an id of digits as a number.
func (s Source) body(store value.ID, id string) []byte {
	var written any = id
	if n, err := value.ParseID(id); err == nil && n.String() == id {
		written = n
	}
	body, err := json.Marshal(struct {
		StoreID value.ID `json:"store_id"`
		Event   Name     `json:"event"`
		ID      any      `json:"id"`
	}{store, s.Event, written})
	if err != nil {
		return nil // ids and texts can be marshalled
	}
	return body
}
