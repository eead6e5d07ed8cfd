// Package chromium finds the programs that tests of web pages require, and installs them if they are missing. They are
// the browser Chromium without a window, and axe-core, a script that finds elements that some people cannot use.
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
