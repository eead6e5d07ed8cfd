// Package table keeps records in memory: ordered by key, found by index, and
// copied for nothing.
//
// A Table is a value. Copying it is taking a snapshot, because what is inside is
// never changed in place: Put and Delete replace the path to a record and share
// the rest with every earlier copy. A transaction works on a copy and throws it
// away to roll back. The same holds for the records, which is the caller's half
// of the bargain: read one, change the copy including its slices and maps, Put it.
//
// A TextIndex finds records by a part of their texts, in any case of letters, among hundreds of thousands of them.
package table
