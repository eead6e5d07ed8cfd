package proctest

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// Origin is where the demo app of the platform is.
const Origin = "https://app.example"

// App is an app in plain net/http, with at most one defect, which the platform calls. Its fields are its configuration.
type App struct {
	Base, Secret string
	ID           int64
	Transport    http.RoundTripper
	// Parts are the parts that it registers when it is installed.
	Parts []string
	// Defect is what is wrong with it.
	Defect string

	mu        sync.Mutex
	token     string
	store     int64
	promotion string
	taken     map[string]bool  // payment attempts and webhooks
	orders    map[string]int64 // of transactions
}

type object = map[string]any

// ServeHTTP answers the redirect of an installation and the calls of the platform.
func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	status, answer := http.StatusNotFound, any(nil)
	switch r.URL.Path {
	case "/oauth/callback":
		status, answer = a.install(r)
	case "/hooks", "/hooks/store/redact":
		status = a.hook(r, body)
	case "/carts":
		status, answer = a.cart(body)
	case "/rates":
		status, answer = a.rates(body)
	case "/payments/process":
		status = a.process(body)
	case "/payments/refunds":
		status, answer = a.refund(body)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if answer != nil {
		_ = json.NewEncoder(w).Encode(answer) // the caller may have hung up
	}
}

// call makes a call of the API and reads its answer.
func (a *App) call(method, path string, in any, out any) error {
	raw, err := json.Marshal(in)
	if err != nil {
		return err
	}
	address := fmt.Sprintf("%s/2025-03/%d%s", a.Base, a.store, path)
	if path == "/authorize/token" {
		address = a.Base + "/auth/apps" + path
	}
	r, err := http.NewRequest(method, address, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "App (app@app.example)")
	r.Header.Set("Authentication", "bearer "+a.token)
	resp, err := (&http.Client{Transport: a.Transport}).Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode > 299 {
		return fmt.Errorf("%s %s: %d %s: %w", method, path, resp.StatusCode, answer, err)
	}
	if len(answer) == 0 {
		return nil
	}
	return json.Unmarshal(answer, out)
}

func (a *App) install(r *http.Request) (int, any) {
	if a.Defect == "does not exchange the code" {
		return http.StatusOK, "welcome"
	}
	var granted struct {
		Token string `json:"access_token"`
		Store any    `json:"user_id"`
	}
	code := r.URL.Query().Get("code")
	err := a.call(http.MethodPost, "/authorize/token", object{
		"client_id": a.ID, "client_secret": a.Secret, "grant_type": "authorization_code", "code": code,
	}, &granted)
	if err == nil {
		if a.token == "" || a.Defect != "keeps the old token" {
			a.token = granted.Token
		}
		_, err = fmt.Sscan(fmt.Sprint(granted.Store), &a.store)
	}
	if a.Defect == "loses the token" {
		a.token = "another"
	}
	for _, part := range a.Parts {
		if err == nil {
			err = a.register(part)
		}
	}
	if err != nil {
		return http.StatusInternalServerError, err.Error()
	}
	return http.StatusOK, "welcome"
}

// register registers a part of the app.
func (a *App) register(part string) error {
	var made struct {
		ID   any `json:"id"`
		Data struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	var err error
	switch part {
	case "webhooks":
		for _, event := range []string{"product/created", "order/created", "order/fulfilled", "order/paid", "app/uninstalled"} {
			err = cmp.Or(err, a.call(http.MethodPost, "/webhooks", object{"event": event, "url": Origin + "/hooks"}, &made))
		}
	case "discounts":
		err = a.call(http.MethodPost, "/promotions", object{"name": "Three", "allocation_type": "line_item"}, &made)
		a.promotion = made.Data.ID
		if err == nil {
			err = a.call(http.MethodPut, "/discounts/callbacks", object{"url": Origin + "/carts"}, &made)
		}
	case "carrier":
		err = a.call(http.MethodPost, "/shipping_carriers", object{
			"name": "Carrier", "callback_url": Origin + "/rates", "types": "ship",
		}, &made)
		if err == nil {
			path := fmt.Sprintf("/shipping_carriers/%.0f/options", made.ID)
			err = a.call(http.MethodPost, path, object{"code": "standard", "name": "Standard"}, &made)
		}
	case "payments":
		err = a.provider()
	}
	return err
}

// hook answers a webhook.
func (a *App) hook(r *http.Request, body []byte) int {
	mac := hmac.New(sha256.New, []byte(a.Secret))
	mac.Write(body)
	given := r.Header.Get("X-Platform-Hmac-Sha256")
	var event object
	switch {
	case !hmac.Equal([]byte(given), []byte(hex.EncodeToString(mac.Sum(nil)))):
		return http.StatusUnauthorized
	case json.Unmarshal(body, &event) != nil:
		return http.StatusBadRequest
	}
	key := "hook " + string(body)
	known := a.taken[key]
	a.take(key)
	if known && a.Defect == "refuses repetitions" {
		return http.StatusConflict
	}
	return http.StatusNoContent
}

func (a *App) take(key string) {
	if a.taken == nil {
		a.taken = map[string]bool{}
	}
	a.taken[key] = true
}
