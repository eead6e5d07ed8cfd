// Package wire is the one place where the client side of this module turns
// JSON into Go values and back.
//
// It stands on github.com/go-json-experiment/json, which implements the
// semantics of encoding/json/v2: member names are case-sensitive, nil slices
// are written as [], and a struct can keep the members it does not know. When
// the standard library carries that package, only this one changes; for the
// same reason none of its types appear in an exported method of this module.
//
// Two readers exist. [Unmarshal] is for answers of the platform: it accepts
// duplicate member names and repairs invalid UTF-8, because refusing an answer
// helps nobody. [UnmarshalStrict] is for what strangers post to us: it refuses
// both, and bounds depth and size before any value is built.
package wire
