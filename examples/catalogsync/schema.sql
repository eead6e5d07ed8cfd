CREATE TABLE IF NOT EXISTS products (
	store_id   INTEGER,
	id         INTEGER,
	document   TEXT NOT NULL,
	updated_at TEXT    GENERATED ALWAYS AS (document ->> '$.updated_at'),
	published  INTEGER GENERATED ALWAYS AS (document ->> '$.published'),
	brand      TEXT    GENERATED ALWAYS AS (document ->> '$.brand'),
	tags       TEXT    GENERATED ALWAYS AS (document ->> '$.tags'),
	variants   INTEGER GENERATED ALWAYS AS (json_array_length(document, '$.variants')),
	PRIMARY KEY (store_id, id)
) STRICT;

CREATE TABLE IF NOT EXISTS orders (
	store_id        INTEGER,
	id              INTEGER,
	document        TEXT NOT NULL,
	updated_at      TEXT    GENERATED ALWAYS AS (document ->> '$.updated_at'),
	number          INTEGER GENERATED ALWAYS AS (document ->> '$.number'),
	status          TEXT    GENERATED ALWAYS AS (document ->> '$.status'),
	payment_status  TEXT    GENERATED ALWAYS AS (document ->> '$.payment_status'),
	shipping_status TEXT    GENERATED ALWAYS AS (document ->> '$.shipping_status'),
	currency        TEXT    GENERATED ALWAYS AS (document ->> '$.currency'),
	total           TEXT    GENERATED ALWAYS AS (document ->> '$.total'), -- exact, as the platform prints it
	PRIMARY KEY (store_id, id)
) STRICT;
