package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	_ "modernc.org/sqlite" // the driver
)

// Options say what an inbox may do. The zero value is durable.
type Options struct {
	// HighWater is the number of pending entries above which Accept answers
	// webhook.ErrFull to new keys. It is exact, unless the file was damaged: see Damage. 0 means DefaultHighWater.
	HighWater int
	// Sync is when a write is on disk. "" means Full.
	Sync Sync
	// AllowLossy permits a Sync other than Full. What was answered 2xx can then be lost.
	AllowLossy bool
	// OnError is called with damage of the file that no call returns: entries that an index did not have, and pages
	// that SQLite cannot read. It may be called by several goroutines. If it is nil, slog.Default logs them as errors.
	OnError func(err error)
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

// level is the word of SQLite. With "extra", the end of a journal that is not one of writes ahead, as when the file is
// made, is as durable as everything else.
func (s Sync) level() string {
	if s == Full {
		return "extra"
	}
	return string(s)
}

// Inbox keeps entries in a file. Make it with [Open]. It is safe for concurrent use.
type Inbox struct {
	place     *place
	contents  contents
	log       bool // there is a log of writes
	highWater int
	clock     clock
	db        *sql.DB // of DB, and for reads

	writer  *sql.DB // one connection, of the collector
	own     *writer // the collector; used by whoever has the turn
	calls   chan *call
	closing chan struct{}
	done    chan struct{} // the collector has ended
	once    sync.Once
	closed  error
	wake    signal
	waits   waits
	busy    atomic.Bool // the last lease had all that it asked for
	looked  looked
	erasing erasing
	report  func(err error)
	patrol  patrol
	turn    chan struct{}         // full while somebody of this process writes, who has had to wait for his turn
	broken  atomic.Pointer[error] // the file failed: what it holds is not known until it is opened again
}

var (
	_ webhook.Inbox       = (*Inbox)(nil)
	_ webhook.DeadLetters = (*Inbox)(nil)
	_ webhook.Marks       = (*Inbox)(nil)
	_ webhook.Stores      = (*Inbox)(nil)
	_ webhook.Browser     = (*Inbox)(nil)
)

// Open opens the inbox in a file, and makes the file or its tables if they are missing. A new file can be
// read by its owner only. Several processes of one machine may open it; network file systems
// do not do. It refuses what would acknowledge entries before they are on disk,
// unless o.AllowLossy is set.
func Open(ctx context.Context, path string, o Options) (*Inbox, error) {
	in, err := open(ctx, path, "", o)
	if err != nil {
		return nil, fmt.Errorf("sqlite: inbox %s: %w", path, err)
	}
	return in, nil
}

// open uses one of SQLite's layers for files; "" is that of the system.
func open(ctx context.Context, path, layer string, o Options) (_ *Inbox, err error) {
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
	if err := create(path, syncDirectory); err != nil {
		return nil, err
	}
	at, err := locate(path)
	if err != nil {
		return nil, err
	}
	in := &Inbox{
		place: at, highWater: o.HighWater, clock: startClock(),
		calls: make(chan *call, mostCalls), closing: make(chan struct{}), done: make(chan struct{}),
		erasing: newErasing(), turn: make(chan struct{}, 1), report: o.OnError, patrol: newPatrol(),
	}
	if in.report == nil {
		in.report = func(err error) { slog.Default().Error("webhook/sqlite: damage", "error", err) }
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, in.closeFiles())
		}
	}()
	// The collector empties the log itself, after it has looked at the files. The others do so if it cannot keep up.
	if in.db, err = connect(source(at.path, layer, o.Sync, 4*logPages), 8); err != nil {
		return nil, err
	}
	if in.writer, err = connect(source(at.path, layer, o.Sync, 0), 1); err != nil {
		return nil, err
	}
	if err := patient(ctx, func() error {
		if err := in.verify(ctx, o); err != nil {
			return err
		}
		return migrate(ctx, in.writer)
	}); err != nil {
		return nil, err
	}
	w, err := newWriter(ctx, in)
	if err != nil {
		return nil, err
	}
	if err := patient(ctx, func() error {
		if err := w.reconcile(); err != nil {
			return err
		}
		_, err := in.nextDue(ctx, webhook.LeaseQuery{}) // reads the clock
		return err
	}); err != nil {
		w.stmts.close()
		return nil, err
	}
	w.eraseAlone() // what a process left that was killed
	if in.log {
		if err := errors.Join(in.place.opened(), w.follow(ctx)); err != nil {
			w.stmts.close()
			return nil, err
		}
	}
	go w.run()
	go in.walk()
	return in, nil
}

