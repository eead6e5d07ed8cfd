-- compatible from 1
CREATE TABLE IF NOT EXISTS commerce_claim (
	store  BIGINT NOT NULL PRIMARY KEY,
	holder TEXT   NOT NULL, -- the call that prepares the store
	until  BIGINT NOT NULL  -- when its claim ends unless it is renewed, in microseconds of Unix time
);
