package main

import (
	"errors"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"

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

// The carts after each change, computed by hand from the offers.
func TestSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // so that a busy machine makes no plan late
		var out strings.Builder
		if err := run(t.Context(), "", &out); err != nil {
			t.Fatal(err)
		}
		var after []string
		for line := range strings.Lines(out.String()) {
			if text, ok := strings.CutPrefix(line, "   after   "); ok {
				after = append(after, strings.TrimSpace(text))
			}
		}
		want := []string{
			"80.00 - 0.00 = 80.00",
			"105.00 - 29.00 = 76.00",  // 25.00, and 5 % of 80.00
			"127.50 - 30.13 = 97.37",  // 25.00, and 5 % of 102.50
			"139.90 - 21.15 = 118.75", // 74.90 - 60.00, and 5 % of 125.00
			"259.90 - 61.90 = 198.00", // 14.90 + 25.00, and 10 % of 220.00
			"247.50 - 83.25 = 164.25", // 25.00 + 40.00, and 10 % of 182.50
			"247.50 - 83.25 = 164.25",
			"87.50 - 0.00 = 87.50",
		}
		if got := strings.Join(after, "\n"); got != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
		}
		if !strings.HasSuffix(out.String(), "16 carts were sent: 14 answers applied, 2 without need for action\n") {
			t.Errorf("printed %s", out.String())
		}
	})
}

// The platform finds nothing wrong with the app behind a real listener.
func TestDoctor(t *testing.T) {
	platform := clienttest.New(t)
	c := platform.Client()
	if _, err := stock(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	a, err := newApp(c, platform.StoreID(), newOffers(), netip.MustParsePrefix("127.0.0.0/8"))
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	listener := httptest.NewServer(a.carts)
	defer listener.Close()
	if err := errors.Join(platform.Forward(address, listener.URL), a.install(t.Context(), language, address+"/carts")); err != nil {
		t.Fatal(err)
	}
	doctor := proctest.BuildDoctor(t)
	doctor.Examine(t, platform.Control(), listener.URL+"/carts", "--as", "discounts", "--origin", address)
}
