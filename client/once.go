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

// creation creates a record that a key identifies, without creating a duplicate.
type creation[T any] struct {
	// find returns the record with the key, or nil if there is none.
	find func(context.Context) (*T, error)
	// taken returns the record that has the key after the platform rejected a second one; nil means find.
	taken func(context.Context) (*T, error)
	// create creates the record.
	create func(context.Context) (*T, error)
}

// lookAgain are the delays after a lost answer at which the record is looked up, because reads may lag writes.
var lookAgain = [...]time.Duration{2 * time.Second, 5 * time.Second, 15 * time.Second}

// run returns the existing record, or else creates it. After an attempt of unknown outcome it looks the record up, and
// creates it again only if it is not found. For made see CreateOrGet.
func (c creation[T]) run(ctx context.Context) (record *T, made bool, err error) {
	return c.unlessFound(ctx, c.make)
}

// unlessFound returns the existing record, or else creates one with create.
func (c creation[T]) unlessFound(
	ctx context.Context, create func(context.Context) (*T, bool, error),
) (record *T, made bool, err error) {
	if record, err := c.find(ctx); record != nil || err != nil {
		return record, false, err
	}
	return create(ctx)
}

// make creates a record that was not found, in up to two attempts. The platform rejects a second record with the same
// key.
func (c creation[T]) make(ctx context.Context) (record *T, made bool, err error) {
	record, made, err = c.attempt(ctx)
	if errors.Is(err, ErrProbablyNotCreated) {
		record, made, err = c.attempt(ctx)
	}
	return record, made, err
}

// attempt creates the record. If the create is rejected, or its answer is lost or has no record, it looks the record
// up. The platform's own uniqueness rule (422 or 409) is the last protection against a duplicate; the record with the
// key is then returned. A record that was found is not reported as made, because another program may have created it
// with other values.
func (c creation[T]) attempt(ctx context.Context) (record *T, made bool, err error) {
	record, err = c.create(ctx)
	err = unclear(record, err)
	switch {
	case errors.Is(err, ErrOutcomeUnknown):
		record, err = c.search(ctx, err)
		return record, false, err
	case errors.Is(err, ErrValidation), isRefusal(err, http.StatusConflict):
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

// unclear returns ErrOutcomeUnknown for a create whose answer had no record, had a record without an id, or could not
// be decoded. In these cases it is unknown whether the record was created.
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

// search looks for the record after a create that ended in lost, which stays part of the error.
func (c creation[T]) search(ctx context.Context, lost error) (*T, error) {
	start := time.Now()
	var unread error // by the last look
	for _, after := range lookAgain {
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w; looking for the record: %w", lost, engine.Ended(ctx))
		case <-time.After(after - time.Since(start)):
		}
		var found *T
		if found, unread = c.find(ctx); unread != nil && !errors.Is(unread, ErrUnreadableItem) {
			break
		}
		if found != nil {
			return found, nil
		}
	}
	if unread != nil {
		return nil, fmt.Errorf("%w; looking for the record: %w", lost, unread)
	}
	return nil, fmt.Errorf("%w; %w", lost, ErrProbablyNotCreated)
}

// errNoID is the error of a search that finds a record without an id. No later call could identify that record.
var errNoID = &DecodeError{Index: -1, Err: noRecord("the record that matches has no id")}

// first returns a search for the first matching record of the list. A record that cannot be read may be the one, so it
// is an error unless another one matches.
func first[T any](l List[T], match func(*T) bool) func(context.Context) (*T, error) {
	return func(ctx context.Context) (*T, error) {
		var unread error
		for record, err := range l.All(ctx) {
			if errors.Is(err, ErrUnreadableItem) {
				unread = err
				continue
			}
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
		return nil, unread
	}
}

// CreateOrGet returns the record that find finds, and otherwise creates one with create. It is for packages that extend
// the client. Find returns nil if there is no record.
//
// The result made, here and in the methods of this name, reports whether the platform answered the create of this call
// with the record. It is false for a record that existed before the call. It is also false for a record that is found
// after the answer to the create was lost, or after the platform rejected a second record. In that case this call or
// another program created it. If made is false, the method Differences of the input, such as
// [ProductInput.Differences], returns the members in which the record differs from the input.
//
// CreateOrGet calls create at most once. If the answer is lost, it looks for the record after 2, 5 and 15 seconds. If
// the record is not found, the error is ErrOutcomeUnknown and ErrProbablyNotCreated, because a proxy may still deliver
// the request. A second create could then make a duplicate where the platform has no uniqueness rule. Call it again
// after a minute or more; it looks for the record first.
func CreateOrGet[T any](
	ctx context.Context, find, create func(context.Context) (*T, error),
) (record *T, made bool, err error) {
	c := creation[T]{find: find, create: create}
	return c.unlessFound(ctx, c.attempt)
}

// unlessMissing returns nil without an error for a record that does not exist.
func unlessMissing[T any](record *T, err error) (*T, error) {
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return record, err
}

// every yields the records after an id, or all records if the list has no since_id.
func every[T any](ctx context.Context, l List[T], after ID) iter.Seq2[*T, error] {
	if !engine.Listing(l).Spec().SinceID {
		return l.All(ctx)
	}
	return l.Since(ctx, after)
}

// owner returns the store of the list and its path.
func (l *listing) owner() (ID, string) {
	var path strings.Builder
	store := ID(engine.CoreOf(l.Service).Config().Store)
	if err := engine.WritePath(&path, l.Path, l.Args); err != nil {
		return store, l.Path // the first use of the list fails
	}
	return store, path.String()
}

// date requests the platform's time. It is zero if the answer has no Date. A rejected request also has a Date, for
// example a query with too many results.
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
