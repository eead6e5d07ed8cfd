package sqlite

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// A file that is copied over another one keeps its inode, so the contents of the files are checked too. The write-ahead
// log only grows until it begins again with other salts, which its frames repeat. Of the tables, two pages are checked:
// the first one, and that of inbox_state, which each transaction changes. Their contents must be the previous ones, or
// must be in the log, from which SQLite copied them.

// contents is the last known content of the files.
type contents struct {
	tables, log *os.File // opened in addition to those of SQLite; nil if not checked
	pageSize    int64
	root        int64 // the page of inbox_state
	seen        *sight
	spare       *sight // filled next; its memory is reused
	chunk       []byte // of frames, while they are compared
	clock       int64  // of the last transaction in seen
}

// sight is the content of the files at one time.
type sight struct {
	frames       int64  // in the log
	head         []byte // of the log
	last         []byte // its last frame
	first, state []byte // of the tables: the header, and the page of inbox_state
	size         int64  // of the tables
}

const (
	headSize      = 32 // of the log
	frameHeadSize = 24
	headerSize    = 100 // of the first page
)

// follow begins to check the files.
func (w *writer) follow(ctx context.Context) (err error) {
	c := &w.in.contents
	target := w.in.place.target
	if c.tables, err = openHeld(target); err != nil {
		return err
	}
	if c.log, err = os.Open(target + ends[1]); err != nil {
		return err
	}
	for i, f := range []*os.File{c.tables, c.log} {
		if f == nil {
			continue
		}
		if info, err := f.Stat(); err != nil || !os.SameFile(info, w.in.place.files[i]) {
			return errors.Join(errReplaced, err)
		}
	}
	if err := w.conn.QueryRowContext(ctx, "SELECT page_size FROM pragma_page_size").Scan(&c.pageSize); err != nil {
		return err
	}
	if err := w.findState(); err != nil {
		return err
	}
	frames, err := w.frames()
	if err != nil {
		return err
	}
	c.spare = new(sight)
	is, err := c.look(frames)
	if err == nil {
		c.seen, c.spare = is, new(sight)
	}
	return err
}

func (w *writer) findState() error {
	const query = "SELECT rootpage FROM sqlite_schema WHERE name = 'inbox_state'" // not cached compiled
	return w.conn.QueryRowContext(context.Background(), query).Scan(&w.in.contents.root)
}

// frames returns the number of frames in the write-ahead log.
func (w *writer) frames() (n int64, err error) {
	t := transaction{q: w.stmts, in: w.in}
	_, err = t.one("PRAGMA wal_checkpoint(NOOP)", nil, new(int), &n, new(int))
	return n, err
}

// verify returns errReplaced unless a process that starts would find the committed data. The clock is that of the
// transaction, or 0.
func (w *writer) verify(clock int64) (frames int64, err error) {
	sizes, err := w.in.place.check()
	if err != nil || w.in.contents.log == nil {
		return 0, err
	}
	if frames, err = w.compare(sizes[0], clock); !errors.Is(err, errReplaced) {
		return frames, err
	}
	// Another process may have written between two reads. The write lock prevents that.
	ctx, cancel := context.WithTimeout(context.Background(), busyTimeout)
	defer cancel()
	tx, err := w.in.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }() // it has no writes
	var now int64
	if err := tx.QueryRowContext(ctx, "SELECT clock FROM inbox_state").Scan(&now); err != nil {
		return 0, err
	}
	for range 3 { // a page may be read while it is copied from the log
		if sizes, err = w.in.place.check(); err != nil {
			return 0, err
		}
		if frames, err = w.compareUntil(sizes[0], clock, now); !errors.Is(err, errReplaced) {
			break
		}
	}
	return frames, err
}

func (w *writer) compare(size, clock int64) (frames int64, err error) {
	return w.compareUntil(size, clock, max(clock, w.in.contents.clock))
}

