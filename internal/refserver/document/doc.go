// Package document makes the contract as files: client/contract has what it writes. The API and the calls of the
// platform are OpenAPI 3.1 there, with JSON Schemas and examples, and signed calls are vectors for tests.
//
// Files makes the documents from the server's own tables of operations, events and limits, and from the Go types that
// the server writes. It reads the types from their source, because most are not exported. Examples widen a schema,
// because the platform also sends forms that the server does not. Members that may have any type in the server, and
// bodies of requests, have the forms that tests have seen: testdata/observed.json. Three parts are written by hand,
// because the server has them as code: the answers of apps in answers.go, the words of members in words.go, and in
// required.go the members of requests whose absence no text of a refusal names.
//
// A test compares the documents with the committed files; its flag -update writes them. The tests of package res fail
// with the name of a member that the forms lack; their flag -observe adds it. The tests of internal/proof/members play
// each request without each member and with wrong words, and compare the words with the client.
package document
