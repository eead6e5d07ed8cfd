package client

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/condition"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Intent describes a create that was begun, so that its record can be found.
type Intent struct {
	ID ulid.ULID
	// StoreID and Path identify the list, such as "/orders" or "/products/7/images".
	StoreID ID
	Path    string
	// Key identifies the record for Once.Match.
	Key string
	// After is the highest id of the records that matched Key before the create. It is 0 if none matched, and for
	// records without a since_id. Other ids mean nothing: the record may have a lower one than those before it.
	After ID
	// Since is one minute before the create, by the platform's clock or by that of this machine, whichever is earlier.
	// A wrong Date therefore hides no record. It is zero if the response had no Date.
	Since time.Time
}

// Journal stores intents, usually in the caller's database. Package sqljournal implements it for database/sql. If a
// Journal is also a Holder, Once ensures that one process at a time processes an intent.
type Journal[T any] interface {
	// Begin stores an intent durably before it returns. It should fail if an intent with the same StoreID, Path and Key
	// is open or ended with a record, as a unique index does. Once sends the create of every intent that Begin accepts.
	Begin(ctx context.Context, in Intent) error
	// End closes an intent. Made is the record, nil if it is certain that there is none. Store the record's id in the
	// same transaction.
	End(ctx context.Context, in Intent, made *T) error
}

// Holder is a Journal shared by several processes, which lets one process at a time work on an intent.
type Holder interface {
	// Hold claims an intent. Resume calls it first, and Create calls it after Begin, with begun true. It fails if
	// another process has claimed the intent or has ended it. The returned context ends when the claim is lost; nothing
	// is sent after that. End is called with the values of that context. The returned function is called when the work
	// is done.
	Hold(ctx context.Context, in Intent, begun bool) (context.Context, func(), error)
}

// Restorable is a Journal that may lack intents, because its database may have been restored to an earlier point in
// time.
// Create then looks for the record of a key before it sends a create, as Resume does.
type Restorable[T any] interface {
	// Lost reports whether intents may be missing, and since when, by the platform's clock; zero means any time.
	Lost(ctx context.Context) (since time.Time, lost bool, err error)
	// Made reports whether an intent of the list of in has ended with the record.
	Made(ctx context.Context, in Intent, record *T) (bool, error)
}

// Once creates records that have no natural key. It prevents duplicate and lost records after lost answers and
// restarts:
//
//	once := client.Once[client.Order]{
//		Journal: journal,
//		Among: func(since time.Time) client.List[client.Order] {
//			return v202503.Orders(c).List(client.OrderFilter{AppID: app, Window: client.Window{CreatedMin: since}})
//		},
//		Match: func(o *client.Order, key string) bool { return o.Note == key },
//	}
//	order, err := once.Create(ctx, "import 7", func(ctx context.Context) (*client.Order, error) {
//		return v202503.Orders(c).Create(ctx, in) // whose Note is "import 7"
//	})
//
// Once sends a create once. If its outcome is unknown, or it returns no record with an id, Once looks for the record
// after 2, 5 and 15 seconds, whatever its id. If the record is not found, the error is also ErrProbablyNotCreated and
// the intent stays open. If an item of the list cannot be read, it may be the record, so the error is instead also
// ErrUnreadableItem. The caller then decides whether to send it again; see Resume.
//
// Create relies on the journal to detect earlier creates. If it is called again with the same key after a restart or an
// unknown outcome, and the journal accepts that, it makes a second record. Only a journal that is a Restorable prevents
// that after a restore. A program should therefore first resume the open intents of the journal:
//
//	for _, intent := range open { // from the journal
//		order, err := once.Resume(ctx, intent, nil) // or the create of intent.Key, to send it if it is not there
//	}
//
// Once sends two requests more than the create. CreateOrGet sends fewer if the resource has a natural key. Disputes
// have no list, so their outcome cannot be looked up.
type Once[T any] struct {
	Journal Journal[T]
	// Among selects the records that may be the created one, created at since or later. A zero since means any time.
	// Among may ignore since if the list does not support created_at_min. If it filters fields, they must include the
	// fields that Match reads.
	Among func(since time.Time) List[T]
	// Match reports whether a record was created under the key, either by a marker that the caller wrote into it or by
	// its content.
	Match func(record *T, key string) bool
}

