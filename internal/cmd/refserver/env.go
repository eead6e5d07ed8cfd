package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

func envCommand() command {
	return command{
		name: "env", does: "prints the addresses and credentials of a running server as shell variables",
		lesson: `The example apps and the programs of "refserver init" read these variables. The secret and the token are those of the
demo app, and are worthless outside that server. Run the
command again after an installation, which replaces the token. If the app is not installed, the token is empty, and the
command fails after it has printed the others. --wait is for scripts that have just started the server: the command repeats
its call until the server answers or the time is over.

    eval "$(refserver env --wait 10s)"
    curl -fsS -H "Authorization: bearer $COMMERCE_TOKEN" "$COMMERCE_BASE_URL/v1/$COMMERCE_STORE_ID/store"`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			wait := f.Duration("wait", 0, "`time` to wait for a server that has just been started, such as 10s")
			return func(ctx context.Context, e *env) error {
				in, err := e.info(ctx)
				for end := time.Now().Add(*wait); errors.Is(err, control.ErrUnreachable) && time.Now().Before(end) && ctx.Err() == nil; {
					time.Sleep(50 * time.Millisecond)
					in, err = e.info(ctx)
				}
				if err != nil {
					return err
				}
				return printEnv(ctx, e, in)
			}
		},
	}
}

// errNoDemo is the error of commands about the demo app.
var errNoDemo = errors.New("the server has no demo app: start it with --demo")

// variables are the addresses and credentials of the demo app, and the key that verifies payment calls.
func (e *env) variables(ctx context.Context, in info) ([][2]string, error) {
	var key struct {
		PEM string `json:"pem"`
	}
	err := e.do(ctx, "payments.key", nil, nil, &key)
	return [][2]string{
		{"COMMERCE_BASE_URL", in.BaseURL},
		{"COMMERCE_AUTH_URL", in.AuthURL},
		{"COMMERCE_APP_ID", fmt.Sprint(in.AppID)},
		{"COMMERCE_APP_SECRET", in.ClientSecret},
		{"COMMERCE_STORE_ID", fmt.Sprint(in.StoreID)},
		{"COMMERCE_TOKEN", in.AccessToken},
		{"COMMERCE_PAYMENTS_KEY", strings.TrimSpace(key.PEM)},
	}, err
}

func printEnv(ctx context.Context, e *env, in info) error {
	if in.AppID == 0 {
		return errNoDemo
	}
	own, err := e.variables(ctx, in)
	if err != nil {
		return err
	}
	variables := append([][2]string{{controlVariable, e.remote.URL()}}, own...)
	if err := e.export(variables); err != nil {
		return err
	}
	if in.AccessToken == "" {
		return fmt.Errorf("app %d is not installed in store %d, so it has no token: run refserver install", in.AppID, in.StoreID)
	}
	return nil
}

// export prints variables as commands of a shell, or as an object. One without a value is set to nothing.
func (e *env) export(variables [][2]string) error {
	if e.json {
		object := map[string]string{}
		for _, v := range variables {
			object[v[0]] = v[1]
		}
		raw, err := json.Marshal(object)
		if err != nil {
			return err
		}
		return e.line(raw)
	}
	for _, v := range variables {
		quoted := "'" + strings.ReplaceAll(v[1], "'", `'\''`) + "'"
		if _, err := io.WriteString(e.stdout, "export "+v[0]+"="+quoted+"\n"); err != nil {
			return err
		}
	}
	return nil
}
