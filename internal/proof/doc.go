// Package proof is the door to the proofs of this project. It has no code. The packages below it only prove, and no
// package of a user requires them.
//
// Proofs of stored state: apptables/sqlite and apptables/postgres run package statetest on an engine. It plays all
// packages that keep rows in a database of an app. Package inboxopstest tests the operators' page of an inbox, and
// rolling upgrades the tables of an inbox under load. Package restores restores and copies an app's database with real
// tools, and shards moves stores between databases that are killed.
//
// Proofs of the whole: traces follows an order through several processes, browser reads the pages in Chromium, and
// manifests compares a deployment with its program. members compares both sides of the wire, and contract reads
// client/contract with other programs. peers, a module of its own, measures alternatives next to bench.
//
// Commands: cmd/mutants plants defects, cmd/bench prints the goals of speed, cmd/release checks and rehearses a
// release, cmd/requires installs the programs that tests require, and cmd/gotest is go test for the Makefile.
//
// make test runs the packages that are quick at their smallest size; make prove runs all of them at the size of each
// change, and make soak runs them for hours. Package internal/tier selects the size.
package proof
