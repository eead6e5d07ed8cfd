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
// What somebody has typed into the wrong field may have the form of what stays, such as a name in the place of a city.
// That is why forms are narrow, and why a recording should be looked at before it is given away.
//
// No header is recorded except Host. Bodies that are not JSON are not recorded. Of JSON bodies, members.go lists what
// stays: for each kind of call, the members of the contract that decide a price, a rate or an outcome, each with the
// form that its values must have. Every other text and number is replaced, that of an unknown member too, because a
// recording that holds too much cannot be taken back. Names of unknown members stay if they look like names, unless
// they stand in an object that is unknown itself, whose names may be data. null, true and false stay, since they
// identify nobody.
//
// A replacement has the type and the form of the value: letters become letters of the same case, digits become digits,
// an e-mail address stays one, a date stays one, and lengths stay. Equal values have equal replacements and different
// values of one form have different ones, as long as one Masker is used. Its key is drawn at random, is in its memory
// only, and ends with it, so nobody can compute the values back, or try which of all telephone numbers leads to the
// replacement.
//
// It shares no code with client, and none with the reference server.
package recording
