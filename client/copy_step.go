package client

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/rounds"
)

// mostRereads limits how often a step is read again because other steps have written its records.
const mostRereads = 10

// errReread means that a record of a step was written after the step began to read.
var errReread = errors.New("other steps wrote its records each time they were read")

// errOtherID means that the platform answered a request for a record with another one.
var errOtherID = errors.New("the answer has another id")

// copying is a Copy without the type of its records.
type copying struct {
	list       *listing
	state      func(ctx context.Context) (string, error)
	ids        func(ctx context.Context, after ID, limit int) ([]ID, error)
	apply      func(ctx context.Context, before, after string, put reflect.Value, remove []ID) error
	progress   func(context.Context, CopyProgress)
	unreadable func(context.Context, ID, error)
}

// copyLoad is a state, and its stored text.
type copyLoad struct {
	*copyState
	before string
	at     time.Time // before the state was loaded
}

// copyChange is the change of a step.
type copyChange struct {
	part   func(*copyState) *copyPart // the pass that it continues; nil if none
	move   func(*copyState)           // continues it; nil if none
	put    reflect.Value              // a slice of records
	remove []ID
	bury   bool // remove has records that the platform reported as deleted
	unread []ID
}

// failed adds the resource and the step to an error.
func (c *copying) failed(step string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("copy of %s: %s: %w", c.list.Path, step, err)
}

// check returns an error if the copy is configured wrongly.
func (c *copying) check() error {
	switch {
	case c.list.Err != nil:
		return c.list.Err
	case c.apply == nil:
		return fmt.Errorf("Mirror: must be set: %w", ErrValidation)
	case !c.list.SinceID:
		return fmt.Errorf("List: must support since_id: %w", ErrValidation)
	}
	for _, name := range sortedKeys(c.list.Query) {
		if name != "per_page" && name != "fields" && name != "aggregates" {
			return fmt.Errorf("List: must select all records, but selects by %s: %w", name, ErrValidation)
		}
	}
	return nil
}

// load returns the stored state. Records that are read from the platform afterwards are not older than it.
func (c *copying) load(ctx context.Context) (copyLoad, error) {
	if err := c.check(); err != nil {
		return copyLoad{}, err
	}
	at := time.Now()
	before, err := c.state(ctx)
	if err != nil {
		return copyLoad{}, fmt.Errorf("read the state: %w", err)
	}
	s, err := readCopyState(before, c.list)
	return copyLoad{s, before, at}, err
}

// commit applies a change that was computed from a state. If the state has changed since, the change is applied to the
// new one. It is not applied if its pass was continued or its records were written since, because the records that it
// read may then be older than the mirror. So records are written in the order in which they were read.
func (c *copying) commit(ctx context.Context, seen copyLoad, ch *copyChange) error {
	for now := seen; ; {
		next, put := c.applied(now.copyState, ch, seen.at)
		after, err := next.text()
		if err != nil {
			return err
		}
		if err = c.apply(ctx, now.before, after, put, ch.remove); err == nil {
			c.reportCrowd(ctx, now.copyState, next)
			return nil
		}
		if !errors.Is(err, ErrCopyMoved) {
			return fmt.Errorf("write the mirror: %w", err)
		}
		failed := now.before
		if now, err = c.load(ctx); err != nil {
			return err
		}
		switch {
		case now.before == failed:
			return errors.New("Mirror.Apply returned ErrCopyMoved although State returns the state that the step begins with")
		case seen.before != "" && now.Born != seen.Born, ch.part != nil && ch.part(now.copyState).Step != ch.part(seen.copyState).Step:
			return ErrCopyMoved
		case !ch.bury && now.wrote(seen.Step, c.written(now.copyState, ch, seen.at)):
			return errReread
		}
	}
}

// reportCrowd reports that a state cannot remember all deletions any more.
func (c *copying) reportCrowd(ctx context.Context, before, after *copyState) {
	if now := time.Now(); after.crowded(now) && !before.crowded(now) {
		c.list.codec.config.Logger.LogAttrs(ctx, slog.LevelWarn,
			"client: many records were deleted within ten minutes, so records that the mirror lacks are read one by one for that time",
			slog.String("list", c.list.Path), slog.Int("remembered", keptTombstones))
	}
}

