// Package multistoretest tests client/multistore in a database. The engines' modules call it, because the root module
// has no database.
package multistoretest
