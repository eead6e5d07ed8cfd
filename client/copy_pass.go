package client

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/url"
	"reflect"
	"slices"
	"time"
)

func runPart(s *copyState) *copyPart   { return &s.Run }
func checkPart(s *copyState) *copyPart { return &s.Check }

// run completes the pass in progress, crawls if no crawl has been completed, and then reads the changes.
func (c *copying) run(ctx context.Context) error {
	seen, err := c.load(ctx)
	if err != nil {
		return c.failed("run", err)
	}
	for begun := seen.Run.Pass == nil; ; begun = true {
		ended, err := c.pass(ctx, runPart, 0)
		if err != nil || ended == CopyChanges && begun {
			return err
		}
	}
}

// reconcile compares all ids, or crawls if no crawl has been completed. If it continues an earlier pass, it compares
// the ids before that again.
func (c *copying) reconcile(ctx context.Context) error {
	seen, err := c.load(ctx)
	if err != nil {
		return c.failed("reconcile", err)
	}
	if !seen.Whole {
		return c.run(ctx)
	}
	begun := seen.Check.Pass
	_, err = c.pass(ctx, checkPart, 0)
	if err == nil && begun != nil && begun.Through > 0 {
		_, err = c.pass(ctx, checkPart, begun.Through)
	}
	return err
}

// pass continues a pass until it ends, or until it has compared the ids up to upTo if that is not 0. It returns the
// phase of the pass.
func (c *copying) pass(ctx context.Context, part func(*copyState) *copyPart, upTo ID) (CopyPhase, error) {
	for rereads := 0; ; {
		seen, err := c.load(ctx)
		if err != nil {
			return "", c.failed("pass", err)
		}
		p := c.begun(seen.copyState, part(seen.copyState).Pass, part)
		ended, err := c.page(ctx, seen, part, p)
		switch {
		case errors.Is(err, errReread) && rereads < mostRereads:
			rereads++
			continue
		case err != nil:
			return p.Phase, c.failed(fmt.Sprintf("%s after %d records", p.Phase, p.Records), err)
		case ended, upTo > 0 && p.Through >= upTo:
			return p.Phase, nil
		}
		rereads = 0
	}
}

// begun returns a copy of the pass in progress, or a new one.
func (c *copying) begun(s *copyState, p *copyPass, part func(*copyState) *copyPart) *copyPass {
	switch {
	case p != nil:
		own := *p
		return &own
	case part(s) == checkPart(s):
		return &copyPass{Phase: CopyReconcile}
	case s.Whole:
		return &copyPass{Phase: CopyChanges, Since: s.Mark}
	}
	return &copyPass{Phase: CopyCrawl}
}

// crawl returns the rest of the list that a pass reads.
func (c *copying) crawl(p *copyPass) *crawling {
	l := *c.list
	l.Query = maps.Clone(l.Query)
	if l.Query == nil {
		l.Query = make(url.Values)
	}
	if p.Phase == CopyChanges {
		l.Query = updatedSince(l.Query, p.Since)
	}
	if p.Cursor == "" {
		return l.crawl()
	}
	return l.crawl().resumed(p.Cursor)
}

// copyPage is a page of a pass.
type copyPage struct {
	*listPage
	bad   map[ID]error // records that cannot be read
	ids   map[ID]bool  // of all records, including bad ones
	reach ID           // the greatest id; the page has all records up to it, if ids ascend with creation
	mark  time.Time    // a time that the platform had reached
	lost  bool         // the mark of the pass is later than both clocks
}

// read reads the next page of a pass.
func (c *copying) read(ctx context.Context, p *copyPass) (*copyPage, error) {
	clock := &syncClock{mark: p.Since, here: time.Now()}
	for page, err := range c.crawl(p).pages(ctx) {
		if page == nil || err != nil && !errors.Is(err, ErrUnreadableItem) {
			return nil, err
		}
		clock.read(page)
		if p.Cursor == "" && clock.doubtful() {
			c.list.codec.doubt(ctx, clock.date, clock.proof)
		}
		got := &copyPage{listPage: page, bad: make(map[ID]error), ids: make(map[ID]bool), reach: page.unread, mark: clock.reached(), lost: clock.mistaken()}
		if got.mark.Before(p.Since) {
			got.mark = p.Since
		}
		for _, item := range unreadItems(err) {
			got.bad[item.id], got.ids[item.id] = item, true
		}
		for i := range page.items.Len() {
			id := c.list.id(page.items.Index(i).Addr().Interface())
			got.ids[id], got.reach = true, max(got.reach, id)
		}
		if page.cursor == "" {
			got.reach = math.MaxInt64
		}
		return got, nil
	}
	return nil, errors.New("the crawl returned no page")
}

// unreadItems returns the unreadable items of the error of a page.
func unreadItems(err error) []*DecodeError {
	for ; err != nil; err = errors.Unwrap(err) {
		if bad := badItems(err); len(bad) > 0 {
			return bad
		}
	}
	return nil
}