// applied returns the state after a change, whose records were read since a time, and the records to put, without
// records that were reported as deleted.
func (c *copying) applied(s *copyState, ch *copyChange, at time.Time) (*copyState, reflect.Value) {
	next, now := s.clone(), time.Now()
	next.Step++
	put := c.list.filtered(ch.put, func(id ID) bool { return !s.gone(id, at) })
	ids := c.written(s, ch, at)
	next.Unread = slices.DeleteFunc(next.Unread, func(id ID) bool { return slices.Contains(ids, id) })
	for _, id := range ch.unread {
		if !slices.Contains(next.Unread, id) {
			next.Unread = append(next.Unread, id)
		}
	}
	if ch.bury {
		for _, id := range ch.remove {
			next.bury(id, now)
		}
	} else {
		next.note(ids)
	}
	if ch.part != nil {
		ch.move(next)
		ch.part(next).Step = next.Step
	}
	next.forget(now)
	return next, put
}

// written returns the ids of the records that a change writes, in ascending order.
func (c *copying) written(s *copyState, ch *copyChange, at time.Time) []ID {
	ids := slices.Clone(ch.remove)
	for i := range ch.put.Len() {
		if id := c.list.id(ch.put.Index(i).Addr().Interface()); !s.gone(id, at) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// none returns an empty slice of records.
func (c *copying) none() reflect.Value { return reflect.MakeSlice(c.list.records, 0, 0) }

// changed reads and writes one record.
func (c *copying) changed(ctx context.Context, id ID) error {
	return c.failed("record "+id.String(), c.repeated(func() error {
		seen, err := c.load(ctx)
		if err != nil {
			return err
		}
		record, err := c.get(ctx, id)
		ch := &copyChange{put: c.none()}
		switch {
		case errors.Is(err, ErrNotFound):
			ch.remove = []ID{id}
		case err != nil:
			return err
		default:
			ch.put = reflect.Append(ch.put, record)
		}
		return c.commit(ctx, seen, ch)
	}))
}

// deleted removes a record that the platform has reported as deleted.
func (c *copying) deleted(ctx context.Context, id ID) error {
	return c.failed("deleted record "+id.String(), c.repeated(func() error {
		seen, err := c.load(ctx)
		if err != nil {
			return err
		}
		return c.commit(ctx, seen, &copyChange{put: c.none(), remove: []ID{id}, bury: true})
	}))
}

// repeated runs a step that continues no pass, and runs it again if another step was applied at the same time.
func (c *copying) repeated(step func() error) (err error) {
	for range mostRereads {
		if err = step(); !errors.Is(err, errReread) && !errors.Is(err, ErrCopyMoved) {
			return err
		}
	}
	return err
}

// get reads a record with the fields of the list.
func (c *copying) get(ctx context.Context, id ID) (reflect.Value, error) {
	if id <= 0 {
		return reflect.Value{}, fmt.Errorf("id %d: must be greater than 0: %w", id, ErrValidation)
	}
	query := make(url.Values)
	for _, name := range [...]string{"fields", "aggregates"} {
		if values := c.list.Query[name]; values != nil {
			query[name] = values
		}
	}
	if fields := query.Get("fields"); fields != "" {
		query.Set("fields", strings.Join(with(strings.Split(fields, ","), "id"), ","))
	}
	record := reflect.New(c.list.records.Elem())
	err := engine.Do(ctx, c.list.Service, engine.Request{
		Path: c.list.Path + "/{id}", Args: append(slices.Clone(c.list.Args), id), Query: query, Result: true, Secrets: c.list.Secrets,
	}, record.Interface())
	if err == nil && c.list.id(record.Interface()) != id {
		err = fmt.Errorf("GET %s/{id}: record %d: %w", c.list.Path, id, errOtherID)
	}
	return record.Elem(), err
}

// report calls the hooks after a page.
func (c *copying) report(ctx context.Context, p CopyProgress, bad map[ID]error) {
	for _, id := range slices.Sorted(maps.Keys(bad)) {
		if c.unreadable != nil {
			c.unreadable(ctx, id, bad[id])
			continue
		}
		c.list.codec.config.Logger.LogAttrs(ctx, slog.LevelWarn, "client: a record cannot be read and is not copied",
			slog.String("list", c.list.Path), slog.Int64("id", int64(id)), slog.Any("error", bad[id]))
	}
	if c.progress != nil {
		c.progress(ctx, p)
	}
	rounds.Moved(ctx)
}
