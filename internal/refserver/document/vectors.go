package document

import (
	"crypto/md5"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
)

// vectors are signed calls and wrong ones. Programs in any language verify their own code by them.
type vectors struct {
	About    string           `json:"about"`
	Webhooks []webhookVector  `json:"webhooks"`
	Payments paymentVectors   `json:"payments"`
	Rates    []cacheKeyVector `json:"rates"`
}

// webhookVector is a delivery. Reason says why an app must refuse it; empty if it must not.
type webhookVector struct {
	Secret    string `json:"secret"`
	Body      string `json:"body"`
	Signature string `json:"signature"`
	Valid     bool   `json:"valid"`
	Reason    string `json:"reason,omitempty"`
}

type paymentVectors struct {
	About     string          `json:"about"`
	PublicKey string          `json:"public_key"`
	Calls     []paymentVector `json:"calls"`
}

// paymentVector is a signed call. The URL is the one that was signed; Now is the time at the app.
type paymentVector struct {
	Method    string `json:"method"`
	URL       string `json:"url"`
	Timestamp string `json:"timestamp"`
	Now       int64  `json:"now"`
	Body      string `json:"body"`
	Hash      string `json:"hash"`
	Signature string `json:"signature"`
	Valid     bool   `json:"valid"`
	Reason    string `json:"reason,omitempty"`
}

// cacheKeyVector is the key by which the platform reuses rates. Items are the inputs of the MD5 of each item, and
// Input that of the whole.
type cacheKeyVector struct {
	Request json.RawMessage `json:"request"`
	Items   []string        `json:"items"`
	Input   string          `json:"input"`
	Key     string          `json:"key"`
}

// madeVectors makes the vectors with the key in client/contract/vectors.pem.
func madeVectors(root string) (vectors, error) {
	key, err := testKey(filepath.Join(root, "client/contract/vectors.pem"))
	if err != nil {
		return vectors{}, err
	}
	out := vectors{
		About: "Calls as the platform signs them, and wrong ones with the reason. The keys are for tests only. " +
			"Bodies are the bytes of the call in UTF-8: verify them before they are parsed.",
		Webhooks: webhookVectors(),
	}
	if out.Payments, err = signedPayments(key); err != nil {
		return out, err
	}
	for _, request := range []string{plainRates, strings.NewReplacer("Florida", "Vicente López", `"id":"77"`, `"id":"78"`,
		`"items":[`, `"items":[{"id":8,"quantity":1,"grams":1000,"dimensions":{"width":0.0,"height":0.0,"depth":0.25}},`,
	).Replace(plainRates)} {
		v, err := cacheKey([]byte(request))
		if err != nil {
			return out, err
		}
		out.Rates = append(out.Rates, v)
	}
	return out, nil
}

// testKey reads the private key of the vectors.
func testKey(name string) (*rsa.PrivateKey, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s: must be PEM", name)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	private, ok := key.(*rsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s: must be an RSA key", name)
	}
	return private, nil
}

func webhookVectors() []webhookVector {
	const secret, body = "s3cr3t", `{"store_id":817495,"event":"order/paid","id":871254203}`
	good := delivery.Sign(secret, []byte(body))
	unicode := `{"store_id":817495,"event":"product/created","id":1,"name":"Café ☕"}`
	all := []webhookVector{
		{Body: body, Signature: good, Valid: true},
		{Body: unicode, Signature: delivery.Sign(secret, []byte(unicode)), Valid: true},
		{Body: "", Signature: delivery.Sign(secret, nil), Valid: true},
		{Body: body + "\n", Signature: good, Reason: "the body has one more byte"},
		{Body: strings.Replace(body, "817495", "817496", 1), Signature: good, Reason: "another store"},
		{Body: `{"store_id": 817495, "event": "order/paid", "id": 871254203}`, Signature: good, Reason: "the body was parsed and written again"},
		{Body: body, Signature: delivery.Sign("other", []byte(body)), Reason: "another secret"},
		{Body: body, Signature: delivery.Sign("", []byte(body)), Reason: "the empty secret"},
		{Body: body, Signature: good[:63], Reason: "the signature is too short"},
		{Body: body, Signature: good + "00", Reason: "the signature is too long"},
		{Body: body, Signature: good[:2] + strings.Repeat("0", 62), Reason: "one byte is right"},
		{Body: body, Signature: "", Reason: "there is no signature"},
	}
	for i := range all {
		all[i].Secret = secret
	}
	return all
}

