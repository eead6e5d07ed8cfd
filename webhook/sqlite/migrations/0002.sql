-- What is kept once only could be set back, by a disk that keeps an old page, without anybody noticing. So it is kept on
-- two pages. The triggers work for processes of the release before too.
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

-- With the generation, an index shows that the row of an entry is older than its last arrival.
DROP INDEX IF EXISTS inbox_entry_since;
CREATE INDEX inbox_entry_since ON inbox_entry (since, generation) WHERE state = 'pending';
