package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

func TestMain(m *testing.M) {
	proctest.Example(main)
	goleak.VerifyTestMain(m)
}

func TestConsole(t *testing.T) { proctest.Console(t, "-csv", csvFile(t, small)) }

const small = `handle,name_en,name_es,category_en,category_es,tags,attribute1_en,attribute1_es,value1_en,value1_es,sku,price,stock,weight,image_src
mug,Mug,Taza,Home > Kitchen,Hogar > Cocina,"new,clay",Colour,Color,Red,Rojo,MUG-R,12.50,3,0.3,https://img.example.com/mug.jpg
mug,,,,,,,,Blue,Azul,MUG-B,13,,0.3,
card,Card,Tarjeta,Gifts,Regalos,,,,,,CARD,,,,
lamp,Lamp,Lámpara,Home,Hogar,,,,,,LAMP,99.90,0,1.25,
`

// result is what a run printed and its exit status.
type result struct {
	status int
	out    string
}

func (r result) check(t *testing.T, status int, lines ...string) {
	t.Helper()
	if r.status != status {
		t.Errorf("exit status %d, want %d", r.status, status)
	}
	for _, line := range lines {
		if !strings.Contains(r.out, line) {
			t.Errorf("%q is not in the transcript", line)
		}
	}
	if t.Failed() {
		t.Log(r.out)
	}
}

func play(t *testing.T, env map[string]string, args ...string) result {
	t.Helper()
	var out bytes.Buffer
	status := run(t.Context(), args, func(name string) string { return env[name] }, &out)
	return result{status, out.String()}
}

// csvFile keeps a catalog in a file and returns its name.
func csvFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "catalog.csv")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestDemonstration(t *testing.T) {
	play(t, nil).check(t, exitEqual,
		"876 rows, 306 products with 876 variants in es, pt, en",
		"/auth/apps/2001/authorize",
		`store 1001, "Demo Store"`,
		" ok product/created goes to https://app.example/webhooks",
		"    37 categories in the tree",
		"    300 of 306 products\n",
		" ok 306 of 306 products listed, 23069 fields compared, 0 differ",
		"then a value: 6901.00",
		"then null, so that customers ask for it: null",
		"then absent, with a promotional price of 0.01: 10350.00",
		" ok 12 categories below it soft-hidden, 24 others visible",
		" ok order 100 of 2 products, and 5.00 for shipping",
		" ok created: open, payment pending, shipping unpacked, total 14835.00 ARS, paid 0.00",
		" ok transaction by cash: paid",
		" ok paid:    open, payment paid, shipping unpacked, total 14835.00 ARS, paid 14835.00",
		" ok fulfillment order 1 of 2 pieces: PACKED",
		" ok packed:  open, payment paid, shipping ",
		` ok fulfillment order 1 of 2 pieces: DISPATCHED, tracking code "QS-100"`,
		" ok shipped: open, payment paid, shipping fulfilled, total 14835.00 ARS, paid 14835.00",
		"product/created                   306 records, 306 expected",
		"category/updated                   13 records, 13 expected",
		"order/created                       1 records, 1 expected",
		"order/updated                       1 records, 1 expected",
		"order/paid                          1 records, 1 expected",
		"order/packed                        1 records, 1 expected",
		"order/fulfilled                     1 records, 1 expected",
		"fulfillment_order/status_updated    2 records, 2 expected",
		" ok 0 webhooks are missing",
		"2 runs, the second for both",
		" ok one bit of it changed: answer 401",
		"Result: everything compared equal (exit status 0)",
	)
}

func TestBadRows(t *testing.T) {
	file := csvFile(t, small+"mug,,,,,,,,Green,Verde,MUG-G,\"12,50\",,,\n"+"vase,,,Home,Hogar,,,,,,VASE,1,,,\n")
	r := play(t, nil, "-csv", file)
	r.check(t, exitRowsLeftOut,
		"left out: 2 rows",
		`line 6, column price: "12,50": must be an amount with at most two decimals, such as 12.50`,
		`line 7, column name_en: "": must not be empty in all languages`,
		" ok 3 of 3 products imported",
		" ok 3 of 3 products listed",
		"but 2 rows were left out of "+file+" (exit status 2)",
	)
}

// real starts a platform and returns what a program needs to be pointed at it.
func real(t *testing.T, o clienttest.Options) (*clienttest.Server, map[string]string) {
	t.Helper()
	srv := clienttest.New(t, o)
	if err := srv.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	token, err := srv.Install()
	if err != nil {
		t.Fatal(err)
	}
	return srv, map[string]string{
		"COMMERCE_BASE_URL": srv.URL(), "COMMERCE_STORE_ID": srv.StoreID().String(), "COMMERCE_TOKEN": string(token),
	}
}

