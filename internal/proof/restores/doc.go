// Package restores proves the page client/docs/database.md with real tools: an app's database and the inbox in it are
// restored to an earlier point in time, or copied as they are, and the app continues. It has tests only.
package restores
