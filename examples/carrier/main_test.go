package main

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/scenariotest"
)

func TestMain(m *testing.M) {
	proctest.Main(map[string]func() error{scenariotest.Role: scenariotest.Program(scenarioApp)})
	proctest.Example(main)
	goleak.VerifyTestMain(m)
}

func TestConsole(t *testing.T) { proctest.Console(t) }

// What each customer sees, computed by hand from the tariff: 800 g cost 700.00, times 1.00, 1.80 and 0.60.
func TestSession(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), "", &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	var prices []string
	for line := range strings.Lines(out.String()) {
		fields := strings.Fields(line)
		if len(fields) > 3 && (fields[0] == "carrier" || fields[0] == "cache" || fields[0] == "fallback") {
			prices = append(prices, fields[0]+" "+fields[len(fields)-2])
		} else if len(fields) > 0 && strings.HasSuffix(fields[0], ".") {
			prices = append(prices, "\n"+fields[0])
		}
	}
	want := `
1. carrier 700.00 carrier 1260.00 carrier 420.00
2. cache 700.00 cache 1260.00 cache 420.00
3. cache 800.00 cache 1260.00 cache 420.00
4. carrier 800.00 carrier 1260.00 carrier 420.00
5. fallback 2500.00
6. fallback 2500.00
7. fallback 2500.00
8. carrier 800.00 carrier 1260.00 carrier 420.00
9. carrier 800.00 carrier 1260.00 carrier 420.00`
	if got := strings.Join(prices, " "); strings.ReplaceAll(got, " \n", "\n") != want {
		t.Errorf("got %s\nwant %s\n%s", got, want, out.String())
	}
	if !strings.Contains(out.String(), "counted: 1, the handler: 1. The circuit is closed.") {
		t.Errorf("printed %s", out.String())
	}
}

// The platform finds nothing wrong with the app behind a real listener.
func TestDoctor(t *testing.T) {
	platform := clienttest.New(t)
	a, err := newApp(platform.Client())
	if err != nil {
		t.Fatal(err)
	}
	listener := httptest.NewServer(a.handler())
	defer listener.Close()
	if err := errors.Join(platform.Forward(address, listener.URL), a.install(t.Context(), address)); err != nil {
		t.Fatal(err)
	}
	at := listener.URL + "/rates/" + string(a.token)
	proctest.BuildDoctor(t).Examine(t, platform.Control(), at, "--as", "carrier", "--origin", address)
}
