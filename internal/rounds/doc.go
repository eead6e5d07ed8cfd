// Package rounds visits stores repeatedly, so that no store delays the others.
//
//   - A Round lists the stores once per Every and visits each of them. A visit that takes longer than its limit loses
//     its place to another store.
//   - Visits are the visits of a Round. A package that decides itself which store is next uses Visits alone.
//
// A store has one visit at a time. So it has at most one place, and is left out of passes that begin during its visit.
// A function that hangs, panics or ends its goroutine costs its own store a visit, and is reported. It is not called
// again for the store before it returns.
package rounds
