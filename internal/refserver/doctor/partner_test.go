package doctor_test

import (
	"bytes"
	"cmp"
	"crypto"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/doctor"
)

const secret = "a-secret-of-the-gallery"

// partner is an app as somebody may write it, with at most one bug.
type partner struct {
	kind doctor.Kind
	bug  string
	// promotions by tier, for carts; key, act and others for payments.
	promotions map[string]string
	store      string
	key, old   *rsa.PublicKey // old is nil if the app does not have it
	act        func(method, path string, body any) error
	attempts   *attempts

	line sync.Mutex // of an app that does one thing at a time
	mu   sync.Mutex
	seen map[string]bool
	n    int
}

// attempts are the payments that were taken, in a database that replicas share or do not.
type attempts struct {
	mu    sync.Mutex
	taken map[string]bool
}

// take reports whether an attempt is new.
func (a *attempts) take(id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.taken == nil {
		a.taken = map[string]bool{}
	}
	known := a.taken[id]
	a.taken[id] = true
	return !known
}

func (p *partner) has(bug string) bool { return p.bug == bug }

// ServeHTTP answers every call of the kind.
func (p *partner) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case p.has("redirects") && !strings.HasSuffix(r.URL.Path, "/"):
		w.Header().Set("Location", r.URL.Path+"/")
		w.WriteHeader(http.StatusMovedPermanently)
		return
	case r.Method != http.MethodPost && !(p.kind == doctor.Payments && strings.HasSuffix(r.URL.Path, "/status")):
		if p.has("accepts GET") {
			w.WriteHeader(http.StatusOK)
			return
		}
		w.Header().Set("Allow", "POST")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	case p.has("closes on Expect") && r.Header.Get("Expect") != "":
		hangUp(w)
		return
	case p.has("breaks on another type") && r.Header.Get("Content-Type") == "text/plain":
		w.WriteHeader(http.StatusInternalServerError)
		return
	case p.has("closes connections"):
		w.Header().Set("Connection", "close")
	case p.has("one at a time"):
		p.line.Lock()
		defer p.line.Unlock()
		time.Sleep(30 * time.Millisecond)
	}
	body, err := p.read(w, r)
	if p.has("slow") {
		select {
		case <-time.After(slow[p.kind]):
		case <-r.Context().Done():
		}
	}
	switch {
	case err != nil && p.has("2xx for half a body"):
		w.WriteHeader(http.StatusOK)
	case err != nil:
		w.WriteHeader(http.StatusBadRequest)
	case len(body) > 1<<20 && p.has("500 for a large body"):
		w.WriteHeader(http.StatusInternalServerError)
	case len(body) > 1<<20 && p.kind != doctor.Carrier:
		w.WriteHeader(http.StatusRequestEntityTooLarge)
	case p.has("always 500"):
		w.WriteHeader(http.StatusInternalServerError)
	case p.kind == doctor.Webhooks:
		p.webhook(w, r, body)
	case p.kind == doctor.Discounts:
		p.cart(w, r, body)
	case p.kind == doctor.Carrier:
		p.rates(w, body)
	default:
		p.payment(w, r, body)
	}
}

// slow is how long an app takes that is a little late.
var slow = map[doctor.Kind]time.Duration{
	doctor.Webhooks: 3100 * time.Millisecond, doctor.Discounts: 900 * time.Millisecond,
	doctor.Carrier: 5100 * time.Millisecond,
}

func hangUp(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		conn.Close()
	}
}

func (p *partner) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	switch {
	case p.has("trusts Content-Length"):
		body := make([]byte, max(0, r.ContentLength))
		_, err := io.ReadFull(r.Body, body)
		return body, err
	case p.has("answers before the body"):
		read := make(chan []byte, 1)
		go func() { body, _ := io.ReadAll(r.Body); read <- body }()
		select {
		case body := <-read:
			return body, nil
		case <-time.After(200 * time.Millisecond):
			w.WriteHeader(http.StatusAccepted)
			_ = http.NewResponseController(w).Flush()
			<-read
			panic(http.ErrAbortHandler)
		}
	}
	return io.ReadAll(r.Body)
}

