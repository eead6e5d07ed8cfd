package client_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/services"
)

// caller calls the methods of the services, with a canary in every text that they take.
type caller struct {
	t        *testing.T
	shown    *showing
	method   string
	logged   []string // texts of the log and of drift
	attempts atomic.Int64
	leaving  atomic.Int64 // requests with a canary besides the token
}

// client returns one whose calls all end in the mishap, and so for an app that acts for itself.
func (c *caller) client(m mishap) (*client.Client, *client.App, *http.Transport) {
	var servers sync.WaitGroup
	transport := client.NewTransport()
	transport.DialTLSContext = func(context.Context, string, string) (net.Conn, error) {
		c.attempts.Add(1)
		if m.dial != nil {
			return nil, m.dial
		}
		near, far := net.Pipe()
		servers.Go(func() { c.serve(far, m) })
		if m.resets {
			return resetting{near}, nil
		}
		return near, nil
	}
	config := client.Config{
		BaseURL: "https://api.example.com", UserAgent: "Test (t@example.com)",
		HTTPClient: &http.Client{Transport: transport}, AttemptTimeout: time.Second,
		Logger: slog.New(slog.NewMultiHandler(c.shown.loggers[0].Handler(), lines{&c.logged})),
		OnAttempt: func(ctx context.Context, a client.Attempt) (context.Context, func(client.AttemptEnd)) {
			_, _ = fmt.Fprintf(c.shown, "%+v\n", a)
			return ctx, func(e client.AttemptEnd) {
				_, _ = fmt.Fprintf(c.shown, "%+v\n", e)
				c.shown.loggers[0].Debug("ended", "attempt", e)
			}
		},
	}
	if m.response != nil {
		config.HTTPClient.Transport, config.Retry.Attempts = c.canned(m), 1
		config.OnDrift = func(_ context.Context, d client.Drift) { c.logged = append(c.logged, d.Path, d.Want, d.Got) }
	}
	app, err := client.NewApp(client.AppConfig{ID: 7, Secret: canary, Config: config})
	if err != nil {
		c.t.Fatal(err)
	}
	config.StoreID, config.Token = 123, client.StaticToken(canary)
	one, err := client.New(config)
	if err != nil {
		c.t.Fatal(err)
	}
	return one, app, transport
}

// canned gives the response of a mishap to each request.
func (c *caller) canned(m mishap) http.RoundTripper {
	return hostile.RoundTripper(func(req *http.Request) (*http.Response, error) {
		if c.attempts.Add(1); req.Body != nil {
			_, _ = io.Copy(io.Discard, req.Body)
			_ = req.Body.Close()
		}
		resp := m.response()
		resp.Request = req
		return resp, nil
	})
}

func (c *caller) serve(conn net.Conn, m mishap) {
	defer func() { _ = conn.Close() }()
	req, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	body, _ := io.ReadAll(req.Body)
	if req.Header.Get("Authorization") != "Bearer "+canary {
		c.t.Errorf("%s %s went out with %q", req.Method, req.URL.Path, req.Header.Get("Authorization"))
	}
	if strings.Contains(req.RequestURI+string(body), canary) {
		c.leaving.Add(1)
	}
	_, _ = io.WriteString(conn, m.answer)
	if m.stalls {
		_, _ = io.Copy(io.Discard, conn)
	}
}

// resetting is a connection whose end is told as a reset.
type resetting struct{ net.Conn }

func (c resetting) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if errors.Is(err, io.EOF) {
		err = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	}
	return n, err
}

// everyService has the services of all versions, those of the newest version first, by name.
func everyService(c *client.Client, app *client.App) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		seen := map[string]bool{}
		for _, s := range slices.Backward(services.All()) {
			if key := s.Name + s.Type().String(); !seen[key] {
				seen[key] = true
				if !yield(s.Name, s.Of(c, app)) {
					return
				}
			}
		}
	}
}

// methods are the names of all that services have.
func methods(t *testing.T) iter.Seq[string] {
	return func(yield func(string) bool) {
		one, app, _ := (&caller{t: t, shown: newShowing()}).client(mishap{})
		for name, service := range everyService(one, app) {
			for i := range service.NumMethod() {
				if !yield(name + "." + service.Type().Method(i).Name) {
					return
				}
			}
		}
	}
}

