// Package chromium finds what tests of web pages require, and installs it if it is missing: the browser Chromium
// without a window, and axe-core, a script that finds what some people could not use.
//
// [Program] uses the browser that the environment variable COMMERCE_TEST_BROWSER names, or else
// chromium-headless-shell or chromium in PATH. If there is none, chromium-headless-shell is installed with apt-get,
// which needs root or a sudo that asks nothing.
//
// [Axe] downloads one version of axe-core with npm, once for each user. It accepts only the script that it has the
// checksum of.
//
// Starting the browser is for internal/proof/browser/browsertest, a module of its own.
package chromium
