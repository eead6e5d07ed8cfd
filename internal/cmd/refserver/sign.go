package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
)

// secretVariable is the environment variable with the secret of an app.
const secretVariable = "COMMERCE_APP_SECRET"

// secretFlags are the flags of a command that requires the secret of an app.
type secretFlags struct{ secret, file string }

func (s *secretFlags) bind(f *flag.FlagSet) {
	f.StringVar(&s.secret, "secret", "", "`secret` of the app; other users of the machine can read it in the list of processes")
	f.StringVar(&s.file, "secret-file", "", "`file` with the secret, without a trailing newline")
}

// isSet reports whether the command line or the environment has the secret.
func (s *secretFlags) isSet() bool { return s.secret+s.file+os.Getenv(secretVariable) != "" }

// read returns the secret: that of the flags, of the environment, or of the demo app of the server.
func (s *secretFlags) read(ctx context.Context, e *env) (string, error) {
	switch set := os.Getenv(secretVariable); {
	case s.secret != "" && s.file != "":
		return "", misused("--secret-file", s.file, "must not be set together with --secret")
	case s.secret != "":
		return s.secret, nil
	case s.file != "":
		raw, err := readFile(s.file)
		return string(raw), err
	case set != "":
		return set, nil
	}
	in, err := e.info(ctx)
	if errors.Is(err, control.ErrUnreachable) || err == nil && in.ClientSecret == "" {
		return "", fmt.Errorf("no secret: set --secret-file, --secret or %s, or run a server with --demo%w", secretVariable, silent{errUsage})
	}
	return in.ClientSecret, err
}

func signCommand() command {
	return command{
		name: "sign", args: "FILE", least: 1, most: 1, does: "prints the signature of the body of a webhook",
		lesson: `The signature is the hexadecimal HMAC-SHA256 of the bytes of the body as they are sent, keyed with the app's secret. The
secret comes from --secret-file, --secret or ` + secretVariable + `, otherwise from the demo app of a running server.
FILE - is standard input.

    printf '{"store_id":1001,"event":"order/paid","id":5}' > body.json
    refserver sign body.json
    curl -X POST http://127.0.0.1:3000/hooks --data-binary @body.json -H "x-platform-hmac-sha256: $(refserver sign body.json)" || true

--data-binary is required, because -d removes newlines from the body.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			var in secretFlags
			in.bind(f)
			return func(ctx context.Context, e *env) error {
				body, err := readFile(e.args[0])
				if err != nil {
					return err
				}
				secret, err := in.read(ctx, e)
				if err != nil {
					return err
				}
				signature := delivery.Sign(secret, body)
				return showValue(e, map[string]any{"signature": signature, "bytes": len(body)}, func(w io.Writer) {
					fmt.Fprintln(w, signature)
				})
			}
		},
	}
}

// hmacWith begins a signature.
func hmacWith(h func() hash.Hash, secret string) hash.Hash { return hmac.New(h, []byte(secret)) }

// hmacOf returns the signature of a body in bytes.
func hmacOf(secret string, body []byte) []byte {
	mac := hmacWith(sha256.New, secret)
	mac.Write(body)
	return mac.Sum(nil)
}