// sinceMargin is how far before the create its record is looked for, because the clocks of the platform's machines may
// differ.
const sinceMargin = time.Minute

// settledAfter is the age at which one look for an intent's record is enough. It exceeds any difference between the
// clocks of the app's machines.
const settledAfter = time.Hour

// ErrProbablyNotCreated reports that the outcome of a create is unknown and that its record was not found. Sending it
// again by Once.Resume or CreateOrGet is probably safe. It is safer the later it is sent, because a proxy may still
// deliver the first request.
var ErrProbablyNotCreated = condition.New("the record is not there")

// DuplicateError reports that several records match an intent whose create was sent or resumed.
type DuplicateError[T any] struct {
	Intent  Intent // the intent
	Records []*T   // the matching records, two or more
}

// Error returns a text with the intent and the number of records.
func (e *DuplicateError[T]) Error() string {
	return fmt.Sprintf("%d records of %s match intent %s: must be one", len(e.Records), e.Intent.Path, e.Intent.ID)
}

// Create sends a create once. The key must be unique to this record. A key may be used again only if its earlier create
// was rejected; see Resume. A definite rejection ends the intent and is returned. After ErrOutcomeUnknown the intent
// stays open. The function create should return the client's error unchanged. If it returns a *DecodeError, or neither
// an error nor a record with an id, the outcome is unknown. If only the journal failed, Create returns both the record
// and an error.
func (o Once[T]) Create(ctx context.Context, key string, create func(context.Context) (*T, error)) (*T, error) {
	in, sent, err := o.intent(ctx, key)
	if err != nil {
		return nil, err
	}
	if err := o.Journal.Begin(ctx, in); err != nil {
		return nil, fmt.Errorf("begin intent: %w", engine.WithCause(ctx, err))
	}
	return o.alone(ctx, in, true, func(ctx context.Context) (*T, error) {
		if sent {
			return o.resume(ctx, in, create)
		}
		return o.send(ctx, in, create)
	})
}

// Resume looks for the record of an open intent after a restart or an unknown outcome, and ends the intent if the
// record is found. If it is not found, a non-nil create is sent once more under the same intent. A nil create leaves
// the intent open and returns ErrProbablyNotCreated. With a nil create, Resume looks only once for an intent that is
// more than an hour old. No other process may work on the intent meanwhile, which a journal that is a Holder ensures.
func (o Once[T]) Resume(ctx context.Context, in Intent, create func(context.Context) (*T, error)) (*T, error) {
	among := coreOf(o.Among(time.Time{}))
	store, path := among.owner()
	if in.StoreID != store || in.Path != path {
		return nil, engine.Invalid("intent", fmt.Sprintf("%d%s", in.StoreID, in.Path), fmt.Sprintf("one of %d%s", store, path))
	}
	return o.alone(ctx, in, false, func(ctx context.Context) (*T, error) { return o.resume(ctx, in, create) })
}

func (o Once[T]) resume(ctx context.Context, in Intent, create func(context.Context) (*T, error)) (*T, error) {
	found, err := o.find(ctx, in)
	lost := fmt.Errorf("intent %s: %w", in.ID, ErrOutcomeUnknown)
	switch {
	case found != nil || err != nil:
	case create == nil && time.Since(ulid.Time(in.ID.Time())) > settledAfter:
		return nil, fmt.Errorf("%w; %w", lost, ErrProbablyNotCreated)
	default: // an earlier Resume may have sent the create of an old intent a moment ago
		found, err = o.creation(in).search(ctx, lost)
	}
	switch {
	case err == nil:
		return o.end(ctx, in, found, nil)
	case errors.Is(err, ErrProbablyNotCreated) && create != nil:
		return o.send(ctx, in, create)
	}
	return nil, err
}

