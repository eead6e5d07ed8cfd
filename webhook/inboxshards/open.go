package inboxshards

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/webhook"
)

const (
	openPatience = 5 * time.Second // for which Open waits for a shard while another one is open
	openEvery    = time.Second     // between two attempts to open a shard
	openFor      = 5 * time.Minute // the longest attempt, with its migrations
)

// Open opens the shards and returns an inbox over them. A shard that does not answer, with webhook.ErrUnavailable or
// for five seconds, delays nothing: its calls fail until it has been opened in the background, and Options.OnDown is
// called. Open fails if a shard has another error, such as a newer schema or the inbox
// of another shard, or if no shard answers. Close the inbox.
func Open(ctx context.Context, o Options) (*Inbox, error) {
	in, err := newInbox(o)
	if err != nil {
		return nil, err
	}
	in.ctx, in.close = context.WithCancel(context.WithoutCancel(ctx))
	if err := in.openAll(ctx); err != nil {
		return nil, fmt.Errorf("inboxshards: %w", errors.Join(err, in.Close()))
	}
	return in, nil
}

// Close ends the background work and closes the shards that were opened with Shard.Open.
func (in *Inbox) Close() error {
	in.close()
	in.opening.Wait()
	return each(in.all(), func(_ int, s *shard) error { return s.shut(s.engine()) })
}

// attempt is the result of the first attempt to open a shard.
type attempt struct {
	*shard
	err error
}

// openAll begins to open all shards. It returns when each has answered, or after a while if at least one is open.
func (in *Inbox) openAll(ctx context.Context) error {
	missing, started := make(map[*shard]bool), make(chan struct{})
	attempts := make(chan attempt, len(in.all()))
	for _, s := range in.all() {
		missing[s] = true
		in.opening.Go(func() { s.keepOpening(in.ctx, attempts, started) })
	}
	var down []error
	late, over := time.NewTimer(openPatience), false
	defer late.Stop()
	for len(missing) > 0 && (!over || len(missing)+len(down) == len(in.all())) {
		select {
		case a := <-attempts:
			delete(missing, a.shard)
			if unavailable(a.err) {
				down = append(down, a.named(a.err))
			} else if a.err != nil {
				return a.named(a.err)
			}
		case <-late.C:
			over = true
		case <-ctx.Done():
			return callback.Ended(ctx)
		}
	}
	if len(down) == len(in.all()) {
		return errors.Join(down...)
	}
	for s := range missing {
		s.note(fmt.Errorf("%w: no answer for %v", webhook.ErrUnavailable, openPatience))
	}
	close(started)
	return nil
}

// keepOpening opens the shard, and tries again until it succeeds. The first result is that of Open.
func (s *shard) keepOpening(ctx context.Context, first chan<- attempt, started <-chan struct{}) {
	err := s.tryOpen(ctx)
	first <- attempt{s, err}
	select {
	case <-started:
	case <-ctx.Done():
		return
	}
	for s.note(err); err != nil; s.note(err) {
		if pause(ctx, openEvery) != nil {
			return
		}
		err = s.tryOpen(ctx)
		if ctx.Err() != nil {
			return
		}
	}
}

// tryOpen opens the shard.
func (s *shard) tryOpen(ctx context.Context) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("Open panicked: %v", v)
		}
		if err != nil {
			s.closed.fail(err)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, openFor)
	defer cancel()
	engine, err := s.open(ctx)
	if err != nil {
		return err
	}
	if engine == nil {
		return errors.New("Open returned no inbox")
	}
	if err := s.identify(ctx, engine); err != nil {
		return errors.Join(err, s.shut(engine))
	}
	s.opened.Store(&engine)
	close(s.closed.ends)
	return nil
}

// identity is the name of a mark: a hash of the name of the shard, in microseconds.
const identity = "name of the shard"

// identify returns an error if an inbox is that of another shard.
func (s *shard) identify(ctx context.Context, engine Engine) error {
	own := time.UnixMicro(int64(s.seed >> 12))
	mark, err := engine.Mark(ctx, identity)
	if err == nil && mark.IsZero() {
		mark, err = own, engine.SetMark(ctx, identity, own)
	}
	if err != nil && !s.owned {
		return nil // it is down, as any shard may be later
	}
	if err != nil {
		return fmt.Errorf("%w: %w", webhook.ErrUnavailable, err)
	}
	if !mark.Equal(own) {
		return errors.New("its inbox is that of another shard: must be the one that has had this Name since it was new")
	}
	return nil
}

// shut closes an inbox that Shard.Open has opened.
func (s *shard) shut(engine Engine) error {
	if closer, ok := engine.(io.Closer); ok && s.owned {
		return closer.Close()
	}
	return nil
}

// note reports the result of an attempt, unless the last one was of the same kind.
func (s *shard) note(err error) {
	kind := "open"
	if unavailable(err) {
		kind = "down"
	} else if err != nil {
		kind = "wrong"
	}
	if kind != s.noted {
		s.noted = kind
		s.onDown(s.Name, err)
	}
}

// unavailable reports whether a later attempt to open a shard may succeed although nobody has changed anything.
func unavailable(err error) bool {
	return errors.Is(err, webhook.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded)
}
