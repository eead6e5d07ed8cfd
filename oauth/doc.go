// Package oauth installs an app in stores and keeps the tokens that come of it.
//
// The platform knows one way to a token, the authorization code of OAuth 2: the merchant approves the app at the
// platform, the browser comes back to the app's redirect URL with a code, and the app turns the code into a token for
// that store. Handler does all of it. Mount it at the redirect URL:
//
//	tokens := &oauth.MemoryStore{} // or your own TokenStore, over the database of the app
//	install := &oauth.Handler{
//		App:      oauth.App{ID: 123, Secret: oauth.Secret(os.Getenv("APP_SECRET")), AuthURL: os.Getenv("AUTH_URL")},
//		Tokens:   tokens,
//		ReturnTo: "/welcome",
//	}
//	mux.Handle("/oauth/callback", install)
//
// A visit to that path begins an install; Handler.Begin begins one from anywhere else. Then, for any store that
// installed the app:
//
//	src := oauth.TokenSource(ctx, tokens, storeID) // an oauth2.TokenSource, which the API client takes
//
// and when the webhook app/uninstalled arrives:
//
//	err := install.Uninstall(ctx, storeID)
//
// # What you may rely on
//
// A code is sent to the platform once, and only for the browser that began the install, within 10 minutes (unless
// Handler.AllowUnsolicited says otherwise). The token request is never repeated and follows no redirect. After an install the browser goes to a path that was chosen before
// it, never to one that the callback names. Secret never prints its value, and no error holds a secret.
//
// # One token per store
//
// Tokens do not expire, but a new one kills the one before it. So when a merchant installs twice at once, the token
// issued last must be the one that is stored, and the order in which answers arrive does not tell which that is. Alone, a
// Handler ends one install after the other. That serves one process; with several, set Handler.Verify, and each
// process stores its token only after it has seen it alive. A request of unknown outcome (ErrOutcomeUnknown) is the
// exception no client can close: the platform may act on it later, and then only a new install helps.
//
// # Where the rest is
//
// Scopes tells what was granted and what is missing. App.AuthorizeURL and App.Exchange are the two halves of Handler, for those who
// keep states themselves. TokenStore and StateStore are what a database has to do; MemoryStore and MemoryStates do it for one
// process. A whole installation is in examples/quickstart and examples/callsites.
//
// # What is left to you
//
// A TokenStore and, for several processes, a StateStore over your database, two methods each. A limit on the rate of
// requests to the redirect URL, since each visit begins an install. And the registration of that URL at the platform:
// left at its default, installs end at a page for partners.
package oauth