// call calls the method, reads the list that it returns, and returns what became of that.
func (c *caller) call(m mishap) *outcome {
	one, app, transport := c.client(m)
	defer synctest.Wait()
	defer transport.CloseIdleConnections()
	var method reflect.Value
	for name, service := range everyService(one, app) {
		if field, in, _ := strings.Cut(c.method, "."); field == name {
			if method = service.MethodByName(in); method.IsValid() {
				break
			}
		}
	}
	o := &outcome{mishap: m, caller: c, typ: method.Type()}
	within := c.t.Context()
	if m.patience > 0 {
		var leave context.CancelFunc
		within, leave = context.WithTimeoutCause(within, m.patience, m.left)
		defer leave()
	}
	ctx := reflect.ValueOf(c.traced(within))
	args := c.args(ctx, method.Type(), m.noRecord)
	o.spent = hostile.Cost(func() {
		defer func() { o.panicked = recover() }()
		o.results = method.Call(args)
		o.read(ctx)
	})
	return o
}

// args are the arguments of a method. Those that choose fields, of which the id may not be one, are left out for a
// whole record.
func (c *caller) args(ctx reflect.Value, method reflect.Type, whole bool) (all []reflect.Value) {
	for i := range method.NumIn() {
		in := method.In(i)
		rest := method.IsVariadic() && i == method.NumIn()-1
		switch {
		case in == reflect.TypeFor[context.Context]():
			all = append(all, ctx)
		case whole && in == reflect.TypeFor[client.OrderOptions]():
			all = append(all, reflect.Zero(in))
		case whole && rest && in == reflect.TypeFor[[]string]() && !strings.HasSuffix(c.method, "AddValues"):
		case rest:
			all = append(all, c.value(in.Elem(), 0))
		default:
			all = append(all, c.value(in, 0))
		}
	}
	return all
}

// read notes the errors of the results, and of the list, crawl or sync among them.
func (o *outcome) read(ctx reflect.Value) {
	all := o.results
	for _, out := range o.results {
		for _, name := range []string{"Page", "All"} {
			if next := out.MethodByName(name); next.IsValid() {
				all = append(all, next.Call([]reflect.Value{ctx})...)
			}
		}
	}
	for _, out := range all {
		if err, ok := out.Interface().(error); ok {
			o.errs = append(o.errs, err)
		}
		if out.Kind() == reflect.Func {
			for _, e := range out.Seq2() {
				if err, ok := e.Interface().(error); ok {
					o.errs = append(o.errs, err)
				}
			}
		}
	}
}

// traced tells what a caller sees who traces connections. The hook that is told the header is left out: it is told the
// token because it is the header.
func (c *caller) traced(ctx context.Context) context.Context {
	tell := func(v any) { _, _ = fmt.Fprintf(c.shown, "%+v\n", v) }
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:      func(hostPort string) { tell(hostPort) },
		GotConn:      func(i httptrace.GotConnInfo) { tell(i) },
		PutIdleConn:  func(err error) { tell(err) },
		DNSStart:     func(i httptrace.DNSStartInfo) { tell(i) },
		WroteRequest: func(i httptrace.WroteRequestInfo) { tell(i) },
	})
}

// samples are what types that read JSON are given, the first that they take.
var samples = []string{
	`"` + canary + `"`, `"01ARZ3NDEKTSV4RRFFQ69G5FAV"`, `"6ba7b810-9dad-41d1-80b4-00c04fd430c8"`, `"1.00"`, `"2026-05-01T10:00:00+0000"`, `1`, `true`,
	`{"en":"` + canary + `"}`, `["` + canary + `"]`, `{}`,
}