// signedPayments are calls of the kinds with and without a body.
func signedPayments(key *rsa.PrivateKey) (paymentVectors, error) {
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return paymentVectors{}, err
	}
	out := paymentVectors{
		About: "The signature is RSASSA-PKCS1-v1_5 with SHA-256 over URL|timestamp|hash, in standard Base64. The hash is the " +
			"hexadecimal SHA-256 of the bytes of the body, of no bytes if there is none. The URL is the registered one with the " +
			"query of the call, whatever proxies make of it. Refuse calls whose timestamp is more than five minutes from now.",
		PublicKey: string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})),
	}
	at := time.Unix(1735732800, 0)
	const process, cancel = "https://pay.example/process", "https://pay.example/cancel?payment_attempt_id=5b6e3a4e-6f1e-4a46-9b7e-0f6d3c1c2f11"
	const body = `{"store_id":817495,"order_id":871254203,"amount":{"value":"6850.00","currency":"ARS"}}`
	sign := func(v paymentVector, url, body string) error {
		header, err := payment.Sign(key, url, []byte(body), at)
		sum := sha256.Sum256([]byte(v.Body))
		v.Timestamp, v.Hash, v.Valid = header.Get("X-Timestamp"), hex.EncodeToString(sum[:]), v.Reason == ""
		if v.Signature == "" {
			v.Signature = header.Get("X-Signature")
		}
		out.Calls = append(out.Calls, v)
		return err
	}
	now := at.Unix() + 1
	return out, errors.Join(
		sign(paymentVector{Method: "POST", URL: process, Now: now, Body: body}, process, body),
		sign(paymentVector{Method: "POST", URL: cancel, Now: now}, cancel, ""),
		sign(paymentVector{Method: "GET", URL: "https://pay.example/status?order_id=871254203", Now: now},
			"https://pay.example/status?order_id=871254203", ""),
		sign(paymentVector{Method: "POST", URL: process, Now: now, Body: body + " ", Reason: "the body has one more byte"}, process, body),
		sign(paymentVector{Method: "POST", URL: "https://other.example/process", Now: now, Body: body, Reason: "another URL"}, process, body),
		sign(paymentVector{Method: "POST", URL: cancel, Now: now, Reason: "signed without the query"}, "https://pay.example/cancel", ""),
		sign(paymentVector{Method: "POST", URL: process, Now: at.Unix() + 301, Body: body, Reason: "the timestamp is too old"}, process, body),
		sign(paymentVector{Method: "POST", URL: process, Now: at.Unix() - 301, Body: body, Reason: "the timestamp is in the future"}, process, body),
		sign(paymentVector{Method: "POST", URL: process, Now: now, Body: body, Signature: "AAAA", Reason: "the signature is too short"}, process, body),
	)
}

// plainRates is a request with no more than what the key is made of.
const plainRates = `{"origin":{"name":null,"location_id":"01GQ2ZHK064BQRHGDB7CCV0Y6N","address":"Maipú","number":"1520",` +
	`"floor":null,"locality":null,"city":"Florida","province":"Buenos Aires","country":"AR","postal_code":"1602","phone":null},` +
	`"destination":{"name":null,"address":null,"number":null,"floor":null,"locality":null,"city":null,"province":null,` +
	`"country":"AR","postal_code":"2000","phone":null},"items":[{"id":7,"quantity":2,"grams":350,"dimensions":` +
	`{"width":12.0,"height":10.0,"depth":10.5}}],"carrier":{"id":"77"}}`

// cacheKey computes the key of a request. Its parts are the id of the carrier, the fields of the origin, the fields of
// the destination, and an MD5 for each item, joined with colons. null is the empty text.
func cacheKey(request []byte) (cacheKeyVector, error) {
	type place map[string]json.RawMessage
	var r struct {
		Carrier             struct{ ID string }
		Origin, Destination place
		Items               []struct {
			ID, Quantity, Grams json.Number
			Dimensions          struct{ Width, Height, Depth json.Number }
		}
	}
	out := cacheKeyVector{Request: request}
	if err := json.Unmarshal(request, &r); err != nil {
		return out, err
	}
	field := func(p place, name string) string {
		var s string
		_ = json.Unmarshal(p[name], &s) // null leaves it empty
		return s
	}
	where := strings.Fields("address number floor locality city province country postal_code phone")
	parts := []string{r.Carrier.ID}
	for _, name := range append([]string{"name", "location_id"}, where...) {
		parts = append(parts, field(r.Origin, name))
	}
	for _, name := range append([]string{"name"}, where...) {
		parts = append(parts, field(r.Destination, name))
	}
	for _, i := range r.Items {
		d := i.Dimensions
		item := strings.Join([]string{
			i.ID.String(), i.Quantity.String(), i.Grams.String(), d.Width.String(), d.Height.String(), d.Depth.String(),
		}, ":")
		out.Items = append(out.Items, item)
		parts = append(parts, sum(item))
	}
	out.Input = strings.Join(parts, ":")
	out.Key = sum(out.Input)
	return out, nil
}

// sum is the MD5 that the contract names. Nothing secret depends on it.
func sum(s string) string {
	digest := md5.Sum([]byte(s))
	return hex.EncodeToString(digest[:])
}