// create makes the file if it is missing, and sees to it with sync that its name survives a power cut. If the path is a
// link that leads to nothing, the file is made where it leads.
func create(path string, sync func(directory string) error) error {
	target, err := missing(path)
	if err != nil || target == "" {
		return err
	}
	f, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, os.ErrExist) { // another process has made it
		return nil
	}
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return sync(filepath.Dir(target))
}

// missing returns where the file has to be made, or "" if it is there. An existing file is not opened: to close it
// would end the locks that this process has on it.
func missing(path string) (string, error) {
	const mostLinks = 40
	for range mostLinks {
		info, err := os.Lstat(path)
		if errors.Is(err, os.ErrNotExist) {
			return path, nil
		}
		if err != nil || info.Mode()&os.ModeSymlink == 0 {
			return "", err
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", err
			}
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return "", fmt.Errorf("%s: too many symbolic links", path)
}

// busyTimeout is how long a connection waits for another process.
const busyTimeout = 5 * time.Second

// waitForOthers is the setting of a connection that waits so long.
var waitForOthers = fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds())

// patient repeats what fails because another process has the file for itself. SQLite does not wait
// for one that makes the file a log of writes ahead, or that takes the log away as the last to close.
func patient(ctx context.Context, prepare func() error) error {
	ctx, cancel := context.WithTimeout(ctx, busyTimeout)
	defer cancel()
	const pause = 10 * time.Millisecond
	for {
		err := prepare()
		if !isBusy(err) {
			return err
		}
		select {
		case <-time.After(pause + rand.N(pause)):
		case <-ctx.Done():
			return err
		}
	}
}

// source is the name of the file with the settings of each connection. Transactions begin with the
// write lock, since one that reads first cannot always get it later.
func source(path, layer string, sync Sync, checkpoint int) string {
	settings := url.Values{
		"_pragma": {
			waitForOthers, "synchronous(" + sync.level() + ")",
			"fullfsync(on)", "checkpoint_fullfsync(on)", // where a sync of the system leaves data in the cache of the disk
			"secure_delete(on)", "temp_store(memory)", // bodies get into no other file
			fmt.Sprintf("journal_size_limit(%d)", logLimit), fmt.Sprintf("wal_autocheckpoint(%d)", checkpoint),
		},
		"_journal_mode": {"wal"}, // set when all others are, so that the change is durable
		"_txlock":       {"immediate"},
	}
	if layer != "" {
		settings.Set("vfs", layer)
	}
	dsn := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: settings.Encode()}
	return dsn.String()
}

// connect opens a pool of connections, which are kept.
func connect(dsn string, most int) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn)
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
		in.log = journal == "wal"
	}
	return nil
}

// Close waits for calls in progress and closes the file. Calls that come later fail.
func (in *Inbox) Close() error {
	in.once.Do(func() {
		in.patrol.stop() // first, so that it does not report that the inbox is closed
		close(in.closing)
		in.patrol.end()
		<-in.done
		in.wake.all()
		in.closed = in.closeFiles()
	})
	return in.closed
}

func (in *Inbox) closeFiles() error {
	in.contents.letGo()
	in.waits.close()
	var errs []error
	for _, db := range []*sql.DB{in.db, in.writer} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(append(errs, in.contents.close())...)
}