// page reads a page and applies it.
func (c *copying) page(ctx context.Context, seen copyLoad, part func(*copyState) *copyPart, p *copyPass) (ended bool, err error) {
	first := part(seen.copyState).Pass == nil
	page, err := c.read(ctx, p)
	if err != nil {
		return false, err
	}
	ch := &copyChange{part: part, put: c.none()}
	if p.Phase == CopyChanges && page.lost {
		c.list.codec.config.Logger.LogAttrs(ctx, slog.LevelWarn, "client: the mark of a copy is later than both clocks, so the copy reads all records again",
			slog.String("list", c.list.Path), slog.Time("mark", p.Since))
		ch.move = func(s *copyState) { s.Whole, s.Mark, s.Run.Pass = false, time.Time{}, nil }
		return false, c.commit(ctx, seen, ch)
	}
	if first && p.Phase != CopyReconcile {
		p.Next = page.mark
	}
	complete := true
	if p.Phase != CopyChanges {
		if complete, err = c.compare(ctx, p, page, ch); err != nil {
			return false, err
		}
	}
	if complete {
		if ch.put, err = c.confirmed(ctx, seen, page.items); err != nil {
			return false, err
		}
		p.Cursor, p.Through = page.cursor, max(p.Through, page.reach)
		p.Records += len(page.ids)
		for id := range page.bad {
			if id != 0 && !slices.Contains(ch.unread, id) {
				ch.unread = append(ch.unread, id)
			}
		}
		ended = page.cursor == ""
	}
	ch.move = func(s *copyState) {
		if at := part(s); !ended {
			at.Pass = p
		} else if at.Pass = nil; p.Phase != CopyReconcile {
			s.Whole, s.Mark = true, p.Next
		}
	}
	if err := c.commit(ctx, seen, ch); err != nil {
		return false, err
	}
	progress := CopyProgress{Phase: p.Phase, Records: p.Records, Total: -1, Done: ended}
	if page.total >= 0 && complete {
		progress.Total = p.Records - len(page.ids) + page.total
	}
	c.report(ctx, progress, page.bad)
	return ended, nil
}

// Bounds of a step that compares ids.
const (
	mostGets   = 50  // records that are read one by one
	mostIDs    = 500 // ids that one call of Mirror.IDs returns
	mostBroken = 3   // records that the platform cannot give; of more, it is the platform that fails
)

// compare compares the ids of the mirror with those of a page, up to the last one of the page, and adds the records
// that only the mirror has to the change. If there are too many for one step, it returns false, and the pass continues
// after the last of them with the same page.
func (c *copying) compare(ctx context.Context, p *copyPass, page *copyPage, ch *copyChange) (complete bool, err error) {
	here, upTo, err := c.mirrored(ctx, p.Through, page)
	if err != nil {
		return false, err
	}
	var differ []ID
	for id := range here {
		if !page.ids[id] {
			differ = append(differ, id)
		}
	}
	if slices.Sort(differ); len(differ) > mostGets {
		differ = differ[:mostGets]
		upTo = differ[mostGets-1]
	}
	broken := 0
	for _, id := range differ {
		err := c.settle(ctx, id, ch)
		if isBroken(err) {
			broken++
		}
		if errors.As(err, new(*DecodeError)) || isBroken(err) && broken <= mostBroken {
			page.bad[id], ch.unread, err = err, append(ch.unread, id), nil // the mirror retains its version
		}
		if err != nil {
			return false, err
		}
	}
	p.Through = max(p.Through, upTo)
	return upTo == page.reach, nil
}

// mirrored returns the ids in the mirror up to the last one of a page, or up to the id where mostGets of them are not
// on the page.
func (c *copying) mirrored(ctx context.Context, after ID, page *copyPage) (here map[ID]bool, upTo ID, err error) {
	here = make(map[ID]bool)
	absent := 0
	for upTo = after; upTo < page.reach; {
		ids, err := c.ids(ctx, upTo, mostIDs)
		if err != nil {
			return nil, 0, fmt.Errorf("read ids of the mirror: %w", err)
		}
		for _, id := range ids {
			if id <= upTo {
				return nil, 0, fmt.Errorf("Mirror.IDs returned %d after %d: ids must ascend", id, upTo)
			}
			if id > page.reach {
				return here, page.reach, nil
			}
			here[id], upTo = true, id
			if page.ids[id] {
				continue
			}
			if absent++; absent == mostGets {
				return here, upTo, nil
			}
		}
		if len(ids) < mostIDs {
			break
		}
	}
	return here, page.reach, nil
}

// settle reads a record that is only in the mirror.
func (c *copying) settle(ctx context.Context, id ID, ch *copyChange) error {
	_, err := c.get(ctx, id)
	if errors.Is(err, ErrNotFound) {
		ch.remove, err = append(ch.remove, id), nil
	}
	return err
}

// confirmed returns records of a page. While more deletions were reported than a state stores, it reads each record
// that the mirror lacks, because the platform may still list records that it has deleted.
func (c *copying) confirmed(ctx context.Context, seen copyLoad, items reflect.Value) (reflect.Value, error) {
	if !seen.crowded(seen.at) || items.Len() == 0 {
		return items, nil
	}
	lacking, greatest := make(map[ID]bool), ID(0)
	for i := range items.Len() {
		id := c.list.id(items.Index(i).Addr().Interface())
		lacking[id], greatest = true, max(greatest, id)
	}
	for after := ID(0); after < greatest; {
		ids, err := c.ids(ctx, after, mostIDs)
		if err != nil {
			return items, fmt.Errorf("read ids of the mirror: %w", err)
		}
		for _, id := range ids {
			delete(lacking, id)
			after = max(after, id)
		}
		if len(ids) < mostIDs {
			break
		}
	}
	gone := make(map[ID]bool)
	for id := range lacking {
		if _, err := c.get(ctx, id); errors.Is(err, ErrNotFound) {
			gone[id] = true
		} else if err != nil {
			return items, err
		}
	}
	return c.list.filtered(items, func(id ID) bool { return !gone[id] }), nil
}

// isBroken reports whether the platform cannot give a record.
func isBroken(err error) bool {
	return errors.Is(err, errOtherID) || errors.Is(err, ErrForbidden) ||
		errors.Is(err, ErrServer) && !errors.Is(err, ErrCircuitOpen)
}
