-- compatible from 1
CREATE TABLE IF NOT EXISTS commerce_copy (
	app   BIGINT NOT NULL DEFAULT 0, -- Mirror.App
	name  TEXT   NOT NULL,
	state TEXT   NOT NULL, -- of client.Copy
	PRIMARY KEY (app, name)
);
