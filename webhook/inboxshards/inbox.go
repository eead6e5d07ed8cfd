package inboxshards

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Engine is an inbox that can be a shard. The engines of this module are.
type Engine interface {
	webhook.Inbox
	webhook.DeadLetters
	webhook.Stores
	webhook.Marks
	webhook.Tokens
	webhook.Browser
}

// Shard is one of the inboxes.
type Shard struct {
	// Name identifies the shard forever. It decides which stores the shard has, so it must not change. Do not use the
	// name of a shard again for another database.
	Name string
	// Open opens the inbox that stores the entries of the shard, such as postgres.OpenURL. It must return when its
	// context ends. It is called again until it succeeds: see [Open].
	Open func(ctx context.Context) (Engine, error)
	// Inbox is for an inbox that is open already and that the app closes. Nil if Open is set.
	Inbox Engine
}

// Options are the settings of an Inbox.
type Options struct {
	// Shards are the inboxes, in any order. Each process of the app must have the same.
	Shards []Shard
	// Change describes a change of Shards that is not complete. Nil means that there is none.
	Change *Change
	// OnDown is called when a shard could not be opened or has failed several times in a row, and with a nil error when
	// it answers again. If nil, both are logged to slog.Default.
	OnDown func(shard string, err error)
}

// Inbox distributes entries over several inboxes by store. Make it with [Open]. It is safe for concurrent use.
type Inbox struct {
	shards  []*shard // Options.Shards
	leaving []*shard // Change.Leaving
	change  *change  // nil if there is none
	first   atomic.Uint64

	ctx     context.Context // ends with Close
	close   context.CancelFunc
	opening sync.WaitGroup

	mu       sync.Mutex
	borrowed map[string]borrowed // by their keys
}

var (
	_ Engine         = (*Inbox)(nil)
	_ webhook.InTime = (*Inbox)(nil)
)

// newInbox returns an inbox over shards that are not open yet.
func newInbox(o Options) (*Inbox, error) {
	in := &Inbox{borrowed: make(map[string]borrowed)}
	if o.OnDown == nil {
		o.OnDown = logDown
	}
	var wrong callback.Check
	names := make(map[string]bool)
	open := func(all []Shard) (opened []*shard) {
		for _, s := range all {
			wrong.Refuse(s.Name == "", "a shard has no Name: must be a name that never changes")
			wrong.Refuse(names[s.Name], "shard %q: there are two of this Name", s.Name)
			wrong.Refuse((s.Inbox == nil) == (s.Open == nil), "shard %q: must have Open or an Inbox", s.Name)
			names[s.Name] = true
			opened = append(opened, newShard(s, o.OnDown))
		}
		return opened
	}
	in.shards = open(o.Shards)
	wrong.Refuse(len(in.shards) == 0, "no Shards")
	if o.Change != nil {
		in.leaving = open(o.Change.Leaving)
		in.change = newChange(*o.Change, in, &wrong)
	}
	return in, wrong.Err("inboxshards")
}

func logDown(name string, err error) {
	if err != nil {
		slog.Error("webhook/inboxshards: a shard does not answer: deliveries of its stores are refused", "shard", name,
			"error", callback.Message(err.Error()))
		return
	}
	slog.Info("webhook/inboxshards: a shard answers again", "shard", name)
}

// all returns all shards, also the leaving ones.
func (in *Inbox) all() []*shard { return slices.Concat(in.shards, in.leaving) }

// owner returns the shard of a store. During a change it is an error for a few seconds, which wraps ErrMoving.
func (in *Inbox) owner(ctx context.Context, store value.ID) (*shard, error) {
	to := best(in.shards, store)
	if in.change == nil {
		return to, nil
	}
	return in.change.owner(ctx, store, to)
}

// best returns the shard with the highest weight for a store. Each shard weighs independently, so a new one takes its
// part of the stores from all others, and no store moves between the others.
func best(shards []*shard, store value.ID) *shard {
	top, weight := shards[0], shards[0].weight(store)
	for _, s := range shards[1:] {
		if w := s.weight(store); w > weight {
			top, weight = s, w
		}
	}
	return top
}

// InTime reports whether every shard is [webhook.InTime]. It is false while a shard is not open.
func (in *Inbox) InTime(of webhook.Inbox) bool {
	return of == webhook.Inbox(in) && !slices.ContainsFunc(in.all(), func(s *shard) bool {
		engine, ok := s.engine().(webhook.InTime)
		return !ok || !engine.InTime(s.engine())
	})
}

// each calls a function for shards at the same time, and joins their errors.
func each(shards []*shard, do func(i int, s *shard) error) error {
	wrong := make([]error, len(shards))
	var calls sync.WaitGroup
	for i, s := range shards {
		calls.Go(func() { wrong[i] = s.named(do(i, s)) })
	}
	calls.Wait()
	return errors.Join(wrong...)
}

// named adds the name of a shard to an error.
func (s *shard) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("shard %q: %w", s.Name, err)
}