// compareUntil compares the files with their last known content. The last transaction was at the time now.
func (w *writer) compareUntil(size, clock, now int64) (int64, error) {
	c, was := &w.in.contents, *w.in.contents.seen
	frames, err := w.frames()
	if err != nil {
		return 0, err
	}
	is, err := c.look(frames)
	if err != nil {
		return 0, err
	}
	is.size = size
	same := was.frames > 0 && is.frames > 0 && bytes.Equal(is.head, was.head)
	if err := c.logFollows(is, &was, same); err != nil {
		return 0, err
	}
	if c.tables != nil {
		if is.schema() != was.schema() { // inbox_state may be on another page now
			if err := w.findState(); err != nil {
				return 0, err
			}
			if is.state, err = c.page(is.state, c.root); err != nil {
				return 0, err
			}
			was.state = nil
		}
		floor := c.clock
		if frames == 0 {
			floor = max(floor, clock)
		}
		if err := c.tablesFollow(is, &was, same, floor, now); err != nil {
			return 0, err
		}
	}
	c.seen, c.spare, c.clock = is, c.seen, max(c.clock, clock)
	return frames, nil
}

// schema is the version of the schema.
func (s *sight) schema() string {
	if len(s.first) < headerSize {
		return ""
	}
	return string(s.first[40:44])
}

// look reads the files into spare. Missing parts are empty.
func (c *contents) look(frames int64) (s *sight, err error) {
	s = c.spare
	s.frames, s.head, s.last = frames, s.head[:0], s.last[:0]
	if frames > 0 {
		if s.head, err = read(c.log, s.head, 0, headSize); err != nil {
			return nil, err
		}
		if s.last, err = c.frame(s.last, frames); err != nil {
			return nil, err
		}
	}
	if c.tables == nil {
		return s, nil
	}
	if s.first, err = read(c.tables, s.first, 0, headerSize); err != nil {
		return nil, err
	}
	if s.state, err = c.page(s.state, c.root); err != nil {
		return nil, err
	}
	info, err := c.tables.Stat()
	if err != nil {
		return nil, err
	}
	s.size = info.Size()
	return s, nil
}

func (c *contents) page(into []byte, n int64) ([]byte, error) {
	return read(c.tables, into, (n-1)*c.pageSize, c.pageSize)
}

func (c *contents) frame(into []byte, n int64) ([]byte, error) {
	size := frameHeadSize + c.pageSize
	return read(c.log, into, headSize+(n-1)*size, size)
}

// chunkFrames is how many frames are read at a time, at most.
const chunkFrames = 64

// framesFrom reads frames into chunk, from the one after a number until another one.
func (c *contents) framesFrom(after, until int64) (frames []byte, err error) {
	size := frameHeadSize + c.pageSize
	c.chunk, err = read(c.log, c.chunk, headSize+after*size, (until-after)*size)
	return c.chunk, err
}

// read returns at most n bytes, in the memory of into if it is large enough.
func read(f *os.File, into []byte, at, n int64) ([]byte, error) {
	b := slices.Grow(into[:0], int(n))[:n]
	got, err := f.ReadAt(b, at)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:got], err
}

// logFollows returns errReplaced unless the log is the known one with more frames, or one that began again. If it is
// the same, it has the same head.
func (c *contents) logFollows(is, was *sight, same bool) error {
	if is.frames == 0 {
		return nil
	}
	const salts, saltsEnd = 16, 24 // of the head
	const magic = 0x377f0682       // the last bit is the order of bytes in its checksums
	if len(is.head) < headSize || binary.BigEndian.Uint32(is.head)&^1 != magic || int64(len(is.last)) < frameHeadSize+c.pageSize ||
		!bytes.Equal(is.last[8:16], is.head[salts:saltsEnd]) {
		return fmt.Errorf("%w: the write-ahead log differs from what was written", errReplaced)
	}
	if !same {
		return c.chained(is, 0, is.head[saltsEnd:])
	}
	if is.frames < was.frames {
		return fmt.Errorf("%w: the write-ahead log has %d frames: must have at least %d", errReplaced, is.frames, was.frames)
	}
	before, err := c.framesFrom(was.frames-1, was.frames)
	if err != nil {
		return err
	}
	if !bytes.Equal(before, was.last) {
		return fmt.Errorf("%w: frame %d of the write-ahead log has changed", errReplaced, was.frames)
	}
	return c.chained(is, was.frames, was.last[frameSum:frameHeadSize])
}

