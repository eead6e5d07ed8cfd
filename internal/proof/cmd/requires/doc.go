// Command requires checks that this machine has what tests require besides Go, and installs it if it can. It prints
// what is missing, and its exit status is then 1. Without arguments nothing is required.
//
// Usage, with the names that the Makefile gives to modules:
//
//	requires postgres pgbouncer
package main
