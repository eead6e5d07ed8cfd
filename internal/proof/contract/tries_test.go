package contract

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/client/contract"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// built is the directory of the reference server, which is built once.
func built(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", dir, "github.com/commerceplatform/commerce-go/internal/cmd/refserver")
	build.Env = append(build.Environ(), "GOFLAGS="+proctest.BuildFlags())
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

var (
	serves    = regexp.MustCompile(`(?m)^refserver serve (.*) &$`)
	examines  = regexp.MustCompile(`(?m)^refserver (doctor|init) .*\n`)
	reports   = regexp.MustCompile(`(?s)-d '(\{\s*"payment_provider_id".*?)'\n`)
	inShell   = regexp.MustCompile("(?s)```sh\n(.*?)```")
	addresses = regexp.MustCompile(`(?m)^(base URL|token|store) +(\S+)$`)
)

// partner answers as the pages say. It reports a payment with the body of payments.md.
type partner struct {
	t      *testing.T
	report string
	mu     sync.Mutex
	facts  map[string]string // of the platform
}

// platform is what the platform has printed.
func (p *partner) platform() map[string]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.facts
}

func (p *partner) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	answer := func(status int, text string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
	switch q.URL.Path {
	case "/cart":
		answer(http.StatusOK, `{"commands":[]}`)
	case "/rates":
		answer(http.StatusOK, `{"rates":[{"code":"standard","name":"Standard","price":14.15,"currency":"ARS","type":"ship","reference":"r"}]}`)
	case "/rules_cart":
		answer(http.StatusOK, `{"command":"block_checkout","detail":{}}`)
	case "/process":
		answer(p.pay(body), `{}`)
	case "/labels/generate":
		answer(http.StatusAccepted, "")
	case "/status":
		answer(http.StatusOK, `{"transactions":[]}`)
	case "/payments_refund":
		answer(http.StatusAccepted, `{}`)
	default:
		answer(http.StatusOK, "")
	}
}

// pay reports the transaction of an order, and returns the status of the answer to the platform.
func (p *partner) pay(body []byte) int {
	var in struct {
		Order    json.Number `json:"order_id"`
		Provider string      `json:"payment_provider_id"`
		Amount   struct{ Value string }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return http.StatusBadRequest
	}
	report := strings.NewReplacer("02aaa5c6-080a-40e9-a61f-90ca2150d6a2", in.Provider, "6850.00", in.Amount.Value).Replace(p.report)
	facts := p.platform()
	to := fmt.Sprintf("%s/v1/%s/orders/%s/transactions", facts["base URL"], facts["store"], in.Order)
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, to, strings.NewReader(report))
	if err != nil {
		return http.StatusInternalServerError
	}
	r.Header = http.Header{"Authorization": {"Bearer " + facts["token"]}, "User-Agent": {"Pay (dev@pay.example)"},
		"Content-Type": {"application/json"}}
	got, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		return http.StatusInternalServerError
	}
	why, _ := io.ReadAll(got.Body)
	_ = got.Body.Close()
	if got.StatusCode != http.StatusCreated {
		p.t.Errorf("the transaction of payments.md: %d %s", got.StatusCode, why)
	}
	return got.StatusCode
}

// TestPagesTry runs the commands of each page that try a program, against the platform that its first command starts.
func TestPagesTry(t *testing.T) {
	has(t, "sh", "curl")
	dir := built(t)
	for page, shows := range map[string][]string{
		"rates.md": {`"code": *"standard"`, `standard +Standard`}, "discounts.md": {`"data"`, `200 after`},
		"webhooks.md": {`"event": *"order/paid"`, `order/paid .*200`}, "rules.md": {"blocked by app", `200 +applied`},
		"payments.md": {`process, to https://pay.example/process`, `refund, to https://pay.example/payments_refund`, "result +accepted"},
		"labels.md":   {`(?m)^1 +generate .*202`, `"status": *"IN_PROGRESS"`},
		"README.md":   {"cart [0-9]+", `"main_currency"`},
	} {
		text, err := contract.Files.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		_, try, _ := strings.Cut(string(text), "## Try it")
		var script strings.Builder
		for _, block := range inShell.FindAllStringSubmatch(try, -1) {
			script.WriteString(block[1])
		}
		p := &partner{t: t}
		if m := reports.FindSubmatch(text); m != nil {
			p.report = string(m[1])
		}
		out, err := p.try(t, dir, script.String())
		if err != nil {
			t.Errorf("%s: %v\n%s", page, err, out)
			continue
		}
		for _, expression := range shows {
			if !regexp.MustCompile(expression).MatchString(out) {
				t.Errorf("%s: its commands do not print %q:\n%s", page, expression, out)
			}
		}
	}
}

// try runs commands with a platform of its own.
func (p *partner) try(t *testing.T, dir, script string) (string, error) {
	t.Helper()
	program := httptest.NewServer(p)
	defer program.Close()
	here := func(text string) string { return strings.ReplaceAll(text, "http://127.0.0.1:3000", program.URL) }
	flags := serves.FindStringSubmatch(script)
	if flags == nil {
		return script, fmt.Errorf("no command starts the platform")
	}
	args := strings.Fields(strings.Replace(here(flags[1]), "127.0.0.1:8082", "127.0.0.1:0 --addr 127.0.0.1:0", 1))
	platform := exec.CommandContext(t.Context(), filepath.Join(dir, "refserver"), append([]string{"serve"}, args...)...)
	out, err := platform.StdoutPipe()
	if err == nil {
		err = platform.Start()
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = platform.Process.Kill(); _ = platform.Wait() }()
	lines, control, facts := bufio.NewScanner(out), "", map[string]string{}
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "curl") {
		if m := addresses.FindStringSubmatch(lines.Text()); m != nil {
			facts[m[1]] = m[2]
		}
		if address, ok := strings.CutPrefix(lines.Text(), "control "); ok {
			control = strings.TrimSpace(address)
		}
	}
	p.mu.Lock()
	p.facts = facts
	p.mu.Unlock()
	script = serves.ReplaceAllString(examines.ReplaceAllString(script, ""), "")
	shell := exec.CommandContext(t.Context(), "sh", "-euc", strings.ReplaceAll(here(script), "curl -s ", "curl -sS --fail-with-body "))
	shell.Dir = t.TempDir()
	shell.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "REFSERVER_CONTROL="+control)
	printed, err := shell.CombinedOutput()
	return string(printed), err
}
