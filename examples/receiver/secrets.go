package main

import (
	"cmp"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/commerceplatform/commerce-go/client"
)

// readSecrets returns the app's secrets. With -secrets, reread reads the file again and returns the number of secrets.
// A wrong file changes nothing.
func readSecrets(o options) (set *client.SecretSet, reread func() (int, error), err error) {
	set = new(client.SecretSet)
	reread = func() (int, error) {
		secrets := []client.Secret{o.secret}
		if o.secrets != "" {
			text, err := os.ReadFile(o.secrets)
			if err != nil {
				return 0, fmt.Errorf("-secrets: %w", err)
			}
			secrets = nil
			for _, line := range strings.Fields(string(text)) {
				secrets = append(secrets, client.Secret(line))
			}
		}
		if err := set.Set(secrets...); err != nil {
			return 0, fmt.Errorf("-secrets %s: %w", cmp.Or(o.secrets, "of the environment"), err)
		}
		return len(secrets), nil
	}
	_, err = reread()
	return set, reread, err
}

// onHangup calls f at each SIGHUP until stop is called.
func onHangup(f func()) (stop func()) {
	signals, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGHUP)
	go func() {
		defer close(ended)
		for range signals {
			f()
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
		<-ended
	}
}
