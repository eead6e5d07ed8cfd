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
//
// # Tolerance
//
// [Unmarshal] also reads values in another form than their type. The rules go by the kind of the Go type, so that they
// hold for every field of every record:
//
//	a text            from a number (its digits if it is whole) and from true and false; [] is none
//	a bool            from 0, 1, "0", "1", "true", "false" and "" (false)
//	a whole number    from 5.0, 5e0, "5", "5.0" and "" (0)
//	a pointer         nil from "", unless "" is a value of what it points to, as it is of a string
//	an object         none from [], "" and false
//	a list            empty from {}, "" and false; from an object whose names are rising numbers
//	a member twice    the last one; nothing of the first remains
//
// They hold for members and items. The value as a whole must have its type, because a response of [] is no record. Null
// is refused as an item of a list if the type has no value for it: a record with the id 0 is worse than an error. Types
// that read themselves, such as amounts and times, have rules of their own. [Watching] reports each tolerated form.
// [UnmarshalExact] has none of these rules.
//
// # Forms
//
// [Forms] read values in plain form and leave all others to the two readers. Forms.UnmarshalStrict also rejects
// duplicate names in values that it skips. The table compares time and allocations of encoding/json with plain Go
// types. The pages have 200 products with 10 variants (2 MB) and 200 orders (1.3 MB):
//
//	                                         products                   orders
//	encoding/json                            1      112,800 allocs      1      41,800 allocs
//	go-json-experiment alone                 0.70    55,300             0.75   24,900
//	forms, step by step by reflection        0.35    42,500             0.39   19,800
//	and names met where they are expected,
//	lists as long as the one before,
//	{}, [] and zoned times told by forms     0.33    38,700             0.31   15,800
//
// Most of the gain comes from reading each value once. The general decoder finds the extent of an amount or a time
// before it calls UnmarshalJSON, which parses it again. Short texts are cached, because values, languages and measures
// repeat on a page. Eight bytes of a text are examined in one step.
//
// A [Record] reads the objects of which a document has most by a function for each member. For the lines of a cart that
// takes two thirds of the time that reflection takes.
//
// # Slabs
//
// Values of pointers and the items of short lists are cut from slabs of up to 32 values and 1 KiB. Texts are cut from
// blocks of 2 KiB. The pages above then take 18,300 allocations instead of 40,700, and 7,500 instead of 12,600, in no
// more memory. Of the allocations for products, 14,800 are the maps of language-keyed texts, two for each.
//
// Slabs and blocks belong to one reading, so readings at the same time share none. Two records of a page share no
// memory that can be changed. Whoever keeps a value keeps the piece that it is in. Therefore pieces are small, and a
// text that several pieces would have is moved out of the first. Texts and values above 256 bytes, and lists of more
// than 16 items, have memory of their own.
//
// Texts do not point into one copy of the page, because whoever keeps one SKU would keep the page. There are no
// generated decoders, because readers that reflection makes from the tags cover every record and are never stale.
//
// # Values and texts of strangers
//
// [Known] reports whether a value of an enumeration is one of the contract's. A value that the contract does not name
// is kept and is no error. Answers of servers, headers and values of callers may contain line breaks, control
// characters and invisible ones, and may have any length. [Line] returns such a text as one line of bounded length for
// an error or a log, and [Quote] returns a short value in quotes with everything invisible escaped.
package wire
