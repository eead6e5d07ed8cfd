// Package multistore connects the parts that every app of many stores has: installation, tokens and sessions, the
// client of each store, webhooks with their inbox and worker, requests of data protection, copies, the probes of a load
// balancer, the page for operators, and a shutdown that loses nothing.
//
// New returns an App from a configuration. Its fields are the parts, connected with each other, and can be changed
// until Serve. What makes the app is added: handlers of events, copies, pages, callbacks.
//
//	inbox, err := sqlite.Open(ctx, "app.db", sqlite.Options{})
//	…
//	app := multistore.New(multistore.Config{
//		OAuth: oauth.App{ID: appID, Secret: secret, AuthURL: authURL, Name: "My App"},
//		API:   client.Config{BaseURL: base, UserAgent: "My App (dev@my.app)"},
//		Tokens: &sqlstore.Store{Keys: keys}, Inbox: inbox, PublicURL: "https://app.example",
//	})
//	products := &sqlcopy.Table[client.Product]{…}
//	multistore.Follow(app, products, webhook.ProductUpdated, webhook.ProductCreated, webhook.ProductDeleted)
//	webhook.OnStore(app.Events, webhook.StoreRedactRequested, redactStore)
//	mux.Handle("/", pages) // app.Sessions says who is signed in
//	err = errors.Join(app.Migrate(ctx, products.Migrate), app.Serve(ctx, listener, mux))
//
// # What an App does
//
//   - GET /oauth/callback installs the app, and a plain visit begins an installation. After it the merchant is signed
//     in (App.Sessions), the copies of the store begin, and App.Prepare registers webhooks, promotions and carriers.
//   - POST /hooks and the three paths of data protection store deliveries in the inbox, and App.Worker runs their
//     handlers.
//   - app/uninstalled deletes the token, unless the app has been installed again. A copy or a handler that finds the
//     token dead does so too, because the event can arrive late or never.
//   - GET /livez and GET /readyz are the probes. When the context of Serve ends, /readyz fails first.
//
// Any number of replicas may share the database. Each part documents what it guarantees; this package adds nothing to
// store. An app that needs another arrangement connects the parts itself: each is a public type.
package multistore
