package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func installCommand() command {
	return command{
		name: "install", does: "installs the app in the store, as if the merchant had approved it",
		lesson: `The app is the demo app. It gets a token, which "refserver env" prints. With --again, an installed app gets a new token,
and the platform refuses the previous one from then on.

    refserver uninstall
    refserver install --scopes read_products,write_products
    refserver install --again`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			scopes := f.String("scopes", "", "comma-separated `list` of scopes; if empty, those of the previous installation, or all")
			again := f.Bool("again", false, "install the app again although it is installed")
			return func(ctx context.Context, e *env) error {
				name := "stores.install"
				if *again {
					name = "stores.reinstall"
				}
				in := members{"scopes": world.ParseScopes(*scopes)}
				return installation(ctx, e, name, in, func(w io.Writer, a reply) {
					const text = "app %s is installed in store %s; \"refserver env\" prints its token\n"
					fmt.Fprintf(w, text, a.text("app"), a.text("store"))
				})
			}
		},
	}
}

func uninstallCommand() command {
	return command{
		name: "uninstall", does: "uninstalls the app from the store, and sends app/uninstalled and store/redact",
		lesson: `The platform refuses the app's token from then on. "refserver install" installs the app again. The command fails if the
app is not installed, unlike "refserver trigger app/uninstalled", which installs it first.

    refserver uninstall
    refserver install`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(ctx context.Context, e *env) error {
				return installation(ctx, e, "stores.uninstall", members{}, func(w io.Writer, _ reply) {
					fmt.Fprintln(w, `the app is uninstalled; "refserver install" installs it again`)
				})
			}
		},
	}
}

// installation changes whether the demo app is installed.
func installation(ctx context.Context, e *env, name string, in members, text func(io.Writer, reply)) error {
	demo, err := e.info(ctx)
	if err != nil {
		return err
	}
	if demo.AppID == 0 {
		return errNoDemo
	}
	in["app"] = demo.AppID
	return show(ctx, e, name, nil, in, text)
}