// value returns one with canaries in it.
func (c *caller) value(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	input, ok := inputs[c.method+" "+t.String()]
	if !ok {
		input, ok = inputs[t.String()]
	}
	if ok {
		if err := json.Unmarshal([]byte(strings.ReplaceAll(input, "CANARY", canary)), v.Addr().Interface()); err != nil {
			c.t.Errorf("%s: %v", t, err)
		}
		return v
	}
	if r, ok := v.Addr().Interface().(json.Unmarshaler); ok {
		for _, sample := range samples {
			if r.UnmarshalJSON([]byte(sample)) == nil {
				return v
			}
		}
		return v
	}
	if t == reflect.TypeFor[time.Time]() {
		return reflect.ValueOf(time.Now())
	}
	switch t.Kind() {
	case reflect.String:
		v.SetString(canary)
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int8, reflect.Int16:
		v.SetInt(1)
	case reflect.Uint8:
		v.SetUint('c')
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Interface:
		if t == reflect.TypeFor[io.ReaderAt]() { // of an upload
			v.Set(reflect.ValueOf(strings.NewReader(canary)))
		}
		if t.NumMethod() == 0 {
			v.Set(reflect.ValueOf(map[string]string{"email": canary}))
		}
	case reflect.Pointer:
		if depth < 4 {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(c.value(t.Elem(), depth+1))
		}
	case reflect.Slice:
		v.Set(reflect.Append(v, c.value(t.Elem(), depth+1)))
	case reflect.Func: // an iter.Seq
		one := c.value(t.In(0).In(0), depth+1)
		v.Set(reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
			args[0].Call([]reflect.Value{one})
			return nil
		}))
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(c.value(t.Key(), depth+1), c.value(t.Elem(), depth+1))
	case reflect.Array:
		if v.CanAddr() && t.Elem().Kind() == reflect.Uint8 {
			v.Index(6).SetUint(0x40) // a version 4, if it is a UUID
			v.Index(8).SetUint(0x80)
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && depth < 6 {
				v.Field(i).Set(c.value(f.Type, depth+1))
			}
		}
	}
	return v
}

