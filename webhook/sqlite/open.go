package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/commerceplatform/commerce-go/webhook"
	_ "modernc.org/sqlite" // the driver
)

// Options say what an inbox may do. The zero value is durable.
type Options struct {
	// HighWater is the number of pending entries above which Accept answers
	// webhook.ErrFull to new keys. It is exact. 0 means DefaultHighWater.
	HighWater int
	// Sync is when a write is on disk. "" means Full.
	Sync Sync
	// AllowLossy permits a Sync that acknowledges before that, and files that live in
	// memory. What was answered 2xx can then be lost.
	AllowLossy bool
}

// DefaultHighWater is the default of Options.HighWater.
const DefaultHighWater = 1_000_000

// Sync is SQLite's setting "synchronous".
type Sync string

const (
	Full   Sync = "full"   // before the call returns: a power cut loses nothing
	Normal Sync = "normal" // some time later: a power cut loses what was accepted last
	Off    Sync = "off"    // when the system likes: a power cut may destroy the file
)

// Inbox keeps entries in a file. Make it with [Open]. It is safe for concurrent use.
type Inbox struct {
	path      string
	highWater int
	clock     clock
	db        *sql.DB // of DB, and for reads

	writer  *sql.DB // one connection, of the collector
	calls   chan *call
	closing chan struct{}
	done    chan struct{} // the collector has ended
	once    sync.Once
	closed  error
	wake    signal
	erasing erasing
}

var (
	_ webhook.Inbox       = (*Inbox)(nil)
	_ webhook.DeadLetters = (*Inbox)(nil)
	_ webhook.Marks       = (*Inbox)(nil)
)

// Open opens the inbox in a file, and makes the file or its tables if they are missing. A new file can be
// read by its owner only. Several processes of one machine may open it; network file systems
// do not do. It refuses what would acknowledge entries before they are on disk,
// unless o.AllowLossy is set.
func Open(ctx context.Context, path string, o Options) (*Inbox, error) {
	in, err := open(ctx, path, o)
	if err != nil {
		return nil, fmt.Errorf("sqlite: inbox %s: %w", path, err)
	}
	return in, nil
}

func open(ctx context.Context, path string, o Options) (_ *Inbox, err error) {
	if o.HighWater == 0 {
		o.HighWater = DefaultHighWater
	}
	if o.Sync == "" {
		o.Sync = Full
	}
	switch {
	case o.HighWater < 0:
		return nil, fmt.Errorf("HighWater %d: want 0 or more", o.HighWater)
	case o.Sync != Full && o.Sync != Normal && o.Sync != Off:
		return nil, fmt.Errorf("Sync %q: want %q, %q or %q", o.Sync, Full, Normal, Off)
	case o.Sync != Full && !o.AllowLossy:
		return nil, fmt.Errorf("Sync %q acknowledges before it wrote to disk: set AllowLossy if that is meant", o.Sync)
	case path == "" || strings.HasPrefix(path, ":memory:") || strings.HasPrefix(path, "file:"):
		return nil, errors.New("want the name of a file on disk")
	}
	if err := create(path); err != nil {
		return nil, err
	}
	in := &Inbox{
		path: path, highWater: o.HighWater, clock: startClock(),
		calls: make(chan *call, mostCalls), closing: make(chan struct{}), done: make(chan struct{}),
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, in.closeFiles())
		}
	}()
	if in.db, err = connect(path, o.Sync, 8); err != nil {
		return nil, err
	}
	if in.writer, err = connect(path, o.Sync, 1); err != nil {
		return nil, err
	}
	if err := in.verify(ctx, o); err != nil {
		return nil, err
	}
	if err := migrate(ctx, in.writer); err != nil {
		return nil, err
	}
	w, err := newWriter(ctx, in)
	if err != nil {
		return nil, err
	}
	go w.run()
	return in, nil
}

// create makes the file if it is missing, and sees to it that its name survives a power cut.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// connect opens a pool of connections. Their transactions begin with the write
// lock, since one that reads first cannot always get it later.
func connect(path string, sync Sync, most int) (*sql.DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	settings := url.Values{
		"_pragma": {"busy_timeout(5000)", "journal_mode(wal)", "synchronous(" + string(sync) + ")", "secure_delete(on)"},
		"_txlock": {"immediate"},
	}
	dsn := url.URL{Scheme: "file", Opaque: (&url.URL{Path: absolute}).EscapedPath(), RawQuery: settings.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db, nil
}

// verify asks the file whether it does what it was told.
func (in *Inbox) verify(ctx context.Context, o Options) error {
	for _, db := range []*sql.DB{in.db, in.writer} {
		var journal string
		var level int
		if err := db.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&journal); err != nil {
			return err
		}
		if err := db.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&level); err != nil {
			return err
		}
		const full = 2
		if !o.AllowLossy && (journal != "wal" || level < full) {
			return fmt.Errorf("journal_mode is %s and synchronous %d, want wal and %d: the file cannot be made durable", journal, level, full)
		}
	}
	return nil
}

// DB returns connections to the file, for tables of your own and for
// transactions that end with webhook.CommitTx. Names of tables that begin with
// inbox_ belong to the inbox. Transactions of it begin with the write lock (BEGIN IMMEDIATE), and
// nothing is accepted while one is open: keep them short, and do not call out of
// them. It is closed with the inbox.
func (in *Inbox) DB() *sql.DB { return in.db }

// Close waits for calls in progress and closes the file. Calls that come later fail.
func (in *Inbox) Close() error {
	in.once.Do(func() {
		close(in.closing)
		<-in.done
		in.wake.all()
		in.closed = in.closeFiles()
	})
	return in.closed
}

func (in *Inbox) closeFiles() error {
	var errs []error
	for _, db := range []*sql.DB{in.db, in.writer} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}
