// Package oauth installs an app in stores and stores their access tokens.
//
// The platform issues tokens in one way, the authorization code of OAuth 2: the merchant approves the app at the
// platform, the browser comes back to the app's redirect URL with a code, and the app turns the code into a token for
// that store. Handler does all of it. Mount it at the redirect URL:
//
//	tokens := &oauth.MemoryStore{} // or a sqlstore.Store, over the database of the app
//	install := &oauth.Handler{
//		App: oauth.App{
//			ID: 123, Secret: client.Secret(os.Getenv("APP_SECRET")), AuthURL: os.Getenv("AUTH_URL"), Name: "Mug Printer",
//		},
//		Tokens:    tokens,
//		PublicURL: "https://app.example", // of this site; http://localhost:8080 during development
//		ReturnTo:  "/welcome",
//	}
//	mux.Handle("/oauth/callback", install)
//
// A visit to that path begins an install; Handler.Begin begins one from anywhere else. Then, for any store that
// installed the app:
//
//	stores := &v202503.Stores{Config: config, Tokens: oauth.Sources(tokens)}
//	api, err := stores.API(ctx, storeID)
//
// Sessions signs the merchant in who has installed the app. When the webhook app/uninstalled arrives:
//
//	err := install.Uninstall(ctx, storeID)
//
// # What you may rely on
//
// A code is sent to the platform once, and only for the browser that began the install, within 10 minutes (unless
// Handler.AllowUnsolicited is set). The token request is never repeated and follows no redirect. After an install the
// browser goes to a path that was chosen before it, never to one that the callback names. Secret never prints its
// value, and no error holds a secret.
//
// A callback may arrive more than once: by a reload, the back button, or a second click on Approve, which brings
// another code. For 10 minutes it ends at the same place for the same browser, a failure included. Only if nothing was
// sent (ErrNotSent) is the code tried again. A callback that arrives meanwhile waits. After a success the browser is
// redirected to an address that holds no code and may be reloaded. Prefetches and HEAD requests spend nothing.
//
// The default pages say only what is known. In a frame the page is a button that leads out of it, because browsers drop
// the cookie there.
//
// # One token per store
//
// Tokens do not expire, but a new token ends the one before it. When a merchant installs twice at once, the token
// issued last must be stored, and the order in which answers arrive does not reveal which one that is. Alone, a Handler
// ends one install after the other. That serves one process; with several, set Handler.Verify, and each process stores
// its token only after it has seen it alive. A request of unknown outcome (ErrOutcomeUnknown) is the exception that no
// client can close: the platform may act on it later, and then only a new install helps.
//
// # Several processes
//
// Replicas share a TokenStore and a StateStore, such as one sqlstore.Store, and set Handler.Verify. The StateStore also
// holds how each install ended (Pending.Ended), so that a callback which arrives again may reach any replica. A replica
// that finds a state taken and no ending waits for one, as long as App.Timeout. A replica that cannot know the ending
// says that the link was used.
//
// # Where the rest is
//
// Scopes reports what was granted and what is missing. App.AuthorizeURL and App.Exchange are the two halves of Handler,
// for apps that store states themselves. TokenStore and StateStore describe what a database has to do: package sqlstore
// does it with SQLite and PostgreSQL, and MemoryStore and MemoryStates do it for one process. Package oauthtest tests
// implementations. A whole installation is in examples/quickstart and examples/callsites.
//
// # What is left to you
//
// A database for package sqlstore and the keys that it seals tokens with, or a TokenStore and a StateStore of your own.
// A limit on the rate of requests to the redirect URL, since each visit begins an install. And the registration of that
// URL at the platform: left at its default, installs end at a page for partners.
package oauth
