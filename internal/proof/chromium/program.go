package chromium

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"github.com/commerceplatform/commerce-go/internal/proof/aptget"
)

// Variable is the environment variable with the program that [Program] returns: a path, or a name in PATH.
const Variable = "COMMERCE_TEST_BROWSER"

// packaged is the browser that is installed. It is half as large as chromium, which has windows.
const packaged = "chromium-headless-shell"

// howTo is what a user without a browser can do.
const howTo = `Chromium is needed and neither chromium-headless-shell nor chromium was found in PATH.
Install one of them (Debian: apt-get install chromium-headless-shell; Fedora: dnf install chromium-headless), or set
COMMERCE_TEST_BROWSER to the program of a Chromium or Chrome`

// Available returns nil if this machine has what [Program] and [Axe] return, which is installed if need be. Otherwise
// the error says what is missing, and how to get it.
func Available(ctx context.Context) error {
	if _, err := Program(ctx); err != nil {
		return err
	}
	_, err := Axe(ctx)
	return err
}

// Program returns the path of a browser. It installs one if none is found.
func Program(ctx context.Context) (string, error) {
	if given := os.Getenv(Variable); given != "" {
		path, err := exec.LookPath(given)
		if err != nil {
			return "", fmt.Errorf("chromium: %s: %w", Variable, err)
		}
		return path, nil
	}
	if path := find(); path != "" {
		return path, nil
	}
	if err := aptget.Install(ctx, packaged); err != nil {
		return "", fmt.Errorf("chromium: %s: %w", howTo, err)
	}
	if path := find(); path != "" {
		return path, nil
	}
	return "", fmt.Errorf("chromium: %s: apt-get installed %s and its program is still not there", howTo, packaged)
}

func find() string {
	for _, name := range []string{packaged, "chromium"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
