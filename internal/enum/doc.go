// Package enum is for the typed strings of the enumerations of the contract.
//
// A value that the contract does not name is kept and is not an error, so each such type has a method Known. It calls
// [Known] with the values of the contract.
package enum
