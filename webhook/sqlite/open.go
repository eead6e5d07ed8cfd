package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
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

// Options are the settings of an inbox. The zero value is durable.
type Options struct {
	// HighWater is the number of pending entries at which Accept rejects new keys with webhook.ErrFull. It is exact,
	// unless the file was damaged: see Damage. Zero means DefaultHighWater.
	HighWater int
	// MaxDead is the largest number of dead entries, without privacy requests and damaged entries. If there are more,
	// the oldest are deleted in small steps. Entries that cannot be handled are deleted before entries whose handler
	// failed. OnError is called with their number, and Stats.Trimmed has it. Each process counts the entries of others
	// once a minute. Zero means ten times HighWater, at most DefaultMaxDead.
	MaxDead int
	// Sync is when a write is on disk. Empty means Full.
	Sync Sync
	// AllowLossy permits a Sync other than Full. Deliveries that were answered 2xx can then be lost.
	AllowLossy bool
	// OnError is called with damage of the file that no call returns: entries that an index lacked, and pages that
	// SQLite cannot read. It is also called once if the tables are in another file than before, as after a restore, and
	// for dead entries that were deleted: see MaxDead. It may be called by several goroutines. If nil, slog.Default
	// logs errors.
	OnError func(err error)
}

// Defaults of Options.
const (
	DefaultHighWater = 1_000_000 // of Options.HighWater
	DefaultMaxDead   = 100_000   // of Options.MaxDead, unless ten times HighWater is less
)

// Sync is SQLite's setting "synchronous".
type Sync string

const (
	Full   Sync = "full"   // before the call returns: a power cut loses nothing
	Normal Sync = "normal" // some time later: a power cut loses the latest entries
	Off    Sync = "off"    // whenever the system writes: a power cut may destroy the file
)

// level is SQLite's name of the level. With "extra", the end of a rollback journal is as durable as all other writes.
// Such a journal is used when the file is made.
func (s Sync) level() string {
	if s == Full {
		return "extra"
	}
	return string(s)
}

// Inbox stores entries in a file. Make it with [Open]. It is safe for concurrent use.
type Inbox struct {
	place     *place
	contents  contents
	log       bool // there is a write-ahead log
	highWater int
	maxDead   int
	accepted  atomic.Int64 // for Flow, like the next
	handled   atomic.Int64
	trimmed   atomic.Int64 // dead entries that were deleted, because there were too many
	clock     clock
	db        *sql.DB // of DB, and for reads

	writer  *sql.DB // one connection, of the collector
	own     *writer // the collector; used by the holder of turn
	calls   chan *call
	closing chan struct{}
	done    chan struct{} // the collector has ended
	once    sync.Once
	closed  error
	wake    signal
	waits   waits
	busy    atomic.Bool // the last lease returned its limit
	looked  looked
	erasing erasing
	report  func(err error)
	patrol  patrol
	turn    chan struct{}         // full while a goroutine of this process writes that waited for its turn
	broken  atomic.Pointer[error] // the file failed: its content is unknown until it is opened again
}

var (
	_ webhook.Inbox       = (*Inbox)(nil)
	_ webhook.DeadLetters = (*Inbox)(nil)
	_ webhook.Marks       = (*Inbox)(nil)
	_ webhook.Tokens      = (*Inbox)(nil)
	_ webhook.Stores      = (*Inbox)(nil)
	_ webhook.Browser     = (*Inbox)(nil)
)

// Open opens the inbox in a file, and makes the file or its tables if they are missing. A new file can be read by its
// owner only. Several processes of one machine may open it; network file systems are not supported. It rejects a Sync
// that acknowledges entries before they are on disk, unless o.AllowLossy is set. The error wraps webhook.ErrUnavailable
// if the directory is missing, the disk fails or is full, or another process holds the file.
func Open(ctx context.Context, path string, o Options) (*Inbox, error) {
	in, err := open(ctx, path, "", o, migrations)
	if err != nil {
		return nil, fmt.Errorf("sqlite: inbox %s: %w", path, unavailable(err))
	}
	return in, nil
}

