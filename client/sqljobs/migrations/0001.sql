-- compatible from 1
CREATE TABLE IF NOT EXISTS commerce_job (
	app    BIGINT NOT NULL DEFAULT 0, -- Queue.App
	name   TEXT   NOT NULL, -- Queue.Name
	store  BIGINT NOT NULL,
	job    TEXT   NOT NULL,
	added  BIGINT NOT NULL, -- this and all times: in microseconds of Unix time; 0 if it has not happened
	began  BIGINT NOT NULL DEFAULT 0, -- the first batch
	moved  BIGINT NOT NULL DEFAULT 0, -- the end of the last batch
	due    BIGINT NOT NULL DEFAULT 0, -- when the next batch may begin
	waits  BIGINT NOT NULL DEFAULT 0, -- waits in a row, because another system was unavailable
	paused BIGINT NOT NULL DEFAULT 0, -- 1 if it is paused
	ended  BIGINT NOT NULL DEFAULT 0,
	total  BIGINT NOT NULL DEFAULT 0, -- this and the next two count rows of commerce_job_item: all
	done   BIGINT NOT NULL DEFAULT 0, -- of state 1
	failed BIGINT NOT NULL DEFAULT 0, -- of state 2
	holder TEXT   NOT NULL DEFAULT '', -- who works on it: host, process and id; empty if nobody does
	taken  BIGINT NOT NULL DEFAULT 0,
	until  BIGINT NOT NULL DEFAULT 0, -- when that ends
	term   BIGINT NOT NULL DEFAULT 0, -- for how long it was claimed or renewed, in microseconds
	PRIMARY KEY (app, name, store, job)
);
CREATE INDEX IF NOT EXISTS commerce_job_ended ON commerce_job (app, name, ended);
CREATE TABLE IF NOT EXISTS commerce_job_item (
	app     BIGINT NOT NULL DEFAULT 0,
	name    TEXT   NOT NULL,
	store   BIGINT NOT NULL,
	job     TEXT   NOT NULL,
	item    TEXT   NOT NULL, -- Item.Key
	value   TEXT   NOT NULL, -- Item.Value
	state   BIGINT NOT NULL DEFAULT 0, -- 0 waiting, 1 done, 2 failed
	begun   BIGINT NOT NULL DEFAULT 0, -- 1 while it is in a batch
	alone   BIGINT NOT NULL DEFAULT 0, -- 1 if it must be in a batch of its own
	attempt BIGINT NOT NULL DEFAULT 0, -- batches that it was in
	tries   BIGINT NOT NULL DEFAULT 0, -- failures of its own
	waits   BIGINT NOT NULL DEFAULT 0, -- waits in a row, because another system was unavailable
	due     BIGINT NOT NULL DEFAULT 0, -- when it may be in the next batch
	changed BIGINT NOT NULL DEFAULT 0, -- the end of its last batch
	reason  TEXT   NOT NULL DEFAULT '', -- of its last failure
	PRIMARY KEY (app, name, store, job, item)
);
CREATE INDEX IF NOT EXISTS commerce_job_item_waiting ON commerce_job_item (app, name, store, job, alone, item)
WHERE state = 0;
CREATE INDEX IF NOT EXISTS commerce_job_item_failed ON commerce_job_item (app, name, store, job, item) WHERE state = 2;
CREATE INDEX IF NOT EXISTS commerce_job_item_begun ON commerce_job_item (app, name, store, job) WHERE begun = 1;
