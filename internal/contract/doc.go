// Package contract holds tests about the repository itself: who may import whom,
// that client, reference server and endpoint table agree on what exists, that the
// code in README compiles, and that what is exported is documented.
//
// To add an endpoint, add a row to testdata/endpoints.tsv, the client's method with
// its //api:endpoint directive, and the server's operation; the tests tell what is
// missing.
package contract
