// Package copied writes a call of the platform as people make it again: as a command of curl, and as a Go program with
// the client.
//
//	r := copied.Request{Method: "GET", Operation: "GET /products/{id}", Path: "/2025-03/1001/products/42"}
//	program, why := r.Program()
//
// A program calls the method of its endpoint, such as v202503.Products(c).Get(ctx, 42). The reference server shares no
// code with the client, so calls.tsv has the methods and the types of their arguments as texts. The test
// TestProofCopiesMakeTheSameRequest of internal/proof/members writes the file from the client, and runs a copy of
// a request of every method.
package copied
