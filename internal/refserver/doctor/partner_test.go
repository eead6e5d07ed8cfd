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
	// promotions by tier, for carts; key, api and others for payments.
	promotions map[string]string
	store      string
	key, old   *rsa.PublicKey                            // old is nil if the app does not have it
	api        func(method, path string, body any) error // calls the platform
	attempts   *attempts

	line  sync.Mutex // of an app that does one thing at a time
	mu    sync.Mutex
	seen  map[string]bool
	n     int
	first []cartLine
	price float64
	// refunds are the signatures of the calls by order, canceled the attempts, orders those of the attempts.
	refunds, canceled, orders map[string]string
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

// forget takes an attempt for one that has not come yet.
func (a *attempts) forget(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.taken, id)
}

// knows reports whether an attempt was taken.
func (a *attempts) knows(id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.taken[id]
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
		if p.has("accepts GET") && r.Method == http.MethodGet || p.has("accepts PUT") && r.Method == http.MethodPut {
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
func (p *partner) trusts(r *http.Request, body []byte) bool {
	if p.has("reads texts") {
		body = []byte(strings.Map(func(r rune) rune { return min(r, 0xff) }, string(body)))
	}
	given, right := r.Header.Get("X-Platform-Hmac-Sha256"), sum(secret, body)
	ok := hmac.Equal([]byte(given), []byte(right)) || p.excused(r, body)
	switch p.bug {
	case "compares the shorter":
		return given != "" && (strings.HasPrefix(right, given) || ok)
	case "has the secret undefined":
		return ok || given == sum("undefined", body)
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

// excused reports whether a call is believed for another reason than its signature.
func (p *partner) excused(r *http.Request, body []byte) bool {
	switch p.bug {
	case "believes a form":
		return r.Header.Get("Content-Type") == "application/x-www-form-urlencoded"
	case "believes chunks":
		return r.ContentLength < 0
	case "believes a proxy":
		return r.Header.Get("X-Forwarded-For") == "127.0.0.1"
	case "believes a parameter":
		return r.URL.Query().Has("debug")
	case "believes an end":
		return bytes.Contains(body, []byte("app/uninstalled"))
	}
	return false
}

// remember keeps a text. The lock is held.
func (p *partner) remember(s string) {
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[s] = true
}

func (p *partner) webhook(w http.ResponseWriter, r *http.Request, body []byte) {
	if strings.Contains(r.Header.Get("X-Platform-Hmac-Sha256"), "z") && p.has("500 for what is no digit") {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if !p.trusts(r, body) && !(p.has("believes an empty body") && len(body) == 0) {
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
	if json.Unmarshal(body, &e) != nil && len(body) > 0 {
		w.WriteHeader(map[bool]int{true: 500, false: 400}[p.has("500 for malformed")])
		return
	}
	event, _ := e["event"].(string)
	p.mu.Lock()
	known := p.seen[string(body)]
	p.remember(string(body))
	_, number := e["id"].(float64)
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
	case p.has("500 for what is gone") && strings.HasSuffix(event, "/deleted"):
		status = 500
	case p.has("500 for an id as text") && !number && e["id"] != nil:
		status = 500
	case p.has("500 for another store") && e["store_id"] == 987654321.0:
		status = 500
	case p.has("redacts once") && known && event == "" && e["customer"] == nil:
		status = 404
	case p.has("reads 100 KB") && len(body) > 100_000:
		status = 413
	case p.has("500 for an empty object") && len(e) == 0:
		status = 500
	case p.has("has no store/redact") && event == "" && e["customer"] == nil: // bodies of data protection name no event
		status = 404
	}
	w.WriteHeader(status)
}

// cartLine is a line of a cart.
type cartLine struct {
	ID       int64  `json:"id"`
	Quantity int64  `json:"quantity"`
	Price    string `json:"price"`
}

// cart gives the first line half of its price, if the cart has more than 2 pieces.
func (p *partner) cart(w http.ResponseWriter, r *http.Request, body []byte) {
	if !p.trusts(r, body) {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	var c struct {
		Store      string          `json:"store_id"`
		Tier       string          `json:"execution_tier"`
		Currency   string          `json:"currency"`
		Language   string          `json:"language"`
		Products   []cartLine      `json:"products"`
		Promotions json.RawMessage `json:"promotions"`
		Coupons    []string        `json:"coupons"`
		Customer   struct {
			ID any `json:"id"`
		} `json:"customer"`
	}
	if json.Unmarshal(body, &c) != nil && !p.has("commands for malformed") {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if c.Store != p.store && !p.has("forgets 310") && !(c.Store == "" && p.has("commands for malformed")) {
		w.WriteHeader(310)
		return
	}
	switch {
	case p.has("500 for an empty cart") && len(c.Products) == 0,
		p.has("500 for a buyer") && c.Customer.ID != nil,
		p.has("500 for a coupon") && len(c.Coupons) > 0, p.has("500 for another language") && c.Language == "tlh",
		p.has("500 for another tier") && c.Tier != "line_item" && c.Tier != "cross_items",
		p.has("500 for many lines") && len(c.Products) > 100:
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	id := p.promotions["line_item"]
	guess := c.Store == "" // of a cart that could not be read
	if c.Tier == "cross_items" || len(c.Products) == 0 && !guess {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if p.has("shares a variable") {
		p.mu.Lock()
		p.first = c.Products
		p.mu.Unlock()
		time.Sleep(2 * time.Millisecond)
		p.mu.Lock()
		c.Products = p.first
		p.mu.Unlock()
	}
	pieces, line := int64(0), "1"
	for i, l := range c.Products {
		if pieces += l.Quantity; i == 0 {
			line = strconv.FormatInt(l.ID, 10)
		}
	}
	var amount any = "10.00"
	kind := "percentage"
	switch p.bug {
	case "names another promotion":
		id = "5d0f6d1c-7d8c-478a-8b19-23bc8d188f41"
	case "answers in dollars":
		c.Currency = "USD"
	case "amounts are numbers":
		amount = 10
	case "writes amounts of a language":
		if c.Language == "pt" {
			amount = "10,00"
		}
	case "names another line":
		line = "1"
	case "knows pesos alone":
		c.Currency = "ARS"
	case "computes with floats":
		price, _ := strconv.ParseFloat(c.Products[0].Price, 64)
		amount, kind = strconv.FormatFloat(price*0.9, 'f', -1, 64), "fixed"
		if price == float64(int(price)) {
			amount = fmt.Sprintf("%.2f", price*0.9)
		}
	case "takes 20 off":
		amount, kind = "20.00", "fixed"
	case "divides by pieces":
		if pieces == 0 {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
	case "gives more each time":
		p.mu.Lock()
		p.n++
		amount = fmt.Sprintf("%d.00", p.n%40+1)
		p.mu.Unlock()
	}
	if pieces <= 2 && !guess {
		if p.has("never removes") || !strings.Contains(string(c.Promotions), p.loses(id)) {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		answer(w, 200, map[string]any{"commands": []any{map[string]any{
			"command": "remove_discount", "specs": map[string]any{"scope": "cart", "promotion_ids": p.gone(id, c.Promotions)},
		}}})
		return
	}
	command := "create_or_update_discount"
	answer(w, 200, map[string]any{"commands": []any{map[string]any{"command": command, "specs": map[string]any{
		"promotion_id": id, "currency": cmp.Or(c.Currency, "ARS"), "line_items": []any{map[string]any{
			"line_item": line, "discount_specs": map[string]any{"type": kind, "amount": amount},
		}},
	}}}})
}

// loses is what a cart has that is to lose a promotion.
func (p *partner) loses(id string) string {
	if p.has("removes all promotions") {
		return `"id"`
	}
	return id
}

// gone are the promotions that a cart loses.
func (p *partner) gone(id string, had json.RawMessage) []string {
	if !p.has("removes all promotions") {
		return []string{id}
	}
	var all []struct{ ID string }
	var out []string
	_ = json.Unmarshal(had, &all) // the platform's
	for _, one := range all {
		out = append(out, one.ID)
	}
	return out
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the caller may have hung up
}

func (p *partner) rates(w http.ResponseWriter, body []byte) {
	var q struct {
		Store       int64   `json:"store_id"`
		Currency    string  `json:"currency"`
		Total       float64 `json:"total_price"`
		Destination struct {
			Name    string `json:"name"`
			Country string `json:"country"`
			Postal  string `json:"postal_code"`
		} `json:"destination"`
		Origin struct {
			City string `json:"city"`
		} `json:"origin"`
		Items []struct {
			SKU        *string        `json:"sku"`
			Grams      int64          `json:"grams"`
			Quantity   int64          `json:"quantity"`
			Dimensions map[string]any `json:"dimensions"`
		} `json:"items"`
		Carrier struct {
			Options []struct {
				Cost struct {
					Amount float64 `json:"amount"`
				} `json:"additional_cost"`
				Days int `json:"additional_days"`
			} `json:"options"`
		} `json:"carrier"`
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
	for n, i := range q.Items {
		if p.has("ignores the quantity") {
			i.Quantity = 1
		}
		if n == 0 || !p.has("weighs the first item") {
			price += float64(i.Grams*i.Quantity) / 100
		}
	}
	if p.has("shares a variable") {
		p.mu.Lock()
		p.price = price
		p.mu.Unlock()
		time.Sleep(2 * time.Millisecond)
		p.mu.Lock()
		price = p.price
		p.mu.Unlock()
	}
	_, number := strconv.Atoi(q.Destination.Postal)
	switch {
	case len(q.Items) > 0 && (p.has("500 without sku") && q.Items[0].SKU == nil || p.has("500 without size") && len(q.Items[0].Dimensions) == 0 ||
		p.has("500 without weight") && q.Items[0].Grams == 0),
		p.has("reads postal codes as numbers") && number != nil, p.has("500 for another store") && q.Store == 987654321,
		p.has("500 without options") && len(q.Carrier.Options) == 0, p.has("500 for many items") && len(q.Items) > 50,
		p.has("writes ASCII") && strings.ContainsFunc(q.Destination.Name, func(r rune) bool { return r > 127 }):
		w.WriteHeader(http.StatusInternalServerError)
		return
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
	case "adds the merchant's cost":
		for _, o := range q.Carrier.Options {
			ship["price"] = price + o.Cost.Amount
		}
	case "adds the merchant's days":
		for _, o := range q.Carrier.Options {
			ship["max_delivery_date"] = fmt.Sprintf("2030-01-%02dT10:00:00-03:00", 4+o.Days)
		}
	case "dates of yesterday":
		ship["min_delivery_date"], ship["max_delivery_date"] = "2020-01-02T10:00:00-03:00", "2020-01-04T10:00:00-03:00"
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
	case p.has("checks no signature") || p.believes(r):
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
	uri := r.RequestURI
	if p.has("verifies without the query") && r.Method == http.MethodPost && r.URL.Path == "/process" {
		uri = r.URL.Path
	}
	signed := host + uri + "|" + r.Header.Get("X-Timestamp") + "|" + hex.EncodeToString(payload[:])
	digest := sha256.Sum256([]byte(signed))
	signature, err := base64.StdEncoding.DecodeString(r.Header.Get("X-Signature"))
	if err != nil || len(signature) == 0 {
		return false
	}
	earlier := sha256.Sum256([]byte(strings.Replace(signed, fmt.Sprintf("|%d|", at), fmt.Sprintf("|%d|", at-1), 1)))
	ok := p.has("checks that there is a signature") ||
		p.has("allows a second") && rsa.VerifyPKCS1v15(p.key, crypto.SHA256, earlier[:], signature) == nil ||
		rsa.VerifyPKCS1v15(p.key, crypto.SHA256, digest[:], signature) == nil ||
		p.old != nil && rsa.VerifyPKCS1v15(p.old, crypto.SHA256, digest[:], signature) == nil
	if ok && p.has("remembers signatures") {
		p.remember(r.Header.Get("X-Signature"))
	}
	return ok
}

// believes reports whether a payment call is believed without a signature.
func (p *partner) believes(r *http.Request) bool {
	switch p.bug {
	case "believes a form":
		return r.Header.Get("Content-Type") == "application/x-www-form-urlencoded"
	case "believes cancellations":
		return r.URL.Path == "/cancel"
	case "believes a proxy":
		return r.Header.Get("X-Forwarded-For") == "127.0.0.1"
	}
	return false
}

func (p *partner) payment(w http.ResponseWriter, r *http.Request, body []byte) {
	if _, err := base64.StdEncoding.DecodeString(r.Header.Get("X-Signature")); err != nil && p.has("500 for no base64") {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if !p.verify(r, body) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	switch r.URL.Path {
	case "/process":
		p.process(w, r, body)
	case "/cancel":
		attempt := r.URL.Query().Get("payment_attempt_id")
		known := p.attempts.knows(attempt)
		p.mu.Lock()
		p.canceled = with(p.canceled, attempt, attempt)
		wrong := p.has("404 for an unknown attempt") && !known || p.has("409 for a paid attempt") && known ||
			p.has("404 for a refunded attempt") && p.refunds[p.orders[attempt]] != ""
		p.mu.Unlock()
		w.WriteHeader(map[bool]int{true: 404, false: 200}[wrong])
	case "/status":
		if p.has("no transactions in a status") {
			answer(w, 200, map[string]any{"payments": []any{}})
			return
		}
		if p.has("one list for all orders") {
			answer(w, 200, map[string]any{"transactions": []any{map[string]any{"id": "1"}}})
			return
		}
		answer(w, 200, map[string]any{"transactions": []any{}})
	case "/refunds":
		p.refund(w, r, body)
	}
}

// with is a map with one more value.
func with(m map[string]string, key, value string) map[string]string {
	if m == nil {
		m = map[string]string{}
	}
	m[key] = value
	return m
}

// refund makes one refund of an order, known by the signature of its call, and no other.
func (p *partner) refund(w http.ResponseWriter, r *http.Request, body []byte) {
	var c struct {
		Transaction string         `json:"transaction_id"`
		Amount      map[string]any `json:"amount"`
	}
	_ = json.Unmarshal(body, &c) // the platform's
	signature, order := r.Header.Get("X-Signature"), r.URL.Query().Get("order")
	p.mu.Lock()
	made := p.refunds[order]
	if made == "" {
		p.refunds = with(p.refunds, order, signature)
	}
	p.mu.Unlock()
	switch {
	case made == "" || made == signature && p.has("refunds each call"):
		if p.has("refunds all") {
			c.Amount["value"] = "60.00"
		}
		path := "/orders/" + order + "/transactions/" + c.Transaction + "/events"
		if err := p.api(http.MethodPost, path, map[string]any{"type": "refund", "status": "success", "amount": c.Amount}); err != nil {
			answer(w, http.StatusServiceUnavailable, err.Error())
			return
		}
		w.WriteHeader(http.StatusAccepted)
	case made == signature:
		w.WriteHeader(http.StatusAccepted)
	case p.has("a refund code of its own"):
		answer(w, 422, map[string]any{"error_code": "BUSY"})
	default:
		answer(w, 422, map[string]any{"error_code": "refund_already_in_process"})
	}
}

// process takes a payment and reports it.
func (p *partner) process(w http.ResponseWriter, r *http.Request, body []byte) {
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
	p.mu.Lock()
	gone := p.canceled[c.Attempt] != ""
	p.orders = with(p.orders, c.Attempt, fmt.Sprint(c.Order))
	p.mu.Unlock()
	if gone && !p.attempts.knows(c.Attempt) && !p.has("charges what is cancelled") {
		w.WriteHeader(http.StatusConflict)
		return
	}
	if p.has("looks, then writes") {
		known := p.attempts.knows(c.Attempt)
		time.Sleep(20 * time.Millisecond)
		p.attempts.take(c.Attempt)
		if known {
			w.WriteHeader(http.StatusCreated)
			return
		}
	}
	if p.has("reports a sum of money wrong") {
		err := p.api(http.MethodPost, fmt.Sprintf("/orders/%d/transactions", c.Order), map[string]any{"amount": "sixty"})
		answer(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	if p.has("cuts cents") {
		value, _ := c.Amount["value"].(string)
		c.Amount["value"] = strings.Replace(value, ".99", ".00", 1)
	}
	if p.attempts.take(c.Attempt) || p.has("takes every call") || p.has("looks, then writes") {
		err := p.api(http.MethodPost, fmt.Sprintf("/orders/%d/transactions", c.Order), map[string]any{
			"payment_provider_id": c.Provider, "payment_method": c.Method, "payment_attempt_id": c.Attempt,
			"first_event": map[string]any{"type": "sale", "status": "success", "authorization_code": "A1", "amount": c.Amount},
			"info": map[string]any{
				"external_id": c.Attempt, "installments": map[string]any{"quantity": 1, "interest": "0.00"},
				"refund_url": origin + "/refunds?order=" + fmt.Sprint(c.Order), "supports_partial_refund": true,
			},
		})
		if err != nil && p.has("reports again") {
			p.attempts.forget(c.Attempt)
		}
		if err != nil {
			answer(w, http.StatusServiceUnavailable, err.Error())
			return
		}
	}
	if p.has("undoes what nobody waits for") {
		select {
		case <-r.Context().Done():
			p.attempts.forget(c.Attempt)
		case <-time.After(300 * time.Millisecond): // a busy machine hangs up late
		}
	}
	w.WriteHeader(http.StatusCreated)
}
