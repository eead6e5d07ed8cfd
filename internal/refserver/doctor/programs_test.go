package doctor_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/doctor"
)

// programs start the partners in other languages. Their bugs are in testdata/gallery.
var programs = map[doctor.Kind]func(t *testing.T, bug string) doctor.Options{
	doctor.Labels: func(t *testing.T, bug string) doctor.Options {
		w := newWorld(t)
		address := w.program(t, "node", "labels.mjs", bug)
		return doctor.Options{Kind: doctor.Labels, URL: address + "/labels/6f1c8a", Control: w.control}
	},
	doctor.Rules: func(t *testing.T, bug string) doctor.Options {
		w := newWorld(t)
		address := w.program(t, "python3", "rules.py", bug, w.options(t))
		return doctor.Options{Kind: doctor.Rules, URL: address + "/rules", Control: w.control}
	},
}

// option is a way to pay as a rule names it.
type option struct {
	ID     string `json:"id"`
	Option string `json:"option_id"`
}

// options adds a provider and returns its ways to pay as JSON.
func (w *world) options(t *testing.T) string {
	t.Helper()
	var ways []any
	ids := []string{"8c6b1f0e-0c0f-4ac5-9d8c-6f5a3a1a7c11", "8c6b1f0e-0c0f-4ac5-9d8c-6f5a3a1a7c12"}
	for _, id := range ids {
		ways = append(ways, map[string]any{
			"id": id, "name": "Cash", "supported_billing_countries": []string{"AR"}, "integration_type": "redirect",
			"supported_payment_method_types": []string{"cash"},
		})
	}
	must(t, w.act(t, http.MethodPost, "/payment_providers", map[string]any{
		"name": "Acme", "description": "Cash", "supported_currencies": []string{"ARS"}, "checkout_js_url": origin + "/checkout.js",
		"logo_urls":                 map[string]any{"400x120": origin + "/wide.png", "160x100": origin + "/small.png"},
		"supported_payment_methods": []any{map[string]any{"payment_method_type": "cash", "payment_methods": []string{"cash"}}},
		"checkout_payment_options":  ways,
	}))
	var all []option
	must(t, w.Pages(t.Context(), fmt.Sprintf("stores/%d/entities/payment_providers", w.store), func(raw json.RawMessage) error {
		var made struct{ ID string }
		err := json.Unmarshal(raw, &made)
		for _, id := range ids {
			all = append(all, option{made.ID, id})
		}
		return err
	}))
	out, err := json.Marshal(all)
	must(t, err)
	return string(out)
}

// program starts a program of testdata/gallery, with the variables of an app, and returns where it listens.
func (w *world) program(t *testing.T, language, file string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(language); err != nil {
		t.Skip(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := l.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	l.Close()
	api := serve(t, w.platform)
	cmd := exec.Command(language, append([]string{filepath.Join("testdata", "gallery", file), port}, args...)...)
	cmd.Env = append(os.Environ(), "COMMERCE_BASE_URL="+api.URL, "COMMERCE_TOKEN="+w.token,
		fmt.Sprintf("COMMERCE_STORE_ID=%d", w.store), "COMMERCE_APP_SECRET="+secret)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return "http://" + address
		}
		if time.Since(begun) > time.Minute {
			t.Fatalf("%s %s does not listen", language, file)
		}
	}
}
