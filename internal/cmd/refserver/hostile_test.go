package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

// Text of others is shown on one line, and cannot move the cursor, change colors or turn the direction of reading.
func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"mug":                     "mug",
		"té 茶":                    "té 茶",
		"\x1b[2Jgone":             "\uFFFD[2Jgone",
		"a\r\nb\tc":               "a\uFFFD\uFFFDb\uFFFDc",
		"\u202Egnp.exe":           "\uFFFDgnp.exe",
		"\x00\u0007\u009b31mred":  "\uFFFD\uFFFD\uFFFD31mred",
		string([]byte{0xff, 'a'}): "\uFFFDa",
	} {
		if got := plain(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// terminal is a server with the demo store, and runs commands against it.
type terminal struct {
	*testing.T
	url    string
	remote *control.Client
}

func openTerminal(t *testing.T) *terminal {
	t.Helper()
	var in info
	line := begin(t, "--addr", "127.0.0.1:0", "--demo", "--json", "--control", "127.0.0.1:0", "--clock", "virtual")
	if err := json.Unmarshal([]byte(line), &in); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	c, err := control.Dial(in.ControlURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return &terminal{t, in.ControlURL, c}
}

// run runs a command and returns what it prints.
func (o *terminal) run(args ...string) (string, error) {
	var out strings.Builder
	err := run(o.Context(), append(args, "--control", o.url), &out, io.Discard)
	return out.String(), err
}

func (o *terminal) must(args ...string) string {
	o.Helper()
	out, err := o.run(args...)
	if err != nil {
		o.Fatalf("%q: %v", args, err)
	}
	return out
}

// An event about a record that there is makes none.
func TestTriggerNames(t *testing.T) {
	o := openTerminal(t)
	count := func() (n int) {
		err := o.remote.Pages(t.Context(), "stores/1001/entities/products", func(json.RawMessage) error { n++; return nil })
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := count()
	out := o.must("trigger", "product/updated", "--set", "payload.id=1000012", "--to", "http://127.0.0.1:1/hooks", "--json")
	if !strings.Contains(out, `"id":1000012`) || count() != before {
		t.Errorf("%d products, %d before: %s", count(), before, out)
	}
	if o.must("trigger", "product/created", "--set", "name.en=Mug"); count() != before+1 {
		t.Errorf("%d products, %d before", count(), before)
	}
}

// The address of one privacy request is set, and those of the others stay.
func TestAddressesStay(t *testing.T) {
	o := openTerminal(t)
	o.must("trigger", "customers/redact", "--to", "http://127.0.0.1:1/redact")
	var apps struct {
		Items []struct {
			Addresses map[string]string `json:"addresses"`
		} `json:"items"`
	}
	if err := o.remote.Call(t.Context(), http.MethodGet, "apps", nil, &apps); err != nil {
		t.Fatal(err)
	}
	is := apps.Items[0].Addresses
	if is["customers_redact"] != "https://events.desk.example/redact" || is["store_redact"] == "" || is["customers_data_request"] == "" {
		t.Errorf("got %v", is)
	}
}

// Programs of an app at different addresses do not take each other's calls, and an address that moves is named.
func TestAddressOfEachKind(t *testing.T) {
	o := openTerminal(t)
	targets := func() map[string]string {
		all := map[string]string{}
		err := o.remote.Pages(t.Context(), "partners", func(raw json.RawMessage) error {
			var p struct {
				Host    string
				Targets []string
			}
			err := json.Unmarshal(raw, &p)
			all[p.Host] = strings.Join(p.Targets, " ")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	o.must("cart", "--to", "http://127.0.0.1:1/carts", "new")
	o.must("trigger", "product/created", "--to", "http://127.0.0.1:2/hooks")
	has := func(carts, events string) {
		t.Helper()
		if got := targets(); got["carts.desk.example"] != carts || got["events.desk.example"] != events {
			t.Errorf("got %v, want %s and %s", got, carts, events)
		}
	}
	has("http://127.0.0.1:1", "http://127.0.0.1:2")
	var said strings.Builder
	args := []string{"cart", "--to", "http://127.0.0.1:3/carts", "new", "--control", o.url}
	err := run(t.Context(), args, io.Discard, &said)
	want := "https://carts.desk.example led to http://127.0.0.1:1, and leads to http://127.0.0.1:3 now"
	if err != nil || !strings.Contains(said.String(), want) {
		t.Errorf("an address moved without a word: %v, %s", err, said.String())
	}
	has("http://127.0.0.1:3", "http://127.0.0.1:2")
}

// Without an installation there is no token to print, only the addresses, and a command installs the app again.
func TestInstalls(t *testing.T) {
	o := openTerminal(t)
	before := o.must("env")
	if _, err := o.run("install"); err == nil || !strings.Contains(err.Error(), "is already installed in store 1001") {
		t.Errorf("installed twice: %v", err)
	}
	o.must("uninstall")
	out, err := o.run("env")
	hinted := err != nil && strings.HasSuffix(err.Error(), "refserver install")
	if !hinted || !strings.Contains(out, "export REFSERVER_CONTROL='") || !strings.Contains(out, "export COMMERCE_TOKEN=''\n") || exit(err, nil, io.Discard) == 0 {
		t.Errorf("after the uninstallation: %q, %v", out, err)
	}
	if _, err := o.run("uninstall"); err == nil {
		t.Error("uninstalled twice")
	}
	o.must("install", "--scopes", "read_products")
	once := o.must("env")
	o.must("install", "--again")
	if again := o.must("env"); once == before || again == once {
		t.Errorf("tokens repeat: %s%s%s", before, once, again)
	}
	var in info
	if err := json.Unmarshal([]byte(begin(t, "--addr", "127.0.0.1:0", "--json", "--control", "127.0.0.1:0")), &in); err != nil {
		t.Fatal(err)
	}
	empty := terminal{T: t, url: in.ControlURL}
	for _, name := range []string{"env", "install", "uninstall"} {
		if out, err := empty.run(name); err == nil || out != "" || !strings.Contains(err.Error(), "--demo") {
			t.Errorf("%s without a store: %q, %v", name, out, err)
		}
	}
}

// A misspelt name has no effect, so it is refused with the nearest one.
func TestMisspelt(t *testing.T) {
	for _, row := range []struct{ args, want string }{
		{"serve --demo --scopes read_prodcts", "the nearest is read_products"},
		{"serve --demo --feature fulfilment_order_label_api", "the nearest is fulfillment_order_label_api"},
		{"test --feature fulfilment_order_label_api", "the nearest is fulfillment_order_label_api"},
		{"serve --demo --addr 127.0.0.1:0 --disable bussiness_rules", "the nearest is business_rules"},
		{"serve --demo --scope read_products", "the nearest is --scopes"},
		{"serv --demo", "the nearest is serve"},
		{"serve --addr 127.0.0.1:0 --partner https://app.example=http://127.0.0.1:3000/base", "must be http://host:port alone"},
	} {
		err := run(t.Context(), strings.Fields(row.args), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), row.want) || exit(err, nil, io.Discard) != 2 {
			t.Errorf("%s: got %v, want %q and the status 2", row.args, err, row.want)
		}
	}
}

// Arguments are segments of a path, whatever they contain.
func TestHostileArguments(t *testing.T) {
	o := openTerminal(t)
	for _, name := range []string{"a/b c", "ä?b#c", "%2e%2e", "1 & 2;"} {
		o.must("snapshot", "keep", name)
		o.must("snapshot", "restore", name)
		if out := o.must("snapshot", "forget", name); !strings.HasPrefix(out, name) {
			t.Errorf("%q: %s", name, out)
		}
	}
	for _, args := range [][]string{
		{"snapshot", "keep", ".."}, {"snapshot", "keep", "../stores"}, {"deliveries", "../clock"}, {"deliveries", ".."}, {"resend", "1/../../reset"}, {"cart", "--cart", "1000147/buy"},
		{"snapshot", "restore", strings.Repeat("x", 5000)}, {"cart", "--store", "1001/../1001"}, {"deliveries", "\x00"},
		{"pay", "again", "1?x=1"}, {"fault", "end", "%2e%2e"}, {"cart", "uncoupon", "a/b?c#d"},
	} {
		out, err := o.run(args...)
		if _, refused := err.(*control.Refusal); !refused && args[0] != "cart" {
			t.Errorf("%q: %v %s", args, err, out)
		}
	}
}

// A server that never answers does not keep a command that is interrupted.
func TestInterrupted(t *testing.T) {
	began := make(chan bool, 1)
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		began <- true
		<-r.Context().Done()
	}))
	defer hangs.Close()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"clock", "--control", hangs.URL}, io.Discard, io.Discard) }()
	<-began
	cancel()
	if err := <-ended; exit(err, nil, io.Discard) != 0 {
		t.Errorf("got %v", err)
	}
}
