// Package rolling proves that the tables of an inbox can be upgraded while processes of the release before go on: under
// load, with kill -9 of either. The modules with engines run it.
//
// The release before is its program, not a list of its statements: the parent of the commit that added the newest
// migration is taken from the history of the repository and built. So each new migration is proved without a change
// here, and no copy of old code is in the repository: 242 files of 1.1 MB would be needed for SQLite alone. Where the
// history is missing, in a shallow clone or a source archive, the proof is skipped, and fails at full size.
package rolling
