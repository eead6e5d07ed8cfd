// Package doctor examines an endpoint of a partner, in any language, and says what to fix.
//
// Examine makes the checks of a Kind and returns a Report. The platform makes the genuine calls (webhooks, carts,
// quotes, labels, payments, business rules), so that they are right byte by byte, and its own verdict decides about the
// answers. The calls travel through a relay, which measures them, sends them in other shapes (in chunks, with
// Expect: 100-continue) and remembers what a genuine call looks like. The doctor itself sends the wrong ones: unsigned,
// forged, stale, cut short, malformed, huge.
//
// The platform is a running reference server (Options.Control) where the app is installed, or one that Examine starts
// for an app that needs no platform of its own. Examinations at one server take turns: see turn.go.
//
// A check is a row of a table. The checks of all kinds are in opening.go and closing.go. The checks of signed calls are
// in signatures.go and forger.go, and those of a process that is started again in started.go. The others are in files
// named after a kind. A check that cannot mean anything, because one that it builds on has failed, is skipped and says
// so. A call that was late is made once more.
package doctor
