-- compatible from 1
CREATE TABLE IF NOT EXISTS commerce_install (
	store_id     BIGINT PRIMARY KEY,
	generation   BIGINT NOT NULL,
	sealed_by    TEXT   NOT NULL, -- the id of the key; "plaintext" if the token is not sealed
	token        TEXT   NOT NULL, -- base64 of nonce, AES-256-GCM of the token, and tag
	scopes       TEXT   NOT NULL, -- a JSON array of strings
	installed_at BIGINT NOT NULL  -- microseconds since 1970, UTC
);
CREATE TABLE IF NOT EXISTS commerce_state (
	state     TEXT   PRIMARY KEY, -- a hash, no secret
	return_to TEXT   NOT NULL,
	ended     TEXT   NOT NULL,
	expires   BIGINT NOT NULL     -- microseconds since 1970, UTC
);
CREATE INDEX IF NOT EXISTS commerce_state_expires ON commerce_state (expires);
