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
		lesson: `The token of the app is refused from then on. "refserver install" installs the app again.

    refserver uninstall
    refserver install`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(ctx context.Context, e *env) error {
				return installation(ctx, e, "stores.uninstall", members{}, func(w io.Writer, _ reply) {
					fmt.Fprintln(w, `the app is not installed any more; "refserver install" installs it again`)
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
