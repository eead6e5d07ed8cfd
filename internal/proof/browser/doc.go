// Package browser tests pages in a real browser: that of webhook/inboxops. It is a module of its own, because it
// requires chromedp and Chromium. It is built without the race detector: what it tests is in the browser, and the tests
// of the packages themselves have the detector.
//
// Package browsertest, beside it, drives the browser and has nothing of the pages.
//
//	go test -v -run TestPictures . -pictures /tmp/pictures
//
// writes pictures of pages. Whoever changes a page looks at them.
package browser
