// Package shards proves webhook/inboxshards with four SQLite files and four PostgreSQL servers: under load, shards and
// processes are killed while two shards become four. It has tests only.
package shards
