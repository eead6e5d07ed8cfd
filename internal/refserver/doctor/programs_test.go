package doctor_test

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/refserver/doctor"
)

// programs start the partners in other languages. Their bugs are in testdata/gallery.
var programs = map[doctor.Kind]func(t *testing.T, bug string) (doctor.Options, *process){
	doctor.Labels: func(t *testing.T, bug string) (doctor.Options, *process) {
		return newWorld(t, labelsFeature).labels(t, bug)
	},
	doctor.Rules: func(t *testing.T, bug string) (doctor.Options, *process) {
		w := newWorld(t)
		p := w.program(t, "python3", filepath.Join("testdata", "gallery", "rules.py"), bug, w.options(t))
		return doctor.Options{Kind: doctor.Rules, URL: p.url() + "/rules", Control: w.control}, p
	},
}

// labels starts an app that makes labels.
func (w *world) labels(t *testing.T, bug string) (doctor.Options, *process) {
	t.Helper()
	p := w.program(t, "node", filepath.Join("testdata", "gallery", "labels.mjs"), bug)
	return doctor.Options{Kind: doctor.Labels, URL: p.url() + "/labels/6f1c8a", Control: w.control}, p
}

// planting is how a bug is planted in a starter: texts, each with the one that takes its place.
type planting map[string]string

// planted are the bugs of the payment apps that "refserver init" writes, by language.
var planted = map[string]map[string]planting{
	"node": {
		"undoes what nobody waits for": {
			`(await find(made)) ?? (await call(`: `(await call(`,
			`.then((out) => send(...out), failed)`: `.then(async (out) => {
      await new Promise((go) => setTimeout(go, 300)); // a busy machine hangs up late
      if (req.socket.destroyed) taken.delete(ask().payment_attempt_id);
      send(...out);
    }, failed)`,
		},
		"reports again": {`(await find(made)) ?? (await call(`: `(await call(`},
		"ends at an odd address": {
			`const [path, parameters] = req.url.split("?"); // any text, of any stranger`: `const { pathname: path } = new URL(req.url, origin);
  const parameters = new URL(req.url, origin).search;`,
		},
		"refunds each call":         {`update(signature)`: `update(String(Math.random()))`},
		"charges what is cancelled": {`made.cancelled && !made.id`: `false`},
		"gives all back":            {`captured.value - refunded.value`: `captured.value - 0`},
	},
	"python3": {
		"undoes what nobody waits for": {
			`find(made) or call(`: `call(`,
			`                    status, out = answer(`: `                    import socket
                    time.sleep(0.3)
                    self.connection.setblocking(False)
                    try:
                        gone = self.connection.recv(1, socket.MSG_PEEK) == b""
                    except BlockingIOError:
                        gone = False
                    except OSError:
                        gone = True
                    self.connection.settimeout(10)
                    status, out = answer(`,
			`            except OSError as err:`: `                if gone:
                    taken.pop(ask.get("payment_attempt_id"), None)
            except OSError as err:`,
		},
		"reports again":             {`find(made) or call(`: `call(`},
		"refunds each call":         {`sha256(signature.encode())`: `sha256(os.urandom(8))`},
		"charges what is cancelled": {`if made.get("cancelled"):`: `if False:`},
		"gives all back":            {`str(captured - refunded)`: `str(captured)`},
	},
}

// payments starts a payment app that "refserver init" writes, with a bug.
func (w *world) payments(t *testing.T, s specimen) doctor.Options {
	t.Helper()
	name := map[string]string{"node": "payments.mjs", "python3": "payments.py"}[s.in]
	raw, err := os.ReadFile(filepath.Join("..", "..", "cmd", "refserver", "starters", name))
	must(t, err)
	program := string(raw)
	if s.bug != "" && len(planted[s.in][s.bug]) == 0 {
		t.Fatalf("%s: nothing is planted", s.name())
	}
	for old, bug := range planted[s.in][s.bug] {
		if strings.Count(program, old) != 1 {
			t.Fatalf("%s: %q is not there once", s.name(), old)
		}
		program = strings.Replace(program, old, bug, 1)
	}
	file := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(file, []byte(program), 0o600))
	key, err := x509.MarshalPKIXPublicKey(w.payKey(t, http.MethodGet)) // it takes long to find one
	must(t, err)
	w.env = append(w.env, "COMMERCE_PAYMENTS_KEY="+string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: key})))
	p := w.program(t, s.in, file)
	return doctor.Options{Kind: doctor.Payments, URL: p.url(), Control: w.control, Origin: origin}
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

// process is a program in another language.
type process struct {
	address string
	start   func() *exec.Cmd
	running *exec.Cmd
}

func (p *process) url() string { return "http://" + p.address }

// Memory is not looked at.
func (p *process) Memory() (int64, bool) { return 0, false }

// Restart kills the program and starts it again.
func (p *process) Restart(ctx context.Context) error {
	p.end()
	p.running = p.start()
	if err := p.running.Start(); err != nil {
		return err
	}
	for {
		if conn, err := net.Dial("tcp", p.address); err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (p *process) end() {
	if p.running != nil {
		_ = p.running.Process.Kill()
		_ = p.running.Wait() // it was killed
	}
}

// program starts a program in a directory of its own, with the variables of an app, and returns where it listens.
func (w *world) program(t *testing.T, language, file string, args ...string) *process {
	t.Helper()
	if _, err := exec.LookPath(language); err != nil {
		t.Skip(err)
	}
	file, err := filepath.Abs(file)
	must(t, err)
	address := proctest.Address(t)
	_, port, err := net.SplitHostPort(address)
	must(t, err)
	env := append(os.Environ(), "COMMERCE_BASE_URL="+serve(t, w.platform).URL, "COMMERCE_TOKEN="+w.token,
		fmt.Sprintf("COMMERCE_STORE_ID=%d", w.store), "COMMERCE_APP_SECRET="+secret, "ORIGIN="+origin)
	dir := t.TempDir()
	p := &process{address: address, start: func() *exec.Cmd {
		cmd := exec.Command(language, append([]string{file, port}, args...)...)
		cmd.Dir, cmd.Env = dir, slices.Concat(env, w.env)
		return cmd
	}}
	t.Cleanup(p.end)
	must(t, p.Restart(t.Context()))
	return p
}
