package main

import (
	"bytes"
	"database/sql"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

func TestMain(m *testing.M) {
	proctest.Example(main) // the demonstration of a test starts this program again and again
	goleak.VerifyTestMain(m)
}

func TestConsole(t *testing.T) { proctest.Console(t) }

// result is what a run printed, and its exit status.
type result struct {
	status int
	out    string
}

func play(t *testing.T, env map[string]string, args ...string) result {
	t.Helper()
	var out bytes.Buffer
	status := run(t.Context(), args, func(name string) string { return env[name] }, &out)
	return result{status, out.String()}
}

func (r result) check(t *testing.T, status int, lines ...string) {
	t.Helper()
	if r.status != status {
		t.Errorf("status %d, want %d", r.status, status)
	}
	for _, line := range lines {
		if !strings.Contains(r.out, line) {
			t.Errorf("the output lacks %q", line)
		}
	}
	if t.Failed() {
		t.Log(r.out)
	}
}

// All phases but one of each kind have a kill: a pass of changes is short, so it depends on the moment.
func TestDemonstration(t *testing.T) {
	t.Setenv(proctest.Program, "1")
	db := filepath.Join(t.TempDir(), "catalog.db")
	r := play(t, nil, "-db", db)
	r.check(t, exitEqual, `round  1: killed after "products: crawl, `, `killed after "products: reconcile, `,
		`round  2: killed after "orders: crawl, `, "\nproducts: 212 in the store, 212 in the file, 0 differ\n",
		"\norders: 277 in the store, 277 in the file, 0 differ\n")
	if n := strings.Count(r.out, ": killed after "); n != rounds {
		t.Errorf("%d kills, want %d", n, rounds)
	}
	play(t, nil, "-db", db).check(t, exitFailed, db+": must not exist yet in the demonstration")
}

// platform is a reference server, and the program's environment and flags for it.
type platform struct {
	*clienttest.Server
	client *client.Client
	env    map[string]string
	args   []string
	db     string
}

func startPlatform(t *testing.T) *platform {
	t.Helper()
	s := clienttest.New(t, clienttest.Options{Demo: true})
	if err := s.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	s.Clock().Advance(time.Hour) // so that what there is has not changed recently
	token, err := s.Install()
	if err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "catalog.db")
	return &platform{s, s.Client(), map[string]string{"COMMERCE_TOKEN": string(token)},
		[]string{"-base-url", s.URL(), "-store-id", s.StoreID().String(), "-db", db}, db}
}

// play runs the program.
func (p *platform) play(t *testing.T, args ...string) result {
	t.Helper()
	return play(t, p.env, append(args, p.args...)...)
}

// query returns the only value of a query of the file.
func (p *platform) query(t *testing.T, query string, args ...any) (value string) {
	t.Helper()
	db, err := sql.Open("sqlite", p.db)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(t.Context(), query, args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

func (p *platform) fault(t *testing.T, f clienttest.Fault) {
	t.Helper()
	if err := p.Fault(f); err != nil {
		t.Fatal(err)
	}
}

// rewrite replaces text in every answer that the program gets.
func (p *platform) rewrite(t *testing.T, from, to string) {
	t.Helper()
	target, err := url.Parse(p.URL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Transport: p.Transport(),
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Header.Del("Accept-Encoding") },
		ModifyResponse: func(r *http.Response) error {
			body, err := io.ReadAll(r.Body)
			body = bytes.ReplaceAll(body, []byte(from), []byte(to))
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			r.Header.Del("Content-Length")
			return err
		},
	})
	t.Cleanup(proxy.Close)
	p.args[1] = proxy.URL
}

// mug returns a product of the demo store that is a part of a kit.
func (p *platform) mug(t *testing.T) *client.Product {
	t.Helper()
	page, err := v202503.Products(p.client).List(client.ProductFilter{Handle: "enamel-mug", Language: "en"}).Page(t.Context())
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("got %v, %v, want one mug", page, err)
	}
	return &page.Items[0]
}

// The file has changes and deletions after each run, and can be read by its owner only.
func TestCopy(t *testing.T) {
	p := startPlatform(t)
	p.play(t).check(t, exitEqual, "products: crawl, ", "store 1001 is copied to "+p.db)
	if info, err := os.Stat(p.db); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want mode 0600", info, err)
	}
	mug := p.mug(t)
	p.Clock().Advance(time.Hour)
	if _, err := v202503.Products(p.client).Update(t.Context(), mug.ID, client.ProductInput{Brand: client.Set("Changed")}); err != nil {
		t.Fatal(err)
	}
	order, err := v202503.Orders(p.client).List(client.OrderFilter{}).Page(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.play(t).check(t, exitEqual, "products: changes, 1 records")
	if got := p.query(t, "SELECT brand FROM products WHERE store_id = 1001 AND id = ?", mug.ID); got != "Changed" {
		t.Errorf("got brand %q", got)
	}
	last := order.Items[0]
	got := p.query(t, "SELECT number || ' ' || total || ' ' || currency FROM orders WHERE id = ?", last.ID)
	if want := strconv.Itoa(int(last.Number)) + " " + last.Total.String() + " " + last.Currency; got != want {
		t.Errorf("got order %q, want %q", got, want)
	}
	if err := v202503.Products(p.client).Delete(t.Context(), mug.ID); err != nil {
		t.Fatal(err)
	}
	p.play(t).check(t, exitEqual)
	if got := p.query(t, "SELECT count(*) FROM products WHERE id = ?", mug.ID); got != "0" {
		t.Error("a deleted product is in the file")
	}
}

