CREATE TABLE products (
	id         INTEGER PRIMARY KEY,
	updated_at TEXT NOT NULL,
	document   TEXT NOT NULL,
	created_at TEXT    GENERATED ALWAYS AS (document ->> '$.created_at'),
	published  INTEGER GENERATED ALWAYS AS (document ->> '$.published'),
	brand      TEXT    GENERATED ALWAYS AS (document ->> '$.brand'),
	tags       TEXT    GENERATED ALWAYS AS (document ->> '$.tags'),
	variants   INTEGER GENERATED ALWAYS AS (json_array_length(document, '$.variants'))
) STRICT;

CREATE TABLE orders (
	id              INTEGER PRIMARY KEY,
	updated_at      TEXT NOT NULL,
	document        TEXT NOT NULL,
	created_at      TEXT    GENERATED ALWAYS AS (document ->> '$.created_at'),
	number          INTEGER GENERATED ALWAYS AS (document ->> '$.number'),
	status          TEXT    GENERATED ALWAYS AS (document ->> '$.status'),
	payment_status  TEXT    GENERATED ALWAYS AS (document ->> '$.payment_status'),
	shipping_status TEXT    GENERATED ALWAYS AS (document ->> '$.shipping_status'),
	currency        TEXT    GENERATED ALWAYS AS (document ->> '$.currency'),
	total           TEXT    GENERATED ALWAYS AS (document ->> '$.total') -- exact, as the platform prints it
) STRICT;

-- How far the reading of a table has come.
CREATE TABLE sync (
	resource  TEXT PRIMARY KEY,
	phase     TEXT NOT NULL CHECK (phase IN ('crawling', 'changing', 'idle')),
	cursor    INTEGER NOT NULL, -- the pass has read everything up to this id
	newest    TEXT NOT NULL,    -- the latest updated_at that was seen before the pass began
	watermark TEXT NOT NULL     -- every change before it is mirrored; empty until the crawl ended
) STRICT;

-- Which store the file mirrors.
CREATE TABLE source (
	base_url TEXT NOT NULL,
	store_id INTEGER NOT NULL
) STRICT;
