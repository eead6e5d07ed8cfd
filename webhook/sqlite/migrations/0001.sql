-- compatible from 1

-- One row for each entry. An entry is pending (to be handled), done (a fact that is remembered) or dead.
-- Times are nanoseconds since 1970 by the clock of the inbox.
CREATE TABLE IF NOT EXISTS inbox_entry (
	id           INTEGER PRIMARY KEY,
	key          TEXT    NOT NULL UNIQUE,
	lane         TEXT    NOT NULL, -- what is not worked on twice at a time
	kind         TEXT    NOT NULL, -- signal or fact
	event        TEXT    NOT NULL,
	store_id     INTEGER NOT NULL,
	body         BLOB    NOT NULL, -- what was signed; empty when the entry is done or protected
	keep         INTEGER NOT NULL, -- how long a fact is remembered, in nanoseconds; below 0: for ever
	settle       INTEGER NOT NULL, -- how long after an arrival the entry is due, in nanoseconds
	clears       TEXT    NOT NULL, -- events of the lane that have nothing left to tell afterwards, one a line
	protected    INTEGER NOT NULL, -- 1: a request of data protection
	unhandled    TEXT    NOT NULL, -- why no handler can have it
	state        TEXT    NOT NULL, -- pending, done or dead
	generation   INTEGER NOT NULL, -- counts the arrivals that must be followed by a run
	due          INTEGER NOT NULL, -- when it may be handled
	since        INTEGER NOT NULL, -- when it became pending or was committed last
	attempts     INTEGER NOT NULL, -- leases since then, without those that ended without a result
	unfinished   INTEGER NOT NULL DEFAULT 0, -- leases since the last that ended with a result
	arrivals     INTEGER NOT NULL, -- arrivals since then
	first_seen   INTEGER NOT NULL, -- of these arrivals
	last_seen    INTEGER NOT NULL,
	run_arrivals INTEGER NOT NULL, -- the arrivals that the last lease was for
	again_seen   INTEGER NOT NULL, -- the first arrival since the last lease; 0: none
	failed_at    INTEGER NOT NULL, -- when it failed last; 0: it did not
	cause        TEXT    NOT NULL, -- why it failed last
	died_at      INTEGER NOT NULL, -- 0: it is not dead
	forget_at    INTEGER NOT NULL, -- when a done fact counts as absent; 0: never
	-- CRC-32C of the body, and in the lower half one of that and of all other columns but id, the trace and failures; NULL: damaged
	sum          INTEGER,
	trace        TEXT,             -- under which the body was received: a traceparent of W3C Trace Context; NULL: none
	trace_sum    INTEGER,          -- CRC-32C of the generation that brought it, the key and the trace
	failures     TEXT              -- the last attempts that failed, as JSON; NULL: none. No sum has it
);
CREATE INDEX IF NOT EXISTS inbox_entry_pending ON inbox_entry (lane, due, id) WHERE state = 'pending';
-- With the generation, an index shows that the row of an entry is older than its last arrival.
CREATE INDEX IF NOT EXISTS inbox_entry_since ON inbox_entry (since, generation) WHERE state = 'pending';
CREATE INDEX IF NOT EXISTS inbox_entry_protected ON inbox_entry (first_seen) WHERE protected = 1 AND state <> 'done';
CREATE INDEX IF NOT EXISTS inbox_entry_dead ON inbox_entry (key) WHERE state = 'dead';
CREATE INDEX IF NOT EXISTS inbox_entry_dead_store ON inbox_entry (store_id, key) WHERE state = 'dead';
-- The order in which dead entries are deleted if there are too many.
CREATE INDEX IF NOT EXISTS inbox_entry_dead_age ON inbox_entry (sum IS NULL, unhandled = '', died_at, protected, state)
	WHERE state = 'dead' AND protected = 0;
CREATE INDEX IF NOT EXISTS inbox_entry_done ON inbox_entry (forget_at) WHERE state = 'done';

-- The bodies of protected entries. What stands in front of a body fills a page, so that all of the body is in
-- pages of its own: SQLite zeroes these when it gives them up, while it may leave copies of shorter rows behind when it moves
-- them from page to page.
CREATE TABLE IF NOT EXISTS inbox_protected (
	id    INTEGER PRIMARY KEY, -- of the entry
	front BLOB NOT NULL,
	body  BLOB NOT NULL
);

