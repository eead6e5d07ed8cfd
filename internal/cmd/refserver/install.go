package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func installCommand() command {
	return command{
		name: "install", does: "installs the app in the store, as if the merchant had approved it",
		lesson: `The app is the demo app. It gets a token, which "refserver env" prints. An app that is installed gets another one
with --again, and the previous one is refused from then on. Unlike "refserver trigger app/uninstalled", which makes an
installation first if there is none, "refserver uninstall" ends the one that is there.

    refserver uninstall
    refserver install --scopes read_products,write_products
    refserver install --again`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			scopes := f.String("scopes", "", "comma-separated `list` of scopes; all, or those of before, if empty")
			again := f.Bool("again", false, "install an app again that is installed")
			return func(ctx context.Context, e *env) error {
				act := "install"
				if *again {
					act = "reinstall"
				}
				in := map[string]any{"scopes": world.ParseScopes(*scopes)}
				return installation(ctx, e, act, in, func(w io.Writer, a installedJSON) {
					const text = "app %d is installed in store %d; \"refserver env\" prints its token\n"
					fmt.Fprintf(w, text, a.App, a.Store)
				})
			}
		},
	}
}

func uninstallCommand() command {
	return command{
		name: "uninstall", does: "uninstalls the app from the store, and sends app/uninstalled and store/redact",
		lesson: `The token of the app is refused from then on. "refserver install" installs the app again.

    refserver uninstall
    refserver install`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(ctx context.Context, e *env) error {
				return installation(ctx, e, "uninstall", map[string]any{}, func(w io.Writer, _ any) {
					fmt.Fprintln(w, `the app is not installed any more; "refserver install" installs it again`)
				})
			}
		},
	}
}

// installedJSON is the answer of an installation.
type installedJSON struct {
	App   int64 `json:"app"`
	Store int64 `json:"store"`
}

// installation changes whether the demo app is installed.
func installation[T any](ctx context.Context, e *env, act string, in map[string]any, show func(io.Writer, T)) error {
	demo, err := get[info](ctx, e, "info")
	if err != nil {
		return err
	}
	if demo.AppID == 0 {
		return errNoDemo
	}
	path, err := e.inStore(ctx, act)
	if err != nil {
		return err
	}
	in["app"] = demo.AppID
	return call(ctx, e, http.MethodPost, path, in, show)
}
