-- compatible from 1
CREATE TABLE IF NOT EXISTS commerce_claim (
	app    BIGINT NOT NULL DEFAULT 0, -- the id of the app
	store  BIGINT NOT NULL,
	holder TEXT   NOT NULL, -- the call that prepares the store: host, process and id; empty if none does
	taken  BIGINT NOT NULL DEFAULT 0, -- since when, in microseconds of Unix time
	until  BIGINT NOT NULL, -- when its claim ends unless it is renewed, in microseconds of Unix time
	term   BIGINT NOT NULL DEFAULT 0, -- for how long it was claimed or renewed, in microseconds
	PRIMARY KEY (app, store)
);