// open uses one of SQLite's file layers; "" is that of the system. It brings the tables to the version of the
// migrations.
func open(ctx context.Context, path, layer string, o Options, migrations fs.FS) (_ *Inbox, err error) {
	if o.HighWater == 0 {
		o.HighWater = DefaultHighWater
	}
	if o.MaxDead == 0 {
		o.MaxDead = min(10*o.HighWater, DefaultMaxDead)
	}
	if o.Sync == "" {
		o.Sync = Full
	}
	switch {
	case o.HighWater < 0:
		return nil, fmt.Errorf("HighWater is %d: must be 0 or more", o.HighWater)
	case o.MaxDead < 0:
		return nil, fmt.Errorf("MaxDead is %d: must be 0 or more", o.MaxDead)
	case o.Sync != Full && o.Sync != Normal && o.Sync != Off:
		return nil, fmt.Errorf("Sync is %q: must be %q, %q or %q", o.Sync, Full, Normal, Off)
	case o.Sync != Full && !o.AllowLossy:
		return nil, fmt.Errorf("Sync is %q, which acknowledges before a write is on disk: must be full unless AllowLossy is set", o.Sync)
	case path == "" || strings.HasPrefix(path, ":memory:") || strings.HasPrefix(path, "file:"):
		return nil, errors.New("path must be the name of a file on disk")
	}
	if err := create(path, syncDirectory); err != nil {
		return nil, err
	}
	at, err := locate(path)
	if err != nil {
		return nil, err
	}
	in := &Inbox{
		place: at, highWater: o.HighWater, maxDead: o.MaxDead, clock: startClock(),
		calls: make(chan *call, mostCalls), closing: make(chan struct{}), done: make(chan struct{}),
		erasing: newErasing(), turn: make(chan struct{}, 1), report: o.OnError, patrol: newPatrol(),
	}
	if in.report == nil {
		in.report = func(err error) { slog.Default().Error("webhook/sqlite: the inbox reports a problem", "error", err) }
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, in.closeFiles())
		}
	}()
	// The collector empties the log itself, after it has checked the files. Other connections do so if it cannot keep
	// up.
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
		if err := migrate(ctx, in.writer, migrations); err != nil {
			return err
		}
		return in.arrive(ctx)
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
	w.eraseAlone() // data that a killed process left
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

// create makes the file if it is missing, and makes its name durable with sync. If the path is a dangling link, the
// file is made at the target of the link.
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

// missing returns the path at which the file must be made, or "" if it exists. An existing file is not opened, because
// closing it would end the locks that this process has on it.
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

// waitForOthers is the setting of a connection that waits for busyTimeout.
var waitForOthers = fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds())

// patient retries an operation that fails because another process holds the file exclusively. SQLite does not wait for
// a process that switches the file to a write-ahead log, or that deletes the log as the last to close it.
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

// source is the name of the file with the settings of each connection. Transactions begin with the write lock, because
// a transaction that reads first cannot always get it later.
func source(path, layer string, sync Sync, checkpoint int) string {
	settings := url.Values{
		"_pragma": {
			waitForOthers, "synchronous(" + sync.level() + ")",
			"fullfsync(on)", "checkpoint_fullfsync(on)", // for systems whose sync leaves data in the cache of the disk
			"secure_delete(on)", "temp_store(memory)", // bodies are written to no other file
			fmt.Sprintf("journal_size_limit(%d)", logLimit), fmt.Sprintf("wal_autocheckpoint(%d)", checkpoint),
		},
		"_journal_mode": {"wal"}, // set after all others, so that the change is durable
		"_txlock":       {"immediate"},
	}
	if layer != "" {
		settings.Set("vfs", layer)
	}
	dsn := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: settings.Encode()}
	return dsn.String()
}

// connect opens a pool of connections, which stay open.
func connect(dsn string, most int) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db, nil
}

// verify checks that the file has the requested settings.
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
			return fmt.Errorf("journal_mode is %s and synchronous is %d: must be wal and %d, so the file cannot be made durable", journal, level, full)
		}
		in.log = journal == "wal"
	}
	return nil
}

// Close waits for calls in progress and closes the file. Later calls fail.
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
