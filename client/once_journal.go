package client

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Intent is a create that was begun, and how to find what it made.
type Intent struct {
	ID ulid.ULID
	// StoreID and Path say where: "/orders", or "/products/7/images".
	StoreID ID
	Path    string
	// Key is what Once.Match recognises the record by.
	Key string
	// After is the greatest id before the create; 0 for records without a since_id.
	After ID
	// Since is a minute before the create, by the platform's clock or by that of this machine, whichever is earlier, so
	// that a wrong Date hides no record. It is zero if the response had no Date.
	Since time.Time
}

// Journal keeps intents, usually in the caller's database. Package sqljournal has one for any database/sql. If it is
// a Holder too, Once makes sure that one process at a time works on an intent.
type Journal[T any] interface {
	// Begin keeps an intent, for good before it returns. It should fail where one with the same StoreID, Path and Key
	// is open or was ended with a record, as a unique index does: what it lets through is created.
	Begin(ctx context.Context, in Intent) error
	// End strikes an intent out. Made is the record, nil if there is none for sure.
	// It is a good place to keep the record's id, together with the end.
	End(ctx context.Context, in Intent, made *T) error
}

// Holder is a Journal of several processes, of which one at a time may work on an intent.
type Holder interface {
	// Hold claims an intent, which Resume does first, and Create, with begun true, after Begin. It fails if another
	// process works on the intent, or has ended it. The context that it returns ends when the claim is lost; nothing is
	// sent after that. End is called with the values of that context. The function is called when the work is over.
	Hold(ctx context.Context, in Intent, begun bool) (context.Context, func(), error)
}

// Once creates records that no natural key protects, so that none is made twice
// and none is lost, through lost answers and through restarts:
//
//	once := client.Once[client.Order]{
//		Journal: journal,
//		Among: func(since time.Time) client.List[client.Order] {
//			return api.Orders.List(client.OrderFilter{AppID: app, Window: client.Window{CreatedMin: since}})
//		},
//		Match: func(o *client.Order, key string) bool { return o.Note == key },
//	}
//	order, err := once.Create(ctx, "import 7", func(ctx context.Context) (*client.Order, error) {
//		return api.Orders.Create(ctx, in) // whose Note is "import 7"
//	})
//
// A create is sent once. Where its outcome is unknown, or it returns no record with an id, the record is looked for
// after 2, 5 and 15 seconds. If it is not there, the error is ErrProbablyNotCreated too, the intent stays
// open, and whether to send again is the caller's decision: see Resume.
//
// Create knows nothing of the past but what the journal refuses: called again with a key, after a restart or an
// unknown outcome, it would make a second record. What the journal has open is for Resume, and that is the first thing
// a program does:
//
//	for _, intent := range open { // of the journal
//		order, err := once.Resume(ctx, intent, nil) // or the create of intent.Key, to send it if it is not there
//	}
//
// It costs two requests more than the create. Where the resource has a natural key,
// CreateOrGet costs less. Disputes have no list: what became of theirs cannot be found out.
type Once[T any] struct {
	Journal Journal[T]
	// Among selects the records that may be the one, created at since or later; a zero
	// since is any time. It may leave since out if its list does not know
	// created_at_min. Fields of its filter, if there are any, name what Match looks at.
	Among func(since time.Time) List[T]
	// Match reports whether a record is what was created under the key: by a marker
	// that the caller wrote into it, or by what it looks like.
	Match func(record *T, key string) bool
}

// sinceMargin is how far before the create its record is looked for: the
// platform's machines need not agree on the time.
const sinceMargin = time.Minute

// ErrProbablyNotCreated says that the outcome of a create is unknown, and that what it should have made was looked for
// in vain. Sending it again, by Once.Resume or CreateOrGet, is probably safe; the later, the safer, because something
// in between may still hold the request.
var ErrProbablyNotCreated = engine.Condition("the record is not there")

// DuplicateError says that several records match an intent that was sent once or resumed.
type DuplicateError[T any] struct {
	Intent  Intent // what was begun
	Records []*T   // what matches it, two or more
}

// Error prints the intent and how many there are.
func (e *DuplicateError[T]) Error() string {
	return fmt.Sprintf("%d records of %s match intent %s: want one", len(e.Records), e.Intent.Path, e.Intent.ID)
}

// Create sends a create, once. The key should be of this record alone, and not one that Create was called with before,
// unless that was refused: see Resume. A definite refusal ends the intent and is returned; with ErrOutcomeUnknown it
// stays open. The function create should return the error of the client as it is. Where it returns neither a record
// with an id nor an error, or a *DecodeError, the outcome counts as unknown. Both the record and an error are returned
// if only the journal failed.
func (o Once[T]) Create(ctx context.Context, key string, create func(context.Context) (*T, error)) (*T, error) {
	in, err := o.intent(ctx, key)
	if err != nil {
		return nil, err
	}
	if err := o.Journal.Begin(ctx, in); err != nil {
		return nil, fmt.Errorf("begin intent: %w", engine.WithCause(ctx, err))
	}
	return o.alone(ctx, in, true, func(ctx context.Context) (*T, error) { return o.send(ctx, in, create) })
}

