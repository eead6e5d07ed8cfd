// Package contract tests the repository itself. It checks who may import whom, and that client, reference server and
// endpoint table agree. The code in README and the pages must compile, and exported identifiers must have documentation
// and examples. Secrets must be compared in constant time. Threats, links, requirements and the changelog must be true.
//
// Each test is in the file that is named after what it holds. Data are in testdata. Here are
// threats.tsv, and irreversible.tsv with each act that destroys, ends or pays something. In the root is endpoints.tsv,
// to which a row is added for each endpoint (CONTRIBUTING.md has the other places). Sources are parsed once, by
// allSources.
//
// To see what is missing of a change, run go test ./internal/contract: messages name the file and the line.
package contract
