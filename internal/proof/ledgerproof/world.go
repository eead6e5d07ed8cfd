package ledgerproof

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/payments/sqlledger"
)

// Database is what a module with a driver has.
type Database struct {
	New     func(t testing.TB) string                    // returns the address of a database that is empty
	Connect func(address string) (db *sql.DB, err error) // to it, from any process
}

// world is the platform, the bank, the database and two replicas.
type world struct {
	platform *clienttest.Server
	api      *v202503.API
	bank     *bank
	key      *rsa.PrivateKey
	ledger   *sqlledger.Ledger
	settings settings
	provider uuid.UUID

	mu       sync.Mutex
	replicas [2]*proctest.Process
	at       [2]string // where they serve, empty while they start
	orders   []client.ID
}

// orderSize is how many payments an order gets.
const orderSize = 20

func newWorld(t *testing.T, d Database) *world {
	t.Helper()
	platform := clienttest.New(t, clienttest.Options{RealTime: true})
	w := &world{platform: platform, bank: &bank{keys: map[string]map[string]bool{}, last: map[string]string{}}}
	if err := w.platform.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	w.api = v202503.New(w.platform.Client())
	charge, err := w.platform.Charge(client.Cents(100)) // it makes the provider
	if err != nil {
		t.Fatal(err)
	}
	first, err := w.api.Transactions.Get(t.Context(), charge.OrderID, charge.TransactionID)
	if err != nil {
		t.Fatal(err)
	}
	w.provider = first.PaymentProviderID
	token, err := w.platform.Install()
	if err != nil {
		t.Fatal(err)
	}
	if w.key, err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&w.key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	desk := httptest.NewServer(w.bank)
	t.Cleanup(desk.Close)
	address := d.New(t)
	db, err := d.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	w.ledger = &sqlledger.Ledger{DB: db}
	if err := w.ledger.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.settings = settings{
		Database: address, API: w.platform.URL(), Bank: desk.URL, Token: string(token), Store: w.platform.StoreID(),
		Key: pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}),
	}
	w.api = v202503.New(w.platform.Client())
	t.Cleanup(func() { w.end(t) })
	return w
}

// start starts a replica that dies at a step, or never.
func (w *world) start(t *testing.T, n int, dies string) *proctest.Process {
	s := w.settings
	s.Dies = dies
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	p := proctest.Start(t, Role, settingsVariable+"="+string(text))
	address := p.Line(t)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.replicas[n], w.at[n] = p, address
	return p
}

// down notes that a replica has died.
func (w *world) down(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.replicas[n], w.at[n] = nil, ""
}

// end kills the replicas that live.
func (w *world) end(t *testing.T) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for n, p := range w.replicas {
		if p != nil {
			p.Kill(t)
		}
		w.replicas[n], w.at[n] = nil, ""
	}
}

// order returns an order that has room for another payment.
func (w *world) order(t *testing.T, payment int) client.ID {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.orders) <= payment/orderSize {
		p, err := w.api.Products.Create(t.Context(), client.ProductInput{
			Name: client.Text{"en": "Mug"},
			Variants: []client.VariantInput{
				{Price: client.Set(client.Cents(100 * orderSize)), Stock: client.Set(client.StockUnlimited)},
			},
		})
		if err != nil {
			t.Error(err)
			return 0
		}
		o, err := w.api.Orders.Create(t.Context(), client.OrderInput{
			Customer: client.OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"},
			Products: []client.OrderProductInput{{VariantID: p.Variants[0].ID, Quantity: 1}},
		})
		if err != nil {
			t.Error(err)
			return 0
		}
		w.orders = append(w.orders, o.ID)
	}
	return w.orders[payment/orderSize]
}

// call is a signed call of the platform.
type call struct{ path, body, stamp, signature string }

// signed returns two calls for the same, signed one after the other.
func (w *world) signed(t *testing.T, path, body string) (first, second call) {
	now := time.Now()
	return w.sign(t, path, body, now), w.sign(t, path, body, now.Add(time.Millisecond))
}

// sign makes a call in the way of the contract: URL|timestamp|hex SHA-256 of the compact JSON payload.
func (w *world) sign(t *testing.T, path, body string, at time.Time) call {
	stamp := strconv.FormatInt(at.UnixMilli(), 10)
	payload := sha256.Sum256([]byte(body))
	text := sha256.Sum256([]byte(origin + path + "|" + stamp + "|" + hex.EncodeToString(payload[:])))
	signature, err := w.key.Sign(rand.Reader, text[:], crypto.SHA256)
	if err != nil {
		t.Error(err)
	}
	return call{path, body, stamp, base64.StdEncoding.EncodeToString(signature)}
}

// send sends a call to a replica, and returns status and body of the answer; 0 if there is none, which includes a
// replica that is down.
func (w *world) send(ctx context.Context, n int, c call) (status int, body string) {
	w.mu.Lock()
	at := w.at[n]
	w.mu.Unlock()
	if at == "" {
		return 0, ""
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at+c.path, bytes.NewReader([]byte(c.body)))
	if err != nil {
		return 0, ""
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Timestamp", c.stamp)
	r.Header.Set("X-Signature", c.signature)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, ""
	}
	return answer.StatusCode, string(text)
}
