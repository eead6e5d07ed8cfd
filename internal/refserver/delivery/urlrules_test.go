package delivery

import (
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestURLRules(t *testing.T) {
	rules := URLRules{PlatformDomains: []string{"platform.example"}}
	for _, url := range []string{
		"https://app.example",
		"https://app.example/",
		"https://hooks.app.example/a/b?c=d&e=%20",
		"https://APP.Example/hook",
		"https://app.example.:443/hook",
		"https://app.example:443/hook",
		"HTTPS://app.example/hook",
		"https://xn--bcher-kva.example/hook",
		"https://1and1.example/hook",
		"https://127.0.0.1.app.example/hook",
		"https://localhost.app.example/hook",
		"https://notplatform.example/hook",
		"https://a-b.c-d.example/hook#part",
		// Underscores and other scripts were refused once.
		"https://app_1.example/hook",
		"https://_hooks.app.example/hook",
		"https://bücher.example/hook",
		"https://BÜCHER.example/hook",
		"https://b%C3%BCcher.example/hook",
		"https://ação.example/hook",
		"https://пример.испытание/hook",
		"https://例子.example/hook",
		"https://उदाहरण.example/hook",
	} {
		if err := rules.Check(url); err != nil {
			t.Errorf("%s: refused: %v", url, err)
		}
	}
	for _, url := range []string{
		"",
		"app.example/hook",
		"//app.example/hook",
		"/hook",
		"http://app.example/hook",
		"ftp://app.example/hook",
		"javascript:alert(1)",
		"https:app.example",
		"https:///hook",
		"https://",
		"https://user@app.example/hook",
		"https://user:secret@app.example/hook",
		"https://app.example@127.0.0.1/hook",
		"https://a@127.0.0.1/hook",
		"https://app.example:8443/hook",
		"https://app.example:80/hook",
		"https://app.example:0/hook",
		"https://app.example:/hook",
		"https://app.example:99999999/hook",
		"https://localhost/hook",
		"https://LOCALHOST/hook",
		"https://localhost./hook",
		"https://localhost:443/hook",
		"https://api.localhost/hook",
		"https://localhost.localdomain/hook",
		"https://printer.local/hook",
		"https://metadata.google.internal/hook",
		"https://db.corp.internal./hook",
		"https://router.lan/hook",
		"https://box.home.arpa/hook",
		"https://intranet/hook",
		"https://ip6-localhost/hook",
		"https://127.0.0.1/hook",
		"https://127.1/hook",
		"https://127.0.1/hook",
		"https://2130706433/hook",
		"https://0/hook",
		"https://0.0.0.0/hook",
		"https://0x7f000001/hook",
		"https://0x7f.1/hook",
		"https://0X7F.0.0.1/hook",
		"https://0177.0.0.1/hook",
		"https://017700000001/hook",
		"https://%31%32%37.0.0.1/hook",
		"https://127%2e0%2e0%2e1/hook",
		"https://127.0.0.1:443/hook",
		"https://127.0.0.1./hook?a=b#c",
		"https://0.0.0.1/hook",
		"https://192.0.0.192/hook",
		"https://198.18.0.1/hook",
		"https://224.0.0.1/hook",
		"https://255.255.255.255/hook",
		"https://%6cocalhost/hook",
		"https://localhost%2e/hook",
		"https://LocalHost.LocalDomain./hook",
		"https://127.0.0.1./hook",
		"https://127.0.0.0x1/hook",
		"https://app.example.0x/hook",
		"https://10.0.0.1/hook",
		"https://172.16.0.1/hook",
		"https://192.168.1.1/hook",
		"https://169.254.169.254/latest",
		"https://100.64.0.1/hook",
		"https://8.8.8.8/hook",
		"https://[::]/hook",
		"https://[::1]/hook",
		"https://[::1]:443/hook",
		"https://[::1%25lo]/hook",
		"https://[fe80::1%25eth0]/hook",
		"https://[::ffff:127.0.0.1]/hook",
		"https://[::ffff:7f00:1]/hook",
		"https://[64:ff9b::7f00:1]/hook",
		"https://[fd00::1]/hook",
		"https://[fe80::1]/hook",
		"https://[ff02::1]/hook",
		"https://[::127.0.0.1]/hook",
		"https://[2002:7f00:1::]/hook",
		"https://[v1.127.0.0.1]/hook",
		"https://[127.0.0.1]/hook",
		"https://[2001:db8::1]/hook",
		"https://１２７.０.０.１/hook",
		"https://ｌocalhost/hook",
		"https://app。example/hook",
		"https://loc\u00adalhost/hook",
		"https://loc\u034falhost/hook",
		"https://loc\ufe0falhost/hook",
		"https://loc\u3164alhost/hook",
		"https://\u2113ocalhost/hook",
		"https://loca\u02e1host/hook",
		"https://localho\ufb06/hook",
		"https://\U0001d4c1ocalhost/hook",
		"https://\u0661\u0662\u0667.example/hook",
		"https://☃.example/hook",
		"https://\xff.example/hook",
		"https://app.example%00.evil.example/hook",
		"https://-app.example/hook",
		"https://app..example/hook",
		"https://.example/hook",
		"https://app example/hook",
		"https://app.example\n/hook",
		"https://platform.example/hook",
		"https://api.platform.example/hook",
		"https://API.Platform.Example./hook",
		"https://app.example\\@127.0.0.1/hook",
		"https://app.example/" + strings.Repeat("a", 2048),
		"https://" + strings.Repeat("a", 64) + ".example/hook",
	} {
		if rules.Check(url) == nil {
			t.Errorf("%q: accepted", url)
		}
	}
	if err := (URLRules{AnyPort: true}).Check("https://app.example:8443/hook"); err != nil {
		t.Errorf("any port: %v", err)
	}
}

// A mebibyte is refused by its length, whatever it is made of, and not repeated.
func TestLongTexts(t *testing.T) {
	rules := URLRules{PlatformDomains: []string{"platform.example"}}
	var longest time.Duration
	for _, start := range []string{"", "https://", "https://app.example/", "https://app.example/?", "https://me@"} {
		for _, part := range []string{"a", "a.", "1", "%61", "é", "@", "[", ":"} {
			url := start + strings.Repeat(part, 1<<20/len(part))
			var err error
			allocations := testing.AllocsPerRun(1, func() {
				began := time.Now()
				err = rules.Check(url)
				longest = max(longest, time.Since(began))
			})
			if err == nil || len(err.Error()) > 500 || allocations > 10 {
				t.Errorf("%.60q: %v allocations: %.200v", url, allocations, err)
			}
		}
	}
	t.Logf("at most %v", longest)
}

func TestPublic(t *testing.T) {
	for addr, want := range map[string]bool{
		"1.1.1.1": true, "8.8.8.8": true, "2606:4700::1111": true,
		"0.0.0.0": false, "10.1.2.3": false, "100.64.0.1": false, "127.0.0.1": false, "169.254.169.254": false,
		"172.16.0.1": false, "192.168.0.1": false, "198.18.0.1": false, "224.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::127.0.0.1": false,
		"64:ff9b::7f00:1": false, "2002:7f00:1::": false, "2001::1": false, "fd00::1": false, "fe80::1": false,
		"fe80::1%eth0": false, "ff02::1": false, "2001:db8::1": false,
	} {
		if got := Public(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: got %v, want %v", addr, got, want)
		}
	}
}
