-- compatible from 1
CREATE TABLE IF NOT EXISTS commerce_copy (
	name  TEXT PRIMARY KEY,
	state TEXT NOT NULL -- of client.Copy
);