func TestPlatformFails(t *testing.T) {
	tests := []struct {
		name   string
		fault  clienttest.Fault
		status int
		line   string
	}{
		{"refuses products", clienttest.Fault{Operation: "POST /products", Status: http.StatusUnprocessableEntity}, exitDiffers, " NO 0 of 3 products imported"},
		{"refuses one product", clienttest.Fault{Operation: "POST /products", Status: http.StatusUnprocessableEntity, Count: 1}, exitDiffers, " NO 2 of 3 products imported"},
		{"loses products", clienttest.Fault{Operation: "GET /products", Status: http.StatusOK, Body: "[]"}, exitDiffers, `mug: is "nothing", must be "the product in the list"`},
		{"takes the token away", clienttest.Fault{Operation: "GET /products", Status: http.StatusUnauthorized}, exitFailed, "quickstart: step 5, list it back"},
		{"is closed", clienttest.Fault{Operation: "*", Status: http.StatusPaymentRequired}, exitFailed, "quickstart: step 2, install the app"},
		{"loses a request", clienttest.Fault{Operation: "POST /products", Reset: true, Count: 1}, exitEqual, " ok 3 of 3 products listed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv, env := real(t, clienttest.Options{RealTime: true})
			if err := srv.Fault(tt.fault); err != nil {
				t.Fatal(err)
			}
			r := play(t, env, "-csv", csvFile(t, small))
			r.check(t, tt.status, tt.line)
			if strings.Contains(r.out, env["COMMERCE_TOKEN"]) {
				t.Error("the token is in the transcript")
			}
		})
	}
}

// The store keeps what was imported, so a second import is refused product by product.
func TestSecondImport(t *testing.T) {
	_, env := real(t, clienttest.Options{RealTime: true})
	file := csvFile(t, "handle,name_en,sku,price\nmug,Mug,MUG,12.50\n")
	play(t, env, "-csv", file).check(t, exitEqual)
	play(t, env, "-csv", file).check(t, exitDiffers, `line 2, product "mug": POST /products: 422`, "sku")
}

// watcher calls found with the rest of each line that begins with prefix.
type watcher struct {
	bytes.Buffer
	prefix string
	found  func(rest string)
	once   sync.Once
}

func (w *watcher) Write(p []byte) (int, error) {
	if rest, ok := strings.CutPrefix(string(p), w.prefix); ok {
		w.once.Do(func() { w.found(rest) })
	}
	return w.Buffer.Write(p)
}

// A listener on all addresses was named by one that no browser opens.
func TestListenOnAllAddresses(t *testing.T) {
	for addr, want := range map[string]string{":0": "http://localhost:", "0.0.0.0:0": "http://localhost:", "127.0.0.1:0": "http://127.0.0.1:"} {
		site, err := listen(addr)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(site.url, want) {
			t.Errorf("%s: got %s, want %s", addr, site.url, want)
		}
		if err := site.close(); err != nil {
			t.Error(err)
		}
	}
}

// TestRealPlatform installs the app with a browser of its own and has webhooks sent to a public address.
func TestRealPlatform(t *testing.T) {
	const public = "https://app.example"
	srv, _ := real(t, clienttest.Options{RealTime: true, AutoApprove: true, RedirectURL: public + "/oauth/callback"})
	app := srv.App()
	env := map[string]string{"COMMERCE_APP_SECRET": string(app.Secret), "COMMERCE_AUTH_URL": app.AuthURL, "COMMERCE_APP_ID": app.ID.String()}
	visited := make(chan error, 1)
	local := ""
	out := &watcher{prefix: "The app listens at ", found: func(rest string) {
		local, _, _ = strings.Cut(rest, ",")
		if err := srv.Forward(public, local); err != nil {
			t.Error(err)
		}
		go func() { visited <- browse(public, local) }()
	}}
	args := []string{"-base-url", srv.URL(), "-public-url", public + "/", "-csv", csvFile(t, small)}
	r := result{status: run(t.Context(), args, func(name string) string { return env[name] }, out)}
	r.out = out.String()
	if local == "" {
		t.Fatalf("nobody listened:\n%s", r.out)
	}
	if err := <-visited; err != nil {
		t.Error(err)
	}
	r.check(t, exitEqual,
		"open https://app.example/install in a browser",
		"the token for store 1001 is stored",
		" ok product/created goes to https://app.example/webhooks",
		"product/created     3 records, 3 expected",
		"2 runs, the second for both",
		"everything compared equal",
	)
	for _, request := range srv.Requests() {
		if len(request.Unread) > 0 {
			t.Errorf("%s %s: the platform does not read %v", request.Method, request.Path, request.Unread)
		}
	}
	for _, secret := range []string{string(app.Secret), "code=", "state="} {
		if strings.Contains(r.out, secret) {
			t.Errorf("%q is in the transcript", secret)
		}
	}
}

