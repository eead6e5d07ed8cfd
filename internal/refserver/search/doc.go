// Package search finds records by a part of their texts, in any case of letters,
// among hundreds of thousands of them.
//
// An Index holds the texts in lower case and, for each record, which trigrams (three
// successive bytes) they have, as a set of bits. Find examines only the texts of the
// records that have all trigrams of the part. A part of one or two bytes has no
// trigram, so all texts are examined. Besides its texts, a record takes about 180 bytes.
package search