// inputs are what is sent of types that the client checks, or that one method checks.
var inputs = map[string]string{
	"client.AppSubscriptionInput":                  `{"plan_id":"CANARY"}`,
	"client.CustomFieldInput":                      `{"name":"CANARY","value_type":"text","values":[]}`,
	"client.ChargeInput":                           `{"description":"CANARY","from_date":"2026-05-01T10:00:00+0000","to_date":"2026-06-01T10:00:00+0000","amount_value":1,"amount_currency":"USD","concept_code":"CANARY"}`,
	"client.CouponInput":                           `{"code":"CANARY","type":"percentage","value":"10.00"}`,
	"client.EmailTemplate":                         `{"id":1,"type":"ordershipped"}`,
	"client.EmailTemplateInput":                    `{"html_enabled":true,"subject":{"es":"CANARY"}}`,
	"client.CustomerInput":                         `{"name":"CANARY","email":"CANARY@example.com","note":"CANARY"}`,
	"client.DraftOrderInput":                       `{"contact_name":"CANARY","contact_lastname":"CANARY","contact_email":"CANARY@example.com","payment_status":"unpaid","products":[{"variant_id":1,"quantity":1}]}`,
	"client.ExternalInvoiceInput":                  `{"key":"35260100000000000191550010000000421000000428","number":"CANARY"}`,
	"client.FulfillmentOrderInput":                 `{"recipient":{"name":"CANARY"}}`,
	"client.FulfillmentInput":                      `{"status":"dispatched","description":"CANARY"}`,
	"client.ImageInput":                            `{"src":"https://app.example.com/CANARY.png"}`,
	"client.LabelInput":                            `{"status":"READY_TO_USE","documents":[{"type":"LABEL","format":"PDF","size":1,"download_url_from_app":"https://app.example.com/CANARY"}]}`,
	"client.LocationInput":                         `{"name":{"en":"CANARY"},"address":{"zipcode":"1","street":"CANARY","city":"CANARY","province":{"name":"CANARY","code":"B"},"region":{"name":"CANARY","code":"B"},"country":{"name":"CANARY","code":"AR"}}}`,
	"client.Invoice":                               `{"key":"CANARY","link":"https://app.example.com/CANARY"}`,
	"client.LocationPriority":                      `{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","priority":0}`,
	"client.MetafieldOwner":                        `"Product"`,
	"client.MetafieldInput":                        `{"value":"CANARY","description":"CANARY"}`,
	"client.OrderEdit":                             `{"products":[{"line_item_id":1,"quantity":1}],"reason":"CANARY"}`,
	"client.OrderUpdate":                           `{"owner_note":"CANARY"}`,
	"client.ProductFilter":                         `{"Fields":["CANARY"],"Language":"CANARY","Query":"CANARY","Handle":"CANARY","Visibility":"CANARY","Sort":"CANARY","SinceID":1,"IDs":[1],"CategoryID":1}`,
	"client.ProductInput":                          `{"name":{"en":"CANARY"},"brand":"CANARY","variants":[{"sku":"CANARY","price":"1.00"}]}`,
	"Products.Update client.ProductInput":          `{"name":{"en":"CANARY"},"brand":"CANARY"}`, // it takes no variants
	"client.TrackingEventInput":                    `{"status":"dispatched","description":"CANARY"}`,
	"client.WebhookInput":                          `{"url":"https://app.example.com/CANARY","event":"order/paid"}`,
	"value.WebhookEvent":                           `"order/paid"`,
	"carriers.CarrierInput":                        `{"name":"CANARY","callback_url":"https://app.example.com/CANARY","types":"ship"}`,
	"disputes.Input":                               `{"reason_code":"unrecognized","external_reason_code":"CANARY","amount":{"value":"10.00","currency":"USD"},"retained_total":{"value":"0.00","currency":"USD"},"initiated_at":"2026-05-01T10:00:00+0000"}`,
	"disputes.Dispute":                             `{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","order_id":1,"transaction_id":"6ba7b810-9dad-41d1-80b4-00c04fd430c8","status":"needs_response","amount":{"value":"10.00","currency":"USD"}}`,
	"disputes.Update":                              `{"status":"under_review","retained_total":{"value":"0.00","currency":"USD"}}`,
	"providers.ProviderInput":                      `{"name":"CANARY","public_name":"CANARY","description":"CANARY","logo_urls":{"400x120":"https://app.example.com/CANARY.png","160x100":"https://app.example.com/CANARY.png"},"supported_currencies":["ARS"],"supported_payment_methods":[{"payment_method_type":"credit_card","payment_methods":["visa"]}],"checkout_js_url":"https://app.example.com/CANARY.js","checkout_payment_options":[{"id":"CANARY","name":"CANARY","supported_billing_countries":["AR"],"supported_payment_method_types":["credit_card"],"integration_type":"transparent"}],"authentication":{"type":"oauth","client_id":"CANARY","client_secret":"CANARY","access_token":"CANARY","refresh_token":"CANARY","expires_at":"2026-05-01T10:00:00+0000","refresh_token_url":"https://app.example.com/CANARY"}}`,
	"providers.TransactionInput":                   `{"payment_provider_id":"6ba7b810-9dad-41d1-80b4-00c04fd430c8","payment_method":{"type":"credit_card","id":"visa"},"first_event":{"amount":{"value":"10.00","currency":"USD"},"type":"sale","status":"success","authorization_code":"CANARY"},"info":{"external_id":"CANARY","installments":{"quantity":1,"interest":"0.00"},"card":{"brand":"visa","masked_number":"4111XXXXXXXX1111"}}}`,
	"providers.EventInput":                         `{"amount":{"value":"10.00","currency":"USD"},"type":"refund","status":"success","authorization_code":"CANARY","happened_at":"2026-01-02T03:04:05Z"}`,
	"promotions.Input":                             `{"name":"CANARY","allocation_type":"line_item"}`,
	"client.RuleDomain":                            `"payments"`,
	"client.CategoryInput":                         `{"name":{"en":"CANARY"},"description":{"en":"CANARY"}}`,
	"client.OrderFilter":                           `{"Query":"CANARY"}`,
	"client.OrderCancel":                           `{"reason":"customer"}`,
	"client.OrderInput":                            `{"products":[{"variant_id":1,"quantity":1,"price":"1.00"}],"customer":{"name":"CANARY","email":"CANARY@example.com"},"note":"CANARY"}`,
	"client.VariantInput":                          `{"sku":"CANARY","price":"1.00","values":[{"en":"CANARY"}]}`,
	"client.VariantPatch":                          `{"id":1,"sku":"CANARY"}`,
	"carriers.OptionInput":                         `{"code":"CANARY","name":"CANARY"}`,
	"Discounts.Set string":                         `"https://app.example.com/CANARY"`,
	"BusinessRules.Set string":                     `"https://app.example.com/CANARY"`,
	"Webhooks.Ensure string":                       `"https://app.example.com/CANARY"`,
	"Metafields.Create client.MetafieldInput":      `{"namespace":"CANARY","key":"CANARY","value":"CANARY","owner_resource":"Product","owner_id":1}`,
	"Metafields.Set client.MetafieldInput":         `{"namespace":"CANARY","key":"CANARY","value":"CANARY","owner_resource":"Product","owner_id":1}`,
	"Metafields.CreateOrGet client.MetafieldInput": `{"namespace":"CANARY","key":"CANARY","value":"CANARY","owner_resource":"Product","owner_id":1}`,
	"promotions.Update":                            `{"active":true}`,
}
