// Package body reads the bodies of requests. It has the words in which the platform
// refuses them.
//
// A resource reads a body in one of two ways:
//
//   - Decode fills a struct with typed fields. Opt is a member that may be absent, null or a value. Scalar and Text may
//     be written as a number or as a string. Texts has one text for each language. Reference is an id or a record that
//     has one. Extra is an object of custom information. List and Nested are objects that are read later, by their own
//     Read.
//   - Read returns the Members of an object, which are read one by one, for bodies whose
//     refusals name dotted paths.
//
// Both note the members that nothing reads. Problems collects what is wrong and is
// answered in the shape that the resource has. Numbers come from strangers, so that
// their size is bounded before anything is computed.
package body
