-- compatible from 1
CREATE TABLE IF NOT EXISTS commerce_intent (
	app      BIGINT NOT NULL DEFAULT 0, -- Journal.App
	name     TEXT   NOT NULL, -- Journal.Name
	store    BIGINT NOT NULL,
	path     TEXT   NOT NULL,
	key      TEXT   NOT NULL,
	id       TEXT   NOT NULL, -- a ULID
	after_id BIGINT NOT NULL, -- client.Intent.After
	since    BIGINT NOT NULL, -- client.Intent.Since, in microseconds of Unix time; 0 if it is zero
	holder   TEXT   NOT NULL, -- who works on it: host, process and id; empty if nobody does
	taken    BIGINT NOT NULL DEFAULT 0, -- since when, in microseconds of Unix time
	until    BIGINT NOT NULL, -- when that ends, or the rest after it, in microseconds of Unix time
	term     BIGINT NOT NULL DEFAULT 0, -- for how long it was claimed or renewed, in microseconds
	ended    BIGINT NOT NULL, -- in microseconds of Unix time; 0 while it is open
	record   TEXT   NOT NULL, -- the id of the record that was made; empty while it is open
	PRIMARY KEY (app, name, store, path, key)
);
CREATE INDEX IF NOT EXISTS commerce_intent_ended ON commerce_intent (app, name, ended, id);