// tablesFollow returns errReplaced unless the tables are the known ones, except for pages that were copied from the
// log. A log that began again had been copied completely, so no state is older than floor.
func (c *contents) tablesFollow(is, was *sight, same bool, floor, now int64) error {
	if len(is.first) < headerSize {
		return fmt.Errorf("%w: the file has %d bytes", errReplaced, is.size)
	}
	if pages := int64(binary.BigEndian.Uint32(is.first[28:])); is.size < min(was.size, pages*c.pageSize) {
		return fmt.Errorf("%w: the file has %d bytes: must have at least %d", errReplaced, is.size, was.size)
	}
	if err := c.changed(is, same, 1, is.first, was.first); err != nil {
		return err
	}
	if was.state != nil {
		if err := c.changed(is, same, c.root, is.state, was.state); err != nil {
			return err
		}
	}
	if same {
		return nil
	}
	if at, legible := stateClock(is.state); !legible || at < floor || at > now {
		return fmt.Errorf("%w: the time of its state is %d: must be %d to %d", errReplaced, at, floor, now)
	}
	return nil
}

// changed returns errReplaced if the beginning of a page is neither the known one nor in the log. It cannot check a log
// that began again.
func (c *contents) changed(s *sight, same bool, page int64, is, was []byte) error {
	if bytes.Equal(is, was) {
		return nil
	}
	logged, err := c.logged(s.frames, page, is)
	if err == nil && !logged && (same || !bytes.HasPrefix(s.first, []byte("SQLite format 3\x00"))) {
		err = fmt.Errorf("%w: page %d was not written by SQLite", errReplaced, page)
	}
	return err
}

// logged reports whether the log has a page with this beginning.
func (c *contents) logged(frames, page int64, begin []byte) (bool, error) {
	size := frameHeadSize + c.pageSize
	for n := frames; n > 0; n -= chunkFrames { // later frames first
		b, err := c.framesFrom(max(n-chunkFrames, 0), n)
		if err != nil {
			return false, err
		}
		for ; int64(len(b)) >= size; b = b[size:] {
			if int64(binary.BigEndian.Uint32(b)) == page && bytes.HasPrefix(b[frameHeadSize:size], begin) {
				return true, nil
			}
		}
	}
	return false, nil
}

// stateClock reads the clock in the page of inbox_state, which has one row: a leaf of a table with one cell. Its record
// begins with NULL in place of the id.
func stateClock(page []byte) (clock int64, legible bool) {
	const leaf, null, zero, integer = 0x0d, 0, 8, 6
	if len(page) < 10 || page[0] != leaf || binary.BigEndian.Uint16(page[3:]) != 1 {
		return 0, false
	}
	cell := page[min(int(binary.BigEndian.Uint16(page[8:])), len(page)):]
	const lengths = 2 // of the cell and its id, of one byte each
	if len(cell) < lengths+3 || cell[lengths+1] != null {
		return 0, false
	}
	if cell[lengths+2] == zero {
		return 0, true
	}
	at := lengths + int(cell[lengths])
	if cell[lengths+2] != integer || len(cell) < at+8 {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(cell[at:])), true
}

// letGo releases the lock that prevents other processes from deleting the log, before SQLite closes the files.
func (c *contents) letGo() {
	if c.tables != nil {
		letGo(c.tables)
	}
}

func (c *contents) close() error {
	var errs []error
	for _, f := range []*os.File{c.tables, c.log} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}
