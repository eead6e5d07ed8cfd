// Package multistore connects the parts that every app for many stores requires. These are installation, tokens and
// sessions, a client for each store, webhooks with inbox and worker, privacy requests, copies, health probes, the
// operators' page, and a graceful shutdown.
//
// [New] returns an [App] from a [Config]. Its fields are the connected parts and can be changed until [App.Serve]. Add
// the app's own event handlers, copies, pages and callbacks:
//
//	inbox, err := sqlite.Open(ctx, "app.db", sqlite.Options{})
//	…
//	app := multistore.New(multistore.Config{
//		OAuth: oauth.App{ID: appID, Secret: secret, AuthURL: authURL, Name: "My App"},
//		API:   client.Config{BaseURL: base, UserAgent: "My App (dev@my.app)"},
//		Tokens: &sqlstore.Store{Keys: keys}, // New sets its DB to that of Inbox
//		Inbox: inbox, PublicURL: "https://app.example",
//	})
//	products := &sqlcopy.Table[client.Product]{…}
//	multistore.Follow(app, products, webhook.ProductUpdated, webhook.ProductCreated, webhook.ProductDeleted)
//	webhook.OnStore(app.Events, webhook.StoreRedactRequested, func(ctx context.Context, store client.ID) error {
//		return errors.Join(app.Redact(ctx, store), deleteRecords(ctx, store))
//	})
//	app.Prepare = func(ctx context.Context, store client.ID) error {
//		c, err := app.Stores.Client(ctx, store)
//		if err == nil {
//			_, err = v202503.Webhooks(c).Ensure(ctx, app.CallbackURL+multistore.HooksPath, app.Events.Names()...)
//		}
//		return err
//	}
//	mux.Handle("/", pages) // app.Sessions has the merchant who is signed in
//	if err := app.Tables(sqlcopy.Tables).Migrate(ctx); err != nil {
//		return err
//	}
//	return app.Serve(ctx, listener, mux)
//
// # What an App does
//
//   - GET /oauth/callback completes an installation, and a visit without a code starts one. After an installation, the
//     merchant is signed in ([App].Sessions), the copies of the store start, and App calls [App].Prepare, in which your
//     app registers its webhooks, promotions and carriers. If Prepare is nil, none are registered.
//   - POST /hooks and the three paths of privacy requests store deliveries in the inbox, and [App].Worker runs their
//     handlers.
//   - app/uninstalled retires the token, unless the app has been installed again. The event can arrive late or never,
//     so a copy whose token is rejected for ten minutes also retires the token. A retired token becomes valid again if
//     the platform accepts it within 30 days. The app's handler of store/redact must call [App.Redact], which erases
//     the token and the jobs of the store.
//   - [App.Jobs] adds bulk changes and other jobs, which Serve runs.
//   - GET /livez and GET /readyz are the health probes. When the context of Serve ends, /readyz fails first.
//
// # Guarantees
//
// Any number of replicas may share the database. Each part documents its own guarantees; this package itself stores
// only which process runs App.Prepare for a store.
//
// Each part is a public type, so an app that requires another arrangement can connect the parts itself.
//
// # See also
//
// Package multistoretest runs an App in a test. docs/multi-store.md of package client describes such an app, and
// examples/flagship is one.
package multistore
