// Package recording is what the recorders of partner calls have in common: webhooktest, discountstest, shippingtest,
// paymentstest, and the commands record and replay of internal/cmd/refserver.
//
// A Call is recognised by [Call.Kind]. [Masker] takes secrets and personal data out of a call and its answer, a [Tape]
// writes the rest as a [Record], one line of JSON, and [Read] reads it again. [Sender] makes a recorded call again,
// and [Differences] says in words what its answer means otherwise than the recorded one. [Handler] records around a
// handler of the same process.
//
// # What is in a recording
//
// Somebody may have typed a value into the wrong field, such as a name in the place of a city, and its form may be that
// of a value that stays. Therefore forms are narrow. Look at a recording before you give it away.
//
// No header is recorded except Host. Bodies that are not JSON are not recorded. For JSON bodies, members.go lists the
// members that stay. For each kind of call these are the members of the contract that decide a price, a rate or an
// outcome, each with the form of its values. Every other text and number is replaced, also that of an unknown member,
// because a recording that was given away cannot be taken back. Names of unknown members stay if they look like names.
// The names in an unknown object do not, because they may be data. null, true and false stay, since they identify
// nobody.
//
// A replacement has the type, the form and the length of the value. Letters become letters of the same case, digits
// become digits, an e-mail address stays one, and so does a date. While one Masker is used, equal values have equal
// replacements, and different values of one form have different ones. Its key is drawn at random and exists only in its
// memory. So nobody can compute the values, or try which telephone number leads to a replacement.
//
// It shares no code with client, and none with the reference server.
package recording
