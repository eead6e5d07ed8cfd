package main

import (
	"context"
	"errors"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// phase is what is being read of a resource.
type phase string

const (
	crawling phase = "crawling" // everything
	changing phase = "changing" // what was changed since the watermark
	idle     phase = "idle"
)

// pass is how far one reading of a resource, from its first id to its last, has come.
type pass struct {
	phase     phase
	cursor    client.ID // everything up to this id was read
	newest    time.Time // the latest time of change that was seen before the pass began
	watermark time.Time // every change before it is mirrored; zero until the crawl ended
}

// since is from when on changes are asked for; zero asks for everything.
func (p pass) since(overlap time.Duration) time.Time {
	if p.watermark.IsZero() {
		return p.watermark
	}
	return p.watermark.Add(-overlap)
}

// catchUp makes the mirror of a resource equal to the store, wherever the process before this one was stopped.
func (s *session) catchUp(ctx context.Context, r resource) error {
	p, err := s.mirror.pass(ctx, r.name)
	if err != nil {
		return err
	}
	switch p.phase {
	case crawling:
		err = s.crawl(ctx, r, p)
	case changing: // it began before the process did, so another one follows
		err = s.readChanges(ctx, r, p)
	}
	if err != nil {
		return err
	}
	if err := s.changes(ctx, r); err != nil {
		return err
	}
	return s.reconcile(ctx, r)
}

// crawl reads everything behind the cursor.
func (s *session) crawl(ctx context.Context, r resource, p pass) error {
	store, err := r.look(ctx)
	if err != nil {
		return err
	}
	done, err := s.mirror.count(ctx, r.name, p.cursor)
	if err != nil {
		return err
	}
	if p.cursor == 0 {
		p.newest = store.newest
		s.t.print("%s: the crawl begins", r.name)
	} else {
		s.t.print("%s: the crawl goes on behind id %d, where %d records are mirrored", r.name, p.cursor, done)
	}
	bar := progress{what: r.name}
	err = s.read(ctx, r, &p, func(n int) {
		done += n
		s.t.progress(&bar, done, store.total)
	})
	if err == nil {
		s.t.print("%s: the crawl is complete: %s", r.name, count(done, "record", "records"))
	}
	return err
}

// changes reads what was changed since the watermark.
func (s *session) changes(ctx context.Context, r resource) error {
	p, err := s.mirror.pass(ctx, r.name)
	if err != nil {
		return err
	}
	p.phase, p.cursor = changing, 0
	if p.newest, err = s.mirror.newest(ctx, r.name); err != nil {
		return err
	}
	return s.readChanges(ctx, r, p)
}

// readChanges reads a pass of changes from its cursor to its end.
func (s *session) readChanges(ctx context.Context, r resource, p pass) error {
	what := ""
	if since := p.since(s.o.overlap); !since.IsZero() {
		what = " since " + stamp(since)
	}
	if p.cursor > 0 {
		what += ", going on behind id " + p.cursor.String()
	}
	n := 0
	err := s.read(ctx, r, &p, func(more int) { n += more })
	if err == nil {
		s.t.print("%s: read again what was changed%s: %s", r.name, what, count(n, "record", "records"))
	}
	return err
}

// read writes batch after batch with the cursor behind it, and ends the pass. The watermark moves to what was newest
// before the pass: what was changed behind its back is not older, and the next one asks for it.
func (s *session) read(ctx context.Context, r resource, p *pass, read func(n int)) error {
	q := query{perPage: s.o.perPage}
	if p.phase == changing {
		q.changed = p.since(s.o.overlap)
	}
	for p.phase != idle {
		q.after = p.cursor
		err := s.undisturbed(ctx, func() error {
			records, err := s.batch(ctx, r, q)
			if err != nil {
				return err
			}
			if n := len(records); n == q.perPage {
				p.cursor = records[n-1].id
			} else { // nothing is behind these
				p.phase, p.cursor, p.watermark = idle, 0, p.newest
			}
			if err := s.mirror.put(ctx, r.name, records, p); err != nil {
				return err
			}
			read(len(records))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// batch reads the first records of a query: one page of them, unless the platform gives smaller pages. A record that
// cannot be read is told of and left out; it does not keep the others from being mirrored.
func (s *session) batch(ctx context.Context, r resource, q query) ([]record, error) {
	var all []record
	for m, err := range r.records(ctx, q) {
		switch {
		case unreadable(err):
			s.t.lack("%s: %v", r.name, err)
			continue
		case err != nil:
			return nil, err
		}
		if all = append(all, m); len(all) == q.perPage {
			break
		}
	}
	return all, nil
}

// reread makes the mirror of one record equal to the store. It reports whether the store has the record.
func (s *session) reread(ctx context.Context, r resource, id client.ID) (there bool, err error) {
	err = s.undisturbed(ctx, func() error {
		now, err := r.get(ctx, id)
		if errors.Is(err, client.ErrNotFound) {
			_, err := s.mirror.remove(ctx, r.name, id)
			return err
		}
		if err != nil {
			return err
		}
		there = true
		return s.mirror.put(ctx, r.name, []record{now}, nil)
	})
	return there, err
}

// undisturbed runs a step that reads from the store and writes what it read. Steps never overlap: a record that was
// read earlier could otherwise be written later, over what is newer.
func (s *session) undisturbed(ctx context.Context, step func() error) error {
	select {
	case s.reading <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.reading }()
	return step()
}
