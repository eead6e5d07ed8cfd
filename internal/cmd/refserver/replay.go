package main

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/recording"
	"github.com/commerceplatform/commerce-go/payments/paymentstest"
	"github.com/commerceplatform/commerce-go/webhook"
)

func replayCommand() command {
	return command{
		name: "replay", args: "FILE --to URL", least: 1, most: 1,
		does: "repeats the calls of a recording, and shows which answers changed or are invalid",
		lesson: `FILE is a recording of "refserver record". The command signs each call again, sends it to the app at --to, and compares the
answer with the recorded one by its meaning:

  - carts: status; the discount of each promotion on each line
  - rates: status; by type and code: prices, currency, and what the customer must provide or may choose
  - labels: status; of an answer 207, the status and the code of each label
  - payments: status; the error_code of a rejected refund; the number of transactions
  - deliveries: status

The order of members, the form of numbers, texts for customers and the dates of rates do not matter. The new answer must
also be valid by the platform's rules and in time: 800 ms for carts, 5 s for rates and labels, 3 s for deliveries, 20 s for
payments. The result of a call is "same", "changed" or "invalid". A call of a kind that this version does not know is
"unknown", and is not made. The exit status is 0 only if calls were made and all are "same".

Ids of promotions and other records differ between installations. --map OLD=NEW sends and expects NEW where OLD was
recorded, in bodies, paths and queries. A secret in a path was replaced in the recording, so map the replacement to it.

    refserver record --to calls.jsonl --app http://127.0.0.1:3000 --listen 127.0.0.1:3001 > recorder.txt &
    until grep -q listens recorder.txt; do sleep 0.1; done
    refserver cart new
    refserver cart --to http://127.0.0.1:3001/carts add 1000094
    kill $! && wait $!
    refserver replay calls.jsonl --to http://127.0.0.1:3000 --only carts --at-once 8 || true

The secret that signs webhooks comes from --secret-file, --secret or ` + secretVariable + `, otherwise from the demo app of a
running server. A secret from one of the first three also signs carts. --key signs payment calls, and the app must accept its
public half.

Never replay to an app in production, because it would write, charge and notify again.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			r := &replayer{changes: map[string]string{}}
			f.StringVar(&r.to, "to", "", "`URL` of the app, such as http://127.0.0.1:3000; the recorded paths are added to it")
			r.secret.bind(f)
			f.StringVar(&r.signature, "signature-header", webhook.SignatureHeader, "`name` of the header with the signature of webhooks")
			f.StringVar(&r.key, "key", "", "PEM `file` with the private RSA key that signs payment calls")
			f.StringVar(&r.origin, "origin", "",
				"`URL` of the app in signatures of payment calls; if empty, https and the recorded host")
			f.StringVar(&r.only, "only", "", "comma-separated `kinds` of calls: deliveries, carts, rates, labels, payments (default all)")
			f.IntVar(&r.atOnce, "at-once", 1, "`number` of concurrent calls; above 1, the app receives them in any order")
			f.Func("map", "`OLD=NEW` sends and expects the id NEW where OLD was recorded; repeatable", func(s string) error {
				old, changed, ok := strings.Cut(s, "=")
				if !ok || old == "" || changed == "" {
					return errors.New("must be like OLD=NEW")
				}
				r.changes[old] = changed
				return nil
			})
			f.Func("header", "`NAME: VALUE` that is sent with each call, such as credentials; repeatable", r.addHeader)
			return r.run
		},
	}
}

// replayer is the command replay.
type replayer struct {
	to, key, origin, only, signature string
	secret                           secretFlags
	atOnce                           int
	changes                          map[string]string
	header                           http.Header

	kinds   []recording.Kind
	private *rsa.PrivateKey
	client  *http.Client
	// known is the secret, which is read when it is first needed.
	known func() (string, error)
}

func (r *replayer) addHeader(s string) error {
	name, value, ok := strings.Cut(s, ":")
	if !ok || name == "" {
		return errors.New("must be like NAME: VALUE")
	}
	if r.header == nil {
		r.header = http.Header{}
	}
	r.header.Add(name, strings.TrimSpace(value))
	return nil
}

// prepare reads the files of the flags.
func (r *replayer) prepare(ctx context.Context, e *env) error {
	u, err := url.Parse(r.to)
	if err != nil || !isWeb(u) {
		return misused("--to", r.to, "must be like http://127.0.0.1:3000")
	}
	if r.atOnce < 1 || r.atOnce > 1000 {
		return misused("--at-once", fmt.Sprint(r.atOnce), "must be 1 to 1000")
	}
	r.kinds = recording.Kinds()
	if r.only != "" {
		r.kinds = nil
		for kind := range strings.SplitSeq(r.only, ",") {
			if !slices.Contains(recording.Kinds(), recording.Kind(kind)) {
				return misused("--only", kind, "must be one of deliveries, carts, rates, labels, payments")
			}
			r.kinds = append(r.kinds, recording.Kind(kind))
		}
	}
	if r.key != "" {
		if r.private, err = readKey(r.key); err != nil {
			return err
		}
	}
	r.known = sync.OnceValues(func() (string, error) { return r.secret.read(ctx, e) })
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = r.atOnce
	r.client = &http.Client{Transport: transport}
	return nil
}

// readKey reads a private RSA key.
func readKey(file string) (*rsa.PrivateKey, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(raw)
	if block == nil {
		return nil, misused("--key", file, "must be a PEM file")
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	key, ok := parsed.(*rsa.PrivateKey)
	if err != nil || !ok {
		return nil, misused("--key", file, "must have a private RSA key, in PKCS #1 or PKCS #8")
	}
	return key, nil
}

// sender makes the calls of a kind.
func (r *replayer) sender(kind recording.Kind) recording.Sender {
	return recording.Sender{URL: r.to, Client: r.client, Map: r.changes, Timeout: deadline(kind), Sign: r.sign}
}

// sign adds the headers of the platform.
func (r *replayer) sign(call recording.Record, h http.Header, body []byte) error {
	for name, values := range r.header {
		h[name] = values
	}
	switch call.Kind {
	case recording.Deliveries, recording.Carts:
		if call.Kind == recording.Carts && !r.secret.isSet() {
			return nil // the platform does not sign carts yet
		}
		secret, err := r.known()
		if err != nil {
			return err
		}
		h.Set(r.signature, webhook.Sign(client.Secret(secret), body))
	case recording.Payments:
		if r.private == nil {
			return misused("--key", "", "must be set, since the recording has payment calls, which are signed")
		}
		origin := strings.TrimSuffix(r.origin, "/")
		if origin == "" {
			origin = "https://" + call.Host
		}
		return paymentstest.Sign(h, r.private, origin+call.Target, body, time.Now())
	}
	return nil
}