// browse approves the app. What is meant for the public address goes to the local one.
func browse(public, local string) error {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	to, err := url.Parse(local)
	if err != nil {
		return err
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Jar: jar, Transport: proxy{transport, to}}).Get(public + "/install")
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		err = errors.New("the browser ends on " + answer.Status)
	}
	return errors.Join(err, answer.Body.Close())
}

// proxy stands before the app, as it does where the app has a public address.
type proxy struct {
	*http.Transport
	to *url.URL
}

func (p proxy) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme == "https" {
		host := r.URL.Host
		r = r.Clone(r.Context())
		r.URL.Scheme, r.URL.Host, r.Host = p.to.Scheme, p.to.Host, host
	}
	return p.Transport.RoundTrip(r)
}

func TestOptions(t *testing.T) {
	tests := []struct {
		name string
		env  map[string]string
		args []string
		line string
	}{
		{"unknown flag", nil, []string{"-color"}, "flag provided but not defined: -color"},
		{"argument", nil, []string{"catalog.csv"}, `argument "catalog.csv": must be flags only`},
		{"no base URL", nil, []string{"-store-id", "7"}, "-base-url is missing"},
		{"no credentials", nil, []string{"-base-url", "https://api.example.com"}, "credentials are missing: set COMMERCE_TOKEN and -store-id, or"},
		{"token without store", map[string]string{"COMMERCE_TOKEN": "t"}, []string{"-base-url", "https://api.example.com"}, "-store-id is missing"},
		{"webhooks without secret", map[string]string{"COMMERCE_TOKEN": "t"}, []string{"-base-url", "https://api.example.com", "-store-id", "7", "-public-url", "https://app.example"}, "COMMERCE_APP_SECRET is missing"},
		{"variable that is no number", map[string]string{"COMMERCE_STORE_ID": "seven"}, nil, `COMMERCE_STORE_ID "seven"`},
		{"no workers", nil, []string{"-workers", "0"}, "must be more than 0"},
		{"no file", nil, []string{"-csv", "missing.csv"}, "missing.csv"},
		{"no address", nil, []string{"-listen", "nowhere"}, "nowhere"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			play(t, tt.env, tt.args...).check(t, exitFailed, "quickstart: ", tt.line)
		})
	}
	play(t, nil, "-h").check(t, exitEqual, "The CSV file has one row per variant", "-signature-header")
}

func TestInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	out := &watcher{prefix: "\n4. Import the catalog", found: func(string) { interrupt() }}
	status := run(ctx, []string{"-csv", csvFile(t, small)}, func(string) string { return "" }, out)
	result{status, out.String()}.check(t, exitFailed, "step 4, import the catalog", "context canceled")
}

// A token in the environment does not point the program anywhere by itself.
func TestTokenAlone(t *testing.T) {
	env := map[string]string{"COMMERCE_TOKEN": "of another program"}
	play(t, env, "-csv", csvFile(t, small)).check(t, exitEqual, "/auth/apps/2001/authorize")
}

func TestProgressOnTerminal(t *testing.T) {
	var out bytes.Buffer
	bar := progress{t: &transcript{out: &out, terminal: true}, what: "products", of: 2}
	bar.one()
	bar.one()
	const half, whole = "####################", "########################################"
	want := "\r    [" + half + "....................] 1 of 2 products\r    [" + whole + "] 2 of 2 products\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// What the program cannot see: a lost answer must not leave a second product behind.
func TestLostAnswerCreatesNothingTwice(t *testing.T) {
	srv, env := real(t, clienttest.Options{RealTime: true})
	if err := srv.Fault(clienttest.Fault{Operation: "POST /products", Reset: true, After: true, Count: 1}); err != nil {
		t.Fatal(err)
	}
	play(t, env, "-csv", csvFile(t, small)).check(t, exitEqual)
	all, err := v202503.Products(srv.Client()).List(client.ProductFilter{}).Collect(t.Context())
	if err != nil || len(all) != 3 {
		t.Errorf("got %d products and error %v, want 3", len(all), err)
	}
}
