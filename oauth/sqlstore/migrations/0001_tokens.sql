-- compatible from 1
CREATE TABLE IF NOT EXISTS commerce_install (
	app          BIGINT NOT NULL DEFAULT 0, -- Store.App
	store_id     BIGINT NOT NULL,
	generation   BIGINT NOT NULL,
	sealed_by    TEXT   NOT NULL, -- the id of the key; "plaintext" if the token is not sealed
	token        TEXT   NOT NULL, -- base64 of nonce, AES-256-GCM of the token, and tag
	scopes       TEXT   NOT NULL, -- a JSON array of strings
	installed_at BIGINT NOT NULL, -- microseconds since 1970, UTC
	installation BIGINT NOT NULL DEFAULT 0, -- the generation of the first token of the installation
	due          BIGINT NOT NULL DEFAULT 0, -- 1 if OnInstalled has not succeeded for the token
	retired_at   BIGINT NOT NULL DEFAULT 0, -- the first refusal of a retired token; 0 if it is not retired
	PRIMARY KEY (app, store_id)
);
CREATE TABLE IF NOT EXISTS commerce_state (
	state     TEXT   PRIMARY KEY, -- a hash of the app and others, no secret
	return_to TEXT   NOT NULL,
	ended     TEXT   NOT NULL,
	expires   BIGINT NOT NULL     -- microseconds since 1970, UTC, by the clock of the database
);
CREATE INDEX IF NOT EXISTS commerce_state_expires ON commerce_state (expires);
