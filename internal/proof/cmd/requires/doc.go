// Command requires checks that this machine has the programs that tests require, except Go, and installs them if it
// can. It prints what is missing, and its exit status is then 1. Without arguments nothing is required.
//
// Usage, with the names that the Makefile gives to modules:
//
//	requires postgres pgbouncer
package main
