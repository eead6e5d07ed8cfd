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
)

// Errors of Open.
var (
	// ErrLossy: the database acknowledges what a power cut would take back.
	ErrLossy = errors.New("database is not durable")
	// ErrNewerSchema: the tables were made by a later release of this package, which may
	// rely on rules that this one does not know.
	ErrNewerSchema = errors.New("newer schema")
)

// Options say where an inbox lives and what it may do. The zero value is one app in a
// schema of its own.
type Options struct {
	// Queue tells inboxes in one schema apart. Give each app its own; all processes of
	// an app use the same. "" means DefaultQueue.
	Queue string
	// Schema of the tables. It is created if it is missing. "" means DefaultSchema.
	Schema string
	// HighWater is the number of pending entries above which Accept answers
	// webhook.ErrFull to new keys. It is approximate by what other processes accept
	// within a second, or while it is counted if that takes longer. 0 means DefaultHighWater.
	HighWater int
	// AllowLossy takes databases that acknowledge before what they wrote is on disk,
	// and leaves synchronous_commit as it is. What was answered 2xx can then be lost.
	AllowLossy bool
	// OnError is called with what is wrong with the connections and fails no call: a pool that is too small, and a
	// pooler through which a process cannot be woken. It may be called by several goroutines. If it is nil,
	// slog.Default logs it as a warning.
	OnError func(err error)
}

var schemaName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,50}$`)

// withDefaults returns the options with every field set, or says what is wrong with them.
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
	switch {
	case len(o.Queue) > 200 || !storable(o.Queue):
		return o, fmt.Errorf("Queue %q: want at most 200 bytes of UTF-8 without NUL", o.Queue)
	case !schemaName.MatchString(o.Schema) || strings.HasPrefix(o.Schema, "pg_"):
		return o, fmt.Errorf("Schema %q: want a-z, 0-9 and _, not beginning with a digit or pg_, at most 51 characters", o.Schema)
	case o.HighWater < 0:
		return o, fmt.Errorf("HighWater %d: want 0 or more", o.HighWater)
	}
	return o, nil
}

// storable reports whether the engine can keep s as text.
func storable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsRune(s, 0)
}
