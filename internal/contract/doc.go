// Package contract holds tests about the repository itself: who may import whom,
// that client, reference server and endpoint table agree on what exists, that the
// code in README and the pages compiles, that what is exported is documented and has examples, that secrets are compared in
// constant time, and that threats, links, requirements and changelog are what they say.
//
// Each test is in the file that is named after what it holds. Data are in testdata: threats.tsv here, and
// endpoints.tsv in the root, to which a row is added for each endpoint (CONTRIBUTING.md has the other places). Sources are
// parsed once, by allSources.
//
// To see what is missing of a change, run go test ./internal/contract: messages name the file and the line.
package contract
