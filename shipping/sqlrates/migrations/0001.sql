-- compatible from 1
CREATE TABLE IF NOT EXISTS commerce_rate (
	app     BIGINT NOT NULL DEFAULT 0, -- Cache.App
	request TEXT   NOT NULL, -- a hash
	answer  TEXT   NOT NULL, -- JSON
	ends    BIGINT NOT NULL, -- microseconds since 1970, UTC, by the clock of the database
	PRIMARY KEY (app, request)
);
CREATE INDEX IF NOT EXISTS commerce_rate_ends ON commerce_rate (app, ends);
