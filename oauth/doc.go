// Package oauth installs an app in stores and stores their access tokens.
//
// The platform issues tokens by the authorization code flow of OAuth 2. The merchant approves the app at the platform,
// and the browser comes back to the app's redirect URL with a code. The app exchanges the code for a token of that
// store. [Handler] does all of it. Mount it at the redirect URL:
//
//	tokens := &oauth.MemoryStore{} // a restart loses all tokens; a sqlstore.Store keeps them in a database
//	install := &oauth.Handler{
//		App: oauth.App{
//			ID: 123, Secret: client.Secret(os.Getenv("APP_SECRET")),
//			AuthURL: os.Getenv("AUTH_URL"), Name: "Mug Printer",
//		},
//		Tokens:    tokens,
//		PublicURL: "https://app.example", // of this site; http://localhost:8080 during development
//		ReturnTo:  "/welcome",
//	}
//	mux.Handle("/oauth/callback", install)
//
// A visit to that path begins an installation; [Handler.Begin] begins one from any other handler. Then, for each store
// that installed the app:
//
//	stores := &client.Stores{Config: config, Tokens: oauth.Sources(tokens)}
//	c, err := stores.Client(ctx, storeID)
//
// [Sessions] signs the merchant in after the installation. When the webhook app/uninstalled arrives:
//
//	err := install.Uninstall(ctx, storeID)
//
// Call [Handler.Erase] for store/redact, and run [Handler.KeepRetired] in each process: it restores retired tokens that
// the platform accepts again, and repeats OnInstalled until it succeeds.
//
// # Guarantees
//
// Refused tokens: a token that the platform refuses is retired, not deleted, if Tokens is a [Retirer]. It comes back
// within an hour after the platform accepts it again, and is erased by Erase, or after 30 days.
//
// New tokens: a new token that the platform refuses is stored anyway, unless a later one is stored already, because the
// exchange has invalidated the previous token. OnInstalled is repeated until it has succeeded, even after a restart;
// see [Install.Due].
//
// Codes: a code is sent to the platform once, within 10 minutes, and only for the browser that began the installation
// (unless Handler.AllowUnsolicited is set). The token request is never retried and follows no redirect.
//
// Redirects: after an installation the browser goes to a path that was chosen before it, never to one from the
// callback.
//
// Secrets: Secret never prints its value, and no error holds a secret.
//
// Repeated callbacks: a callback may arrive more than once, because of a reload, the back button, or a second click on
// Approve, which brings another code. For 10 minutes the same browser gets the same outcome, even after a failure. The
// code is retried only if it was not sent ([ErrNotSent]). A callback that arrives during the exchange waits for its
// outcome. After a success the browser is redirected to an address that holds no code and may be reloaded. Prefetches
// and HEAD requests do not use up the code.
//
// Pages: the default pages state only what is certain. A cookie connects an installation with its browser. Browsers
// drop it in a frame, so there the page is a button that opens the full window.
//
// # One token per store
//
// Tokens do not expire, but a new token invalidates the previous one. If a merchant installs the app twice at the same
// time, the token issued last must be stored, and the order of the answers does not show which token that is. By
// default, a Handler finishes one installation after the other, which is enough for one process. With several
// processes, set Handler.Verify: each process then asks the platform about its token before it stores it. A token that
// the platform refuses does not replace one that was issued later, so the token issued last remains. One case is left:
// after a request of unknown outcome ([ErrOutcomeUnknown]) the platform may still issue a token later. Only a new
// installation fixes that.
//
// # Several processes
//
// Replicas share a [TokenStore] and a [StateStore], such as one sqlstore.Store, and set Handler.Verify. The StateStore
// also holds the outcome of each installation (Pending.Ended), so a repeated callback may reach any replica. If another
// replica has begun to handle the callback, this one waits for its outcome up to App.Timeout. If the outcome is
// unknown, its page says that the link was used.
//
// # What is left to you
//
// Your program must provide:
//
//   - a database for package sqlstore and the keys that encrypt its tokens, or a TokenStore and a StateStore of your
//     own
//   - a limit on the rate of requests to the redirect URL, because each visit begins an installation
//   - the registration of the redirect URL at the platform; with the platform's default URL, installations end at a
//     page for partners, and the app gets no code
//
// # See also
//
// [Scopes] reports the granted and the missing scopes. [App.AuthorizeURL] and [App.Exchange] are the two halves of
// Handler, for apps that store states themselves. TokenStore and StateStore describe the database. Package sqlstore
// implements both with SQLite and PostgreSQL; [MemoryStore] and [MemoryStates] implement them for one process. Package
// oauthtest tests implementations. The programs examples/quickstart and examples/callsites contain a whole
// installation.
package oauth
