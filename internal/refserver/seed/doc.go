// Package seed fills a server with things to try the API on.
package seed
