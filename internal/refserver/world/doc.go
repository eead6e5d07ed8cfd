// Package world is what the server remembers: apps, stores, installations and,
// per store, one table for each resource.
//
// All access goes through a Tx over one store. View reads, Update writes; an Update that returns an error changes
// nothing, neither records nor events nor consumed ids. Because tables are copied for nothing, Snapshot, Restore and
// Fork cost the same as reading a variable.
//
// The searches of a Tx, such as ProductsWith, are answered from indexes that are built
// when a store is first searched.
//
// To add a resource: put its record in <resource>.go, add one line to Tables, and
// let the record implement table.Indexed if it is found by more than its key.
package world