// alone works on an intent while the journal prevents others from doing so.
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

// end records a definite outcome, even if the caller's context has ended.
func (o Once[T]) end(ctx context.Context, in Intent, made *T, outcome error) (*T, error) {
	if outcome != nil {
		made = nil
	}
	if err := o.Journal.End(context.WithoutCancel(ctx), in, made); err != nil {
		outcome = errors.Join(outcome, fmt.Errorf("end intent: %w", err))
	}
	return made, outcome
}

// intent records the state before the create. A record that cannot be read is passed over, because the caller promises
// that the key is new. For records without a since_id, an existing match could not be
// distinguished from the new record. A journal that may have lost intents is different: the result sent reports whether
// a record may be that of an earlier intent with the key.
func (o Once[T]) intent(ctx context.Context, key string) (in Intent, sent bool, err error) {
	among := o.Among(time.Time{})
	in = Intent{ID: ulid.Make(), Key: key}
	in.StoreID, in.Path = coreOf(among).owner()
	date, err := coreOf(among).date(ctx)
	if err != nil {
		return in, false, err
	}
	if now := time.Now(); !date.IsZero() {
		if date.After(now) { // a Date in the future would hide the record
			date = now.UTC()
		}
		in.Since = date.Add(-sinceMargin)
	}
	if sent, err = o.sent(ctx, &in); sent || err != nil {
		return in, sent, err
	}
	among = o.Among(in.Since)
	for record, err := range every(ctx, among, 0) {
		switch {
		case errors.Is(err, ErrUnreadableItem):
		case err != nil:
			return in, false, err
		case !o.Match(record, key):
		case coreOf(among).SinceID:
			in.After = max(in.After, coreOf(among).id(record))
		default:
			return in, false, engine.Invalid("key", key, "a key that no existing record matches")
		}
	}
	return in, false, nil
}

// sent reports whether the list may have the record of an intent that the journal has lost. The intent then begins
// before that record. A record that cannot be read may be the one.
func (o Once[T]) sent(ctx context.Context, in *Intent) (bool, error) {
	journal, ok := o.Journal.(Restorable[T])
	if !ok {
		return false, nil
	}
	since, lost, err := journal.Lost(ctx)
	if err != nil || !lost {
		return false, err
	}
	if since.After(in.Since) && !in.Since.IsZero() {
		since = in.Since
	}
	for record, err := range every(ctx, o.Among(since), 0) {
		sent := errors.Is(err, ErrUnreadableItem)
		switch {
		case sent:
		case err != nil:
			return false, err
		case o.Match(record, in.Key):
			known, err := journal.Made(ctx, *in, record)
			if err != nil {
				return false, err
			}
			sent = !known
		}
		if sent {
			in.Since = since
			return true, nil
		}
	}
	return false, nil
}

func (o Once[T]) creation(in Intent) creation[T] {
	return creation[T]{find: func(ctx context.Context) (*T, error) { return o.find(ctx, in) }}
}

// find returns the record of an intent, or nil if there is none. A record that cannot be read may be the one, so it is
// an error unless another one matches.
func (o Once[T]) find(ctx context.Context, in Intent) (*T, error) {
	var found []*T
	var unread error
	among := o.Among(in.Since)
	for record, err := range every(ctx, among, in.After) {
		switch {
		case errors.Is(err, ErrUnreadableItem):
			unread = err
		case err != nil:
			return nil, err
		case !o.Match(record, in.Key):
		case withoutID(reflect.ValueOf(record).Elem()) && !coreOf(among).Query.Has("fields"):
			return nil, errNoID
		default:
			found = append(found, record)
		}
	}
	switch len(found) {
	case 0:
		return nil, unread
	case 1:
		return found[0], nil
	}
	return nil, &DuplicateError[T]{in, found}
}