// Resume finds out what became of an open intent, after a restart or an unknown
// outcome, and ends it if the record is there. If it is not, a create that is not nil is sent once more under
// the same intent; nil leaves the intent open, with ErrProbablyNotCreated. Nobody else may
// be at work on the intent, which a journal that is a Holder makes sure of.
func (o Once[T]) Resume(ctx context.Context, in Intent, create func(context.Context) (*T, error)) (*T, error) {
	among := o.Among(time.Time{}).core()
	store, path := among.owner()
	if in.StoreID != store || in.Path != path {
		return nil, engine.Invalid("intent", fmt.Sprintf("%d%s", in.StoreID, in.Path), fmt.Sprintf("one of %d%s", store, path))
	}
	return o.alone(ctx, in, false, func(ctx context.Context) (*T, error) { return o.resume(ctx, in, create) })
}

func (o Once[T]) resume(ctx context.Context, in Intent, create func(context.Context) (*T, error)) (*T, error) {
	found, err := o.find(ctx, in)
	if found == nil && err == nil {
		found, err = o.creation(in).search(ctx, fmt.Errorf("intent %s: %w", in.ID, ErrOutcomeUnknown))
	}
	switch {
	case err == nil:
		return o.end(ctx, in, found, nil)
	case errors.Is(err, ErrProbablyNotCreated) && create != nil:
		return o.send(ctx, in, create)
	}
	return nil, err
}

// alone works on an intent while the journal lets nobody else do so.
func (o Once[T]) alone(ctx context.Context, in Intent, begun bool, work func(context.Context) (*T, error)) (*T, error) {
	holder, ok := o.Journal.(Holder)
	if !ok {
		return work(ctx)
	}
	claimed, release, err := holder.Hold(ctx, in, begun)
	if err != nil {
		return nil, fmt.Errorf("hold intent: %w", engine.WithCause(ctx, err))
	}
	defer release()
	return work(claimed)
}

func (o Once[T]) send(ctx context.Context, in Intent, create func(context.Context) (*T, error)) (*T, error) {
	made, err := create(ctx)
	if err = unclear(made, err); errors.Is(err, ErrOutcomeUnknown) {
		if made, err = o.creation(in).search(ctx, err); err != nil {
			return nil, err
		}
	}
	return o.end(ctx, in, made, err)
}

// end writes down a definite outcome, also when the caller is leaving.
func (o Once[T]) end(ctx context.Context, in Intent, made *T, outcome error) (*T, error) {
	if outcome != nil {
		made = nil
	}
	if err := o.Journal.End(context.WithoutCancel(ctx), in, made); err != nil {
		outcome = errors.Join(outcome, fmt.Errorf("end intent: %w", err))
	}
	return made, outcome
}

// intent notes what there is before the create. Among records without a since_id
// one that matches already could not be told from the new one.
func (o Once[T]) intent(ctx context.Context, key string) (Intent, error) {
	among := o.Among(time.Time{})
	in := Intent{ID: ulid.Make(), Key: key}
	in.StoreID, in.Path = among.core().owner()
	date, err := among.core().date(ctx)
	if err != nil {
		return in, err
	}
	if now := time.Now(); !date.IsZero() {
		if date.After(now) { // a Date that is ahead would hide the record
			date = now.UTC()
		}
		in.Since = date.Add(-sinceMargin)
	}
	among = o.Among(in.Since)
	for record, err := range every(ctx, among, 0) {
		switch {
		case err != nil:
			return in, err
		case among.core().SinceID:
			in.After = max(in.After, among.core().id(record))
		case o.Match(record, key):
			return in, engine.Invalid("key", key, "one that no record matches already")
		}
	}
	return in, nil
}

func (o Once[T]) creation(in Intent) creation[T] {
	return creation[T]{find: func(ctx context.Context) (*T, error) { return o.find(ctx, in) }}
}

// find returns the record of an intent, nil if there is none.
func (o Once[T]) find(ctx context.Context, in Intent) (*T, error) {
	var found []*T
	among := o.Among(in.Since)
	for record, err := range every(ctx, among, in.After) {
		if err != nil {
			return nil, err
		}
		if !o.Match(record, in.Key) {
			continue
		}
		if withoutID(reflect.ValueOf(record).Elem()) && !among.core().Query.Has("fields") {
			return nil, errNoID
		}
		found = append(found, record)
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return found[0], nil
	}
	return nil, &DuplicateError[T]{in, found}
}
