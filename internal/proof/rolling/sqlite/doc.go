// Package rollingapp is the app of a rolling upgrade on SQLite.
package rollingapp
