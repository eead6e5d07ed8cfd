// Package oauth is the authorization address of the platform: the page on which a
// merchant lets an app into the store, and the exchange of the code for a token.
//
// The only grant is the authorization code. A code works once, for five minutes,
// and only for the app it was issued to. Issuing a token ends the earlier token of
// the same app and store. A refused code or client is answered 200 with the error in the body, and user_id is text;
// Options has the other readings of both. The status of a refusal is assumed.
package oauth