// The price of a kit changes with that of a part, and its updated_at does not. The comparison of each run reads it, so
// -whole finds nothing else.
func TestWhole(t *testing.T) {
	p := startPlatform(t)
	p.play(t).check(t, exitEqual)
	const sum = "SELECT group_concat(document) FROM (SELECT document FROM products ORDER BY id)"
	before := p.query(t, sum)
	p.Clock().Advance(time.Hour)
	v := p.mug(t).Variants[0]
	price := client.VariantInput{Price: client.Set(client.Cents(77_00))}
	if _, err := v202503.Variants(p.client).Update(t.Context(), v.ProductID, v.ID, price); err != nil {
		t.Fatal(err)
	}
	p.play(t).check(t, exitEqual)
	changed := p.query(t, sum)
	p.play(t, "-whole").check(t, exitEqual, "products: crawl, ")
	if whole := p.query(t, sum); before == changed || changed != whole {
		t.Errorf("changed %v, then read as a whole %v; want true and false", before != changed, changed != whole)
	}
}

// Stores of one platform share a file.
func TestTwoStores(t *testing.T) {
	p := startPlatform(t)
	p.play(t).check(t, exitEqual)
	before := p.query(t, "SELECT count(*) FROM products")
	other, err := p.AddStore(7)
	if err != nil {
		t.Fatal(err)
	}
	token, err := other.Install()
	if err != nil {
		t.Fatal(err)
	}
	product := client.ProductInput{Name: client.Text{"en": "Lamp"}, Variants: []client.VariantInput{{}}}
	if _, err := v202503.Products(other.Client()).Create(t.Context(), product); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"COMMERCE_TOKEN": string(token)}
	play(t, env, "-base-url", p.URL(), "-store-id", "7", "-db", p.db).check(t, exitEqual)
	if got := p.query(t, "SELECT count(*) FROM products WHERE store_id = 7"); got != "1" {
		t.Errorf("%s products of the second store", got)
	}
	if got := p.query(t, "SELECT count(*) FROM products WHERE store_id = 1001"); got != before {
		t.Errorf("%s products of the first store, want %s", got, before)
	}
}

// Members that the client has no field for are in the document, digit for digit.
func TestMembersWithoutField(t *testing.T) {
	p := startPlatform(t)
	const novelty = `{"exact":12345678901234567890.10}`
	p.rewrite(t, `"free_shipping":`, `"novelty":`+novelty+`,"free_shipping":`)
	p.play(t).check(t, exitEqual)
	if got := p.query(t, "SELECT document -> '$.novelty' FROM products LIMIT 1"); got != novelty {
		t.Errorf("got %s", got)
	}
}

// A record that cannot be read costs no other, and the status says so until it can be read.
func TestUnreadableRecord(t *testing.T) {
	p := startPlatform(t)
	mug, direct := p.mug(t), p.args[1]
	begin := `{"id":` + mug.ID.String() + `,"name":`
	p.rewrite(t, begin, begin+`{"es":{}},"label":`)
	line := "products: record " + mug.ID.String() + " cannot be read: "
	p.play(t).check(t, exitDiffers, line, "catalogsync: 1 records could not be read: the file differs")
	if got := p.query(t, "SELECT sum(id = ?) || ' of ' || count(*) FROM products", mug.ID); got != "0 of 11" {
		t.Errorf("the mug is in the file as often as %s", got)
	}
	p.args[1] = direct
	p.play(t).check(t, exitEqual)
	if got := p.query(t, "SELECT count(*) FROM products"); got != "12" {
		t.Errorf("got %s products", got)
	}
}

func TestPlatformFails(t *testing.T) {
	for _, tt := range []struct {
		fault clienttest.Fault
		line  string
	}{
		{clienttest.Fault{Operation: "GET /products", Status: http.StatusUnauthorized}, "catalogsync: copy of /products: "},
		{clienttest.Fault{Operation: "GET /orders", Status: http.StatusForbidden}, "catalogsync: copy of /orders: "},
	} {
		p := startPlatform(t)
		p.fault(t, tt.fault)
		r := p.play(t)
		r.check(t, exitFailed, tt.line)
		if strings.Contains(r.out, p.env["COMMERCE_TOKEN"]) {
			t.Error("the token is in the output")
		}
	}
}

func TestOptions(t *testing.T) {
	platform := []string{"-base-url", "https://api.example.com", "-store-id", "7"}
	for _, tt := range []struct {
		token string
		args  []string
		line  string
	}{
		{"", []string{"-color"}, "flag provided but not defined: -color"},
		{"", []string{"catalog.db"}, `argument "catalog.db": must be flags`},
		{"", []string{"-store-id", "7"}, "-base-url is missing"},
		{"", []string{"-whole"}, "-base-url is missing"},
		{"", platform, "-base-url requires -store-id, and COMMERCE_TOKEN"},
		{"t", platform[:2], "-base-url requires -store-id, and COMMERCE_TOKEN"},
		{"t", append([]string{"-console", "127.0.0.1:0"}, platform...), "-console is for the demonstration only"},
		{"t", append([]string{"-per-page", "201"}, platform...), "-per-page 201: must be 1 to 200"},
		{"t", append([]string{"-db", "missing/catalog.db"}, platform...), "missing/catalog.db"},
	} {
		play(t, map[string]string{"COMMERCE_TOKEN": tt.token}, tt.args...).check(t, exitFailed, tt.line)
	}
	play(t, nil, "-h").check(t, exitEqual, "-per-page")
}
