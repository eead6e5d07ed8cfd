package postgres

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Defaults of Options.
const (
	DefaultQueue     = "default"       // of Options.Queue
	DefaultSchema    = "webhook_inbox" // of Options.Schema
	DefaultHighWater = 1_000_000       // of Options.HighWater
	DefaultMaxDead   = 100_000         // of Options.MaxDead, unless ten times HighWater is less
)

// Errors of Open.
var (
	// ErrLossy means that the database acknowledges writes that a power cut would lose.
	ErrLossy = errors.New("database is not durable")
	// ErrNewerSchema means that the tables were made by a later release of this package, which may rely on rules that
	// this release does not know.
	ErrNewerSchema = errors.New("newer schema")
)

// Options are the settings of an inbox. The zero value is for one app in a schema of its own.
type Options struct {
	// Queue distinguishes inboxes in one schema. Give each app its own; all processes of an app use the same. Empty
	// means DefaultQueue.
	Queue string
	// Schema is the schema of the tables. It is created if it is missing, which requires the right to create schemas in
	// the database. Empty means DefaultSchema.
	Schema string
	// HighWater is the number of pending entries at which Accept rejects new keys with webhook.ErrFull. It is
	// approximate: it does not count the entries that other processes accepted in the last second, or during a count
	// if that takes longer. Zero means DefaultHighWater.
	HighWater int
	// MaxDead is the largest number of dead entries, without privacy requests. If there are more, the oldest are
	// deleted in small steps. Entries that cannot be handled are deleted before entries whose handler failed. OnError
	// is called with their number, and Stats.Trimmed has it. A process notices a moment later that there are too many,
	// or within a minute if other processes added them. All processes should have the same value. Zero means ten times
	// HighWater, at most DefaultMaxDead.
	MaxDead int
	// AllowLossy accepts databases that acknowledge writes before they are on disk, and does not set
	// synchronous_commit. Deliveries that were answered 2xx can then be lost.
	AllowLossy bool
	// OnError is called with problems that fail no call. Examples are a pool that is too small, a pooler through which
	// a process cannot be woken, tables that were restored or copied, and dead entries that were deleted. It may be
	// called by several goroutines. If nil, slog.Default logs a warning.
	OnError func(err error)
}

var schemaName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,50}$`)

// withDefaults returns the options with every field set, or an error that describes mistakes in them.
func (o Options) withDefaults() (Options, error) {
	if o.Queue == "" {
		o.Queue = DefaultQueue
	}
	if o.Schema == "" {
		o.Schema = DefaultSchema
	}
	if o.HighWater == 0 {
		o.HighWater = DefaultHighWater
	}
	if o.MaxDead == 0 {
		o.MaxDead = min(10*o.HighWater, DefaultMaxDead)
	}
	switch {
	case len(o.Queue) > 200 || !storable(o.Queue):
		return o, fmt.Errorf("Queue is %q: must be at most 200 bytes of UTF-8 without NUL", o.Queue)
	case !schemaName.MatchString(o.Schema) || strings.HasPrefix(o.Schema, "pg_"):
		return o, fmt.Errorf("Schema is %q: must be a-z, 0-9 and _, not beginning with a digit or pg_, at most 51 characters", o.Schema)
	case o.HighWater < 0:
		return o, fmt.Errorf("HighWater is %d: must be 0 or more", o.HighWater)
	case o.MaxDead < 0:
		return o, fmt.Errorf("MaxDead is %d: must be 0 or more", o.MaxDead)
	}
	return o, nil
}

// storable reports whether the engine can store s as text.
func storable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsRune(s, 0)
}
