package address

import (
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

func TestAddresses(t *testing.T) {
	const hidden = "an address that cannot be shown"
	for _, tt := range []struct {
		address string
		secure  bool
		shown   string
	}{
		{"https://app.example", true, "https://app.example/…"},
		{"https://app.example:8443/rates/cnry_7f3a?key=cnry_7f3a#cnry_7f3a", true, "https://app.example:8443/…"},
		{"http://app.example/cnry_7f3a", false, "http://app.example/…"},
		{"https://me:cnry_7f3a@app.example", false, hidden},
		{"https://me:cnry?7f3a@app.example", false, hidden},
		{"https://me:12?cnry_7f3a@app.example", true, hidden},
		{"https:///cnry_7f3a", false, hidden},
		{"https://:443/", false, "https://:443/…"},
		{"app.example/cnry_7f3a", false, hidden},
		{"%", false, hidden},
		{"", false, ""},
	} {
		if got := IsHTTPS(tt.address); got != tt.secure {
			t.Errorf("%q: got %t", tt.address, got)
		}
		if got := Host(tt.address); got != tt.shown {
			t.Errorf("%q: shown as %s, want %s", tt.address, got, tt.shown)
		}
	}
}

// A mebibyte is no address, and is not repeated.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	for name, address := range map[string]string{
		"letters": long, "a host": "https://" + long, "labels": "https://" + strings.Repeat("a.", 1<<19),
		"slashes": strings.Repeat("/", 1<<20),
		"a port":  "https://app.example:" + long, "escapes": "https://" + strings.Repeat("%61", 1<<18),
		"a path": "https://app.example/" + long,
	} {
		var secure bool
		var shown string
		spent := hostile.Cost(func() { secure, shown = IsHTTPS(address), Host(address) })
		if secure || shown != "an address that cannot be shown" || spent.Bytes > 64<<10 {
			t.Errorf("%s: https %t, shown as %.60s, which cost %v", name, secure, shown, spent)
		}
		t.Logf("%s: %v", name, spent)
	}
	longest := "https://app.example/" + long
	longest = longest[:most]
	if got := Host(longest); got != "https://app.example/…" || !IsHTTPS(longest) {
		t.Errorf("the longest address: shown as %.60s", got)
	}
}
