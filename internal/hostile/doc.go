// Package hostile is for the tests of whatever reads what strangers send.
//
// [Cost] tells what a reader spends on a document. What it allocates is the same on a fast machine and on a busy one, so a
// test bounds that; the time is for those who read the log of the test.
package hostile
