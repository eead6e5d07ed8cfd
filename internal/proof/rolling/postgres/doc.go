// Package rollingapp is the app of a rolling upgrade on PostgreSQL.
package rollingapp
