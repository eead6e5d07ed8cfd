-- compatible from 1
CREATE TABLE IF NOT EXISTS commerce_rate (
	app     BIGINT NOT NULL DEFAULT 0, -- Cache.App
	request TEXT   NOT NULL, -- a hash
	answer  TEXT   NOT NULL, -- JSON
	stored  BIGINT NOT NULL, -- when, in microseconds of Unix time by the clock of the database
	ends    BIGINT NOT NULL, -- when it expires, by the same clock
	PRIMARY KEY (app, request)
);
CREATE INDEX IF NOT EXISTS commerce_rate_ends ON commerce_rate (app, ends);
