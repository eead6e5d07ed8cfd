// Package browsertest drives Chromium through web pages for tests, and checks what holds for every page.
//
//	var browser *browsertest.Browser
//
//	func TestMain(m *testing.M) { goleak.VerifyTestMain(browsertest.With(m, &browser)) }
//
//	func TestCart(t *testing.T) {
//		p := browser.Open(t, browsertest.View{})
//		p.Visit(server.URL+"/cart", "Your cart")                  // returns when the new page has that text
//		p.CheckViews()                                            // width, console, axe-core; phone, desk; light, dark
//		p.Follow("Thank you", chromedp.Click(chromedp.ID("buy"))) // another page
//		p.Picture(dir, "thanks")
//	}
//
// Every step has 10 seconds, and axe-core has 30. A step that leads to another page waits for text that it has, and
// never takes the page before for it. A step that fails ends the test, with the name of the step and what is on the
// page. [Page.Check] reports findings and lets the test go on.
//
// The browser is found or installed by package internal/proof/chromium. It runs in a process group of its own without a
// sandbox, so it must show nobody's pages but those of the tests.
package browsertest