func sum(key string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// trusts reports whether a call is signed with the secret.
func (p *partner) trusts(header http.Header, body []byte) bool {
	given, right := header.Get("X-Platform-Hmac-Sha256"), sum(secret, body)
	ok := hmac.Equal([]byte(given), []byte(right))
	switch p.bug {
	case "checks no signature":
		return true
	case "checks a signature if there is one":
		return ok || given == ""
	case "checks that there is a signature":
		return given != ""
	case "compares a prefix":
		return len(given) == len(right) && given[:8] == right[:8]
	case "has an empty secret":
		return ok || given == sum("", body)
	case "signs what it parsed":
		var compact bytes.Buffer
		return json.Compact(&compact, body) != nil && ok || given == sum(secret, compact.Bytes())
	case "remembers signatures":
		p.mu.Lock()
		defer p.mu.Unlock()
		if ok {
			p.remember(given)
		}
		return ok || p.seen[given]
	}
	return ok
}

// remember keeps a text. The lock is held.
func (p *partner) remember(s string) {
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[s] = true
}

func (p *partner) webhook(w http.ResponseWriter, r *http.Request, body []byte) {
	if !p.trusts(r.Header, body) {
		w.WriteHeader(http.StatusUnauthorized)
		switch p.bug {
		case "leaks a stack":
			fmt.Fprint(w, "Traceback (most recent call last):\n  File \"app.py\", line 5")
		case "leaks the signature":
			fmt.Fprintf(w, `{"error":"signature mismatch","expected":%q}`, sum(secret, body))
		case "leaks the secret":
			fmt.Fprintf(w, `{"error":"bad signature","config":{"key":%q}}`, secret)
		}
		return
	}
	var e map[string]any
	if json.Unmarshal(body, &e) != nil {
		w.WriteHeader(map[bool]int{true: 500, false: 400}[p.has("500 for malformed")])
		return
	}
	event, _ := e["event"].(string)
	p.mu.Lock()
	known := p.seen[string(body)]
	p.remember(string(body))
	p.mu.Unlock()
	status := http.StatusNoContent
	switch {
	case p.has("500 for an unknown event") && strings.HasPrefix(event, "loyalty"):
		status = 500
	case p.has("404 for an unknown event") && strings.HasPrefix(event, "loyalty"):
		status = 404
	case p.has("409 for a duplicate") && known:
		status = 409
	case p.has("refuses new members") && e["a_new_member"] != nil:
		status = 400
	case p.has("has no store/redact") && event == "" && e["customer"] == nil: // bodies of data protection name no event
		status = 404
	}
	w.WriteHeader(status)
}

// cart gives the first line half of its price, if the cart has more than 2 pieces.
func (p *partner) cart(w http.ResponseWriter, r *http.Request, body []byte) {
	if !p.trusts(r.Header, body) {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	var c struct {
		Store    string `json:"store_id"`
		Tier     string `json:"execution_tier"`
		Currency string `json:"currency"`
		Products []struct {
			ID       int64 `json:"id"`
			Quantity int64 `json:"quantity"`
		} `json:"products"`
		Promotions json.RawMessage `json:"promotions"`
	}
	if json.Unmarshal(body, &c) != nil && !p.has("commands for malformed") {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if c.Store != p.store && !p.has("forgets 310") && !(c.Store == "" && p.has("commands for malformed")) {
		w.WriteHeader(310)
		return
	}
	id := p.promotions["line_item"]
	guess := c.Store == "" // of a cart that could not be read
	if c.Tier == "cross_items" || len(c.Products) == 0 && !guess {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	pieces, line := int64(0), "1"
	for i, l := range c.Products {
		if pieces += l.Quantity; i == 0 {
			line = strconv.FormatInt(l.ID, 10)
		}
	}
	var amount any = "10.00"
	switch p.bug {
	case "names another promotion":
		id = "5d0f6d1c-7d8c-478a-8b19-23bc8d188f41"
	case "answers in dollars":
		c.Currency = "USD"
	case "amounts are numbers":
		amount = 10
	case "names another line":
		line = "1"
	case "gives more each time":
		p.mu.Lock()
		p.n++
		amount = fmt.Sprintf("%d.00", p.n%40+1)
		p.mu.Unlock()
	}
	if pieces <= 2 && !guess {
		if p.has("never removes") || !strings.Contains(string(c.Promotions), id) {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		answer(w, 200, map[string]any{"commands": []any{map[string]any{
			"command": "remove_discount", "specs": map[string]any{"scope": "cart", "promotion_ids": []string{id}},
		}}})
		return
	}
	command := "create_or_update_discount"
	answer(w, 200, map[string]any{"commands": []any{map[string]any{"command": command, "specs": map[string]any{
		"promotion_id": id, "currency": cmp.Or(c.Currency, "ARS"), "line_items": []any{map[string]any{
			"line_item": line, "discount_specs": map[string]any{"type": "percentage", "amount": amount},
		}},
	}}}})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the caller may have hung up
}

func (p *partner) rates(w http.ResponseWriter, body []byte) {
	var q struct {
		Currency    string  `json:"currency"`
		Total       float64 `json:"total_price"`
		Destination struct {
			Country string `json:"country"`
		} `json:"destination"`
		Items []struct {
			Grams int64 `json:"grams"`
		} `json:"items"`
	}
	if json.Unmarshal(body, &q) != nil {
		if p.has("rates for malformed") {
			answer(w, 200, map[string]any{"rates": []any{}})
			return
		}
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if q.Destination.Country != "AR" {
		switch p.bug {
		case "200 without rates":
			answer(w, 200, map[string]any{"rates": []any{}})
		case "503 for a refusal":
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			answer(w, 422, map[string]any{"error": "no_coverage"})
		}
		return
	}
	price := 100.0
	for _, i := range q.Items {
		price += float64(i.Grams) / 100
	}
	ship := map[string]any{
		"name": "Standard", "code": "standard", "price": price, "currency": q.Currency, "type": "ship", "reference": "std",
		"min_delivery_date": "2030-01-02T10:00:00-03:00", "max_delivery_date": "2030-01-04T10:00:00-03:00",
	}
	point := map[string]any{
		"name": "Point", "code": "standard", "price": 50, "currency": q.Currency, "type": "pickup", "reference": "point",
		"address": map[string]any{"address": "Mitre", "number": "1", "city": "Rosario", "country": "AR"},
		"hours":   []any{map[string]any{"day": 1, "start": "0900", "end": "1800"}},
	}
	rates := []any{ship, point}
	switch p.bug {
	case "another code":
		ship["code"] = "STANDARD"
	case "repeats a code":
		rates = append(rates, ship)
	case "no reference":
		delete(ship, "reference")
	case "another currency":
		ship["currency"] = "USD"
	case "a point without hours":
		delete(point, "hours")
	case "hours with a colon":
		point["hours"] = []any{map[string]any{"day": 1, "start": "09:00", "end": "18:00"}}
	case "dates the wrong way":
		ship["min_delivery_date"], ship["max_delivery_date"] = ship["max_delivery_date"], ship["min_delivery_date"]
	case "prices by the total":
		ship["price"] = price + q.Total/10
	case "prices by the clock":
		p.mu.Lock()
		p.n++
		ship["price"] = price + float64(p.n)
		p.mu.Unlock()
	}
	answer(w, 200, map[string]any{"rates": rates})
}

// origin is what the payment app is registered with.
const origin = "https://pay.example"

// verify reports whether the platform has signed a call.
func (p *partner) verify(r *http.Request, body []byte) bool {
	at, err := strconv.ParseInt(r.Header.Get("X-Timestamp"), 10, 64)
	age := time.Since(time.Unix(at, 0))
	switch {
	case p.has("checks no signature"):
		return true
	case err != nil, age > 5*time.Minute && !p.has("accepts stale calls"):
		return false
	case age < -5*time.Minute && !p.has("accepts calls of the future"):
		return false
	}
	host := origin
	if p.has("takes its address from Host") {
		host = "https://" + r.Host
	}
	if p.has("remembers signatures") {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.seen[r.Header.Get("X-Signature")] {
			return true
		}
	}
	payload := sha256.Sum256(body)
	signed := host + r.RequestURI + "|" + r.Header.Get("X-Timestamp") + "|" + hex.EncodeToString(payload[:])
	digest := sha256.Sum256([]byte(signed))
	signature, err := base64.StdEncoding.DecodeString(r.Header.Get("X-Signature"))
	if err != nil || len(signature) == 0 {
		return false
	}
	ok := p.has("checks that there is a signature") ||
		rsa.VerifyPKCS1v15(p.key, crypto.SHA256, digest[:], signature) == nil ||
		p.old != nil && rsa.VerifyPKCS1v15(p.old, crypto.SHA256, digest[:], signature) == nil
	if ok && p.has("remembers signatures") {
		p.remember(r.Header.Get("X-Signature"))
	}
	return ok
}

func (p *partner) payment(w http.ResponseWriter, r *http.Request, body []byte) {
	if !p.verify(r, body) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	switch r.URL.Path {
	case "/process":
		p.process(w, body)
	case "/cancel":
		w.WriteHeader(map[bool]int{true: 404, false: 200}[p.has("404 for an unknown attempt")])
	case "/status":
		if p.has("no transactions in a status") {
			answer(w, 200, map[string]any{"payments": []any{}})
			return
		}
		answer(w, 200, map[string]any{"transactions": []any{}})
	case "/refunds":
		p.mu.Lock()
		p.n++
		first := p.n == 1
		p.mu.Unlock()
		switch {
		case first:
			w.WriteHeader(http.StatusAccepted)
		case p.has("a refund code of its own"):
			answer(w, 422, map[string]any{"error_code": "BUSY"})
		default:
			answer(w, 422, map[string]any{"error_code": "refund_already_in_process"})
		}
	}
}

// process takes a payment and reports it.
func (p *partner) process(w http.ResponseWriter, body []byte) {
	var c struct {
		Order    int64          `json:"order_id"`
		Provider string         `json:"payment_provider_id"`
		Attempt  string         `json:"payment_attempt_id"`
		Method   map[string]any `json:"payment_method"`
		Amount   map[string]any `json:"amount"`
	}
	if json.Unmarshal(body, &c) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if p.attempts.take(c.Attempt) || p.has("takes every call") {
		err := p.act(http.MethodPost, fmt.Sprintf("/orders/%d/transactions", c.Order), map[string]any{
			"payment_provider_id": c.Provider, "payment_method": c.Method, "payment_attempt_id": c.Attempt,
			"first_event": map[string]any{"type": "sale", "status": "success", "authorization_code": "A1", "amount": c.Amount},
			"info": map[string]any{
				"external_id": c.Attempt, "installments": map[string]any{"quantity": 1, "interest": "0.00"},
				"refund_url": origin + "/refunds", "supports_partial_refund": true,
			},
		})
		if err != nil {
			answer(w, http.StatusServiceUnavailable, err.Error())
			return
		}
	}
	w.WriteHeader(http.StatusCreated)
}
