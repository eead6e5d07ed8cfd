// Package document makes the contract as files: client/contract has what it writes. The API and the calls of the
// platform are OpenAPI 3.1 there, with JSON Schemas and examples, and signed calls are vectors for tests.
//
// Files makes the documents from the server's own tables of operations, events and limits, and from the Go types that
// the server writes. It reads the types from their source, because most are not exported. Examples widen a schema,
// because the platform also sends forms that the server does not. Members that may have any type in the server, and
// bodies of requests, have the forms that tests have seen: testdata/observed.json. Only the answers of apps to the
// calls of the platform are written by hand, in answers.go, because the server judges them by code.
//
// A test compares the documents with the committed files; its flag -update writes them. The tests of package res fail
// with the name of a member that the forms lack; their flag -observe adds it.
package document
