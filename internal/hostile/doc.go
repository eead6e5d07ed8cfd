// Package hostile is for the tests of whatever reads what strangers send.
//
// [Documents] are what they send: good documents that were cut, doubled and spoiled at each of their members, and some
// that were never good. [Reader] plays them against a decoder or a handler, and fails a test for a panic, for what was
// accepted and must not be, and for what one document cost. Begin with a Reader; the tests named TestSpoiled… are
// examples.
//
// [Cost] measures a reader on a document. Its allocations are the same on a fast machine and on a busy one, so a test
// bounds them. The time is only logged.
//
// [Answers] returns a transport that answers the first request with its first answer, the second with its second, and
// all later ones with the last. [Status], [Fails] and [Truncated] are answers that the reference server cannot make.
package hostile
