package client

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// creation makes a record that a key identifies, without making it twice.
type creation[T any] struct {
	// find returns the record with the key, nil if there is none.
	find func(context.Context) (*T, error)
	// taken returns the record that holds the key where another was refused; nil is find.
	taken func(context.Context) (*T, error)
	// create makes it.
	create func(context.Context) (*T, error)
}

// lookAgain are the times after a lost answer at which the record is looked for:
// a write may reach the reads late.
var lookAgain = [...]time.Duration{2 * time.Second, 5 * time.Second, 15 * time.Second}

// run returns the record that exists, or else creates it. After an attempt of
// unknown outcome the record is looked for, and only if it is not there created
// once more. Made is that of CreateOrGet.
func (c creation[T]) run(ctx context.Context) (record *T, made bool, err error) {
	return c.unlessFound(ctx, c.make)
}

// unlessFound returns the record that exists, or else the one that create makes.
func (c creation[T]) unlessFound(
	ctx context.Context, create func(context.Context) (*T, bool, error),
) (record *T, made bool, err error) {
	if record, err := c.find(ctx); record != nil || err != nil {
		return record, false, err
	}
	return create(ctx)
}

// make creates a record that was not there, up to twice: the platform itself refuses a second one with the same key.
func (c creation[T]) make(ctx context.Context) (record *T, made bool, err error) {
	record, made, err = c.attempt(ctx)
	if errors.Is(err, ErrProbablyNotCreated) {
		record, made, err = c.attempt(ctx)
	}
	return record, made, err
}

// attempt creates the record, or finds it where that is refused, or its answer is
// lost or holds no record. The platform's own uniqueness (422, or 409) is the last guard against a second
// record: the one that it protects is the answer. A record that was found is not called made, because another program
// may have made it, with other values.
func (c creation[T]) attempt(ctx context.Context) (record *T, made bool, err error) {
	record, err = c.create(ctx)
	err = unclear(record, err)
	switch {
	case errors.Is(err, ErrOutcomeUnknown):
		record, err = c.search(ctx, err)
		return record, false, err
	case errors.Is(err, ErrValidation), conflicts(err):
		look := c.taken
		if look == nil {
			look = c.find
		}
		if found, lookErr := look(ctx); lookErr == nil && found != nil {
			return found, false, nil
		}
	}
	return record, err == nil, err
}

func conflicts(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Status == http.StatusConflict
}

// unclear returns the error of a create that returned no record, or one without an id, or that could not read the
// answer: whether the record was made is not known.
func unclear[T any](record *T, err error) error {
	switch {
	case errors.Is(err, ErrOutcomeUnknown):
		return err
	case errors.As(err, new(*DecodeError)):
		return fmt.Errorf("%w: %w", err, ErrOutcomeUnknown)
	case err == nil && (record == nil || withoutID(reflect.ValueOf(record).Elem())):
		return fmt.Errorf("the create returned no record with an id: %w", ErrOutcomeUnknown)
	}
	return err
}

// search looks for the record after a create that ended in lost, which stays
// part of the error.
func (c creation[T]) search(ctx context.Context, lost error) (*T, error) {
	start := time.Now()
	for _, after := range lookAgain {
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w; looking for the record: %w", lost, engine.Ended(ctx))
		case <-time.After(after - time.Since(start)):
		}
		found, err := c.find(ctx)
		if err != nil {
			return nil, fmt.Errorf("%w; looking for the record: %w", lost, err)
		}
		if found != nil {
			return found, nil
		}
	}
	return nil, fmt.Errorf("%w; %w", lost, ErrProbablyNotCreated)
}

// errNoID is the error of a search that ends at a record without an id, because no later call could name it.
var errNoID = &DecodeError{Index: -1, Err: noRecord("the record that matches has no id")}

// first returns a search for the first record of the list that matches.
func first[T any](l List[T], match func(*T) bool) func(context.Context) (*T, error) {
	return func(ctx context.Context) (*T, error) {
		for record, err := range l.All(ctx) {
			if err != nil {
				return nil, err
			}
			if match(record) {
				if withoutID(reflect.ValueOf(record).Elem()) {
					return nil, errNoID
				}
				return record, nil
			}
		}
		return nil, nil
	}
}

// CreateOrGet returns the record that find finds, and otherwise the one that create makes, for packages that extend the
// client. Find returns nil if there is none.
//
// The result made, here and in the methods of this name, reports whether the platform answered the create of this call
// with the record. It is false for a record that was there before the call. It is also false for a record that is found
// after the answer to the create was lost or the platform refused a second record: this call may have made it, or
// another program at the same time, and nobody can know. Whether a record that was not made has the values that the
// call asked for is what the method Differences of its input returns, such as [ProductInput.Differences].
//
// It calls create at most once. If the answer is lost, the record is looked for after 2, 5 and 15 seconds. If it is not
// there, the error is ErrOutcomeUnknown and ErrProbablyNotCreated: a proxy may still hold the request, and where the
// platform has no rule against a second record, a second create could make two. Repeat the call a minute later or more;
// it looks for the record first.
func CreateOrGet[T any](
	ctx context.Context, find, create func(context.Context) (*T, error),
) (record *T, made bool, err error) {
	c := creation[T]{find: find, create: create}
	return c.unlessFound(ctx, c.attempt)
}

// unlessMissing turns the error of a record that does not exist into none.
func unlessMissing[T any](record *T, err error) (*T, error) {
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return record, err
}

// every yields the records behind an id, or all where the list has no since_id.
func every[T any](ctx context.Context, l List[T], after ID) iter.Seq2[*T, error] {
	if !engine.Listing(l).Spec().SinceID {
		return l.All(ctx)
	}
	return l.Since(ctx, after)
}

// owner is the store of the list, and its path.
func (l *listing) owner() (ID, string) {
	var path strings.Builder
	store := ID(engine.CoreOf(l.Service).Config().Store)
	if err := engine.WritePath(&path, l.Path, l.Args); err != nil {
		return store, l.Path // the first use of the list fails
	}
	return store, path.String()
}

// date asks for the platform's time; it is zero if that does not tell. A refusal
// tells too: that of a query with too many results, for example.
func (l *listing) date(ctx context.Context) (time.Time, error) {
	values := l.largest()
	if !l.Whole {
		values.Set("per_page", "1")
	}
	page, err := l.fetch(ctx, values)
	if page != nil {
		return page.date, nil
	}
	if date := dateOfError(err); !date.IsZero() && errors.Is(err, ErrValidation) {
		return date, nil
	}
	return time.Time{}, err
}
