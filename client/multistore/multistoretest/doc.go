// Package multistoretest runs a multistore.App in a test, on the platform of clienttest. Everything is in memory,
// except the database of the app.
//
//	platform := clienttest.New(t, clienttest.Options{AutoApprove: true})
//	config := multistoretest.Config(platform)
//	config.Inbox = inbox // of webhook/sqlite, in t.TempDir()
//	app, mux := newApp(config) // a function of your app
//	p := multistoretest.Serve(t, platform, app, mux)
//	p.Install()
//
// [Serve] is the process of the app. Call it once for each replica. [Process.Install] is a merchant with a browser, and
// [Process.Until] waits for what the app does later, such as the copy of a record.
//
// # Guarantees
//
// [Serve] ends the app with the test, and reports the errors of App.Serve. It sets App.Ready.Wait, so that no test
// waits for a load balancer.
//
// # See also
//
// docs/testing.md of package client has a test of a complete app.
package multistoretest
