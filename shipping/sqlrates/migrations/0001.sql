-- compatible from 1
CREATE TABLE IF NOT EXISTS commerce_rate (
	request TEXT   PRIMARY KEY, -- a hash
	answer  TEXT   NOT NULL,    -- JSON
	ends    BIGINT NOT NULL     -- microseconds since 1970, UTC
);
CREATE INDEX IF NOT EXISTS commerce_rate_ends ON commerce_rate (ends);
