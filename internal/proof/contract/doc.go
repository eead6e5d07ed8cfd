// Package contract proves the files of client/contract with validators that share no code with their maker.
//
// A [Checker] compares calls with the documents: a body must be valid, and each of its members must be listed. Package
// members uses it for all operations of the clients and all calls of the platform. The tests here have validators of
// documents in Go and in Node read the files, verify the vectors in Node and in Python, and run the commands of the
// pages.
package contract