-- One row for each lane with pending entries. The lease is held here.
--
-- Stores take turns. Of the lanes of a store that nobody holds, one has the time of its turn; others may. It is not after
-- the time at which the first of them is due, or it is over.
CREATE TABLE IF NOT EXISTS inbox_lane (
	lane     TEXT PRIMARY KEY,
	due      INTEGER NOT NULL, -- of its pending entry that is due first
	token    INTEGER,          -- of the lease; NULL: nobody works on the lane
	until    INTEGER,          -- when the lease ends
	key      TEXT,             -- the entry that is leased
	store_id INTEGER NOT NULL, -- of the entries
	turn     INTEGER           -- when the store of the lane has its turn; NULL: another lane of the store says so
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS inbox_lane_held ON inbox_lane (until) WHERE until IS NOT NULL;
CREATE INDEX IF NOT EXISTS inbox_lane_store ON inbox_lane (store_id, turn, due);
CREATE INDEX IF NOT EXISTS inbox_lane_turn ON inbox_lane (turn) WHERE until IS NULL AND turn IS NOT NULL;

-- The clock when something was written last, the token given last and the number of pending entries.
CREATE TABLE IF NOT EXISTS inbox_state (
	one     INTEGER PRIMARY KEY CHECK (one = 1),
	clock   INTEGER NOT NULL,
	token   INTEGER NOT NULL,
	pending INTEGER NOT NULL
);
INSERT OR IGNORE INTO inbox_state VALUES (1, 0, 0, 0);

-- The number of done entries, for figures: an index of millions takes a second to count.
CREATE TABLE IF NOT EXISTS inbox_done (
	one  INTEGER PRIMARY KEY CHECK (one = 1),
	rows INTEGER NOT NULL
);
INSERT OR IGNORE INTO inbox_done SELECT 1, count(*) FROM inbox_entry WHERE state = 'done';
CREATE TRIGGER IF NOT EXISTS inbox_done_more AFTER UPDATE OF state ON inbox_entry
	WHEN NEW.state = 'done' AND OLD.state <> 'done' BEGIN
	UPDATE inbox_done SET rows = rows + 1;
END;
CREATE TRIGGER IF NOT EXISTS inbox_done_less AFTER UPDATE OF state ON inbox_entry
	WHEN OLD.state = 'done' AND NEW.state <> 'done' BEGIN
	UPDATE inbox_done SET rows = rows - 1;
END;
CREATE TRIGGER IF NOT EXISTS inbox_done_deleted AFTER DELETE ON inbox_entry WHEN OLD.state = 'done' BEGIN
	UPDATE inbox_done SET rows = rows - 1;
END;

-- The file in which the tables were opened last: its inode. A restored file has another one.
CREATE TABLE IF NOT EXISTS inbox_file (
	one INTEGER PRIMARY KEY CHECK (one = 1),
	id  TEXT NOT NULL
);

-- How far a sweep has read.
CREATE TABLE IF NOT EXISTS inbox_mark (
	name TEXT PRIMARY KEY,
	at   TEXT NOT NULL -- RFC 3339
) WITHOUT ROWID;

-- What is kept once only could be set back, by a disk that keeps an old page, without anybody noticing. So it is kept on
-- two pages.
CREATE TABLE IF NOT EXISTS inbox_state_copy (
	one     INTEGER PRIMARY KEY CHECK (one = 1),
	clock   INTEGER NOT NULL,
	token   INTEGER NOT NULL,
	pending INTEGER NOT NULL
);
INSERT OR REPLACE INTO inbox_state_copy SELECT one, clock, token, pending FROM inbox_state;
CREATE TRIGGER IF NOT EXISTS inbox_state_updated AFTER UPDATE ON inbox_state BEGIN
	UPDATE inbox_state_copy SET clock = NEW.clock, token = NEW.token, pending = NEW.pending;
END;

CREATE TABLE IF NOT EXISTS inbox_mark_copy (
	name TEXT PRIMARY KEY,
	at   TEXT NOT NULL
) WITHOUT ROWID;
INSERT OR REPLACE INTO inbox_mark_copy SELECT name, at FROM inbox_mark;
CREATE TRIGGER IF NOT EXISTS inbox_mark_inserted AFTER INSERT ON inbox_mark BEGIN
	DELETE FROM inbox_mark_copy WHERE name = NEW.name;
	INSERT INTO inbox_mark_copy VALUES (NEW.name, NEW.at);
END;
CREATE TRIGGER IF NOT EXISTS inbox_mark_updated AFTER UPDATE ON inbox_mark BEGIN
	DELETE FROM inbox_mark_copy WHERE name = NEW.name;
	INSERT INTO inbox_mark_copy VALUES (NEW.name, NEW.at);
END;
