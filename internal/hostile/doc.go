// Package hostile is for the tests of whatever reads what strangers send.
//
// [Documents] are what they send: good documents that were cut, doubled and spoiled at each of their members, and some that
// were never good. [Reader] plays them against a decoder or a handler, and fails a test for a panic, for what was accepted
// and must not be, and for what one document cost. Begin with a Reader; the tests named TestSpoiled… are examples.
//
// [Cost] tells what a reader spends on a document. What it allocates is the same on a fast machine and on a busy one, so a
// test bounds that; the time is for those who read the log of the test.
//
// [Answers] returns a transport that answers the first request with its first answer, the second with its second, and
// all later ones with the last. [Status], [Fails] and [Truncated] are answers that the reference server cannot make.
package hostile
